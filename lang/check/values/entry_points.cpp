// The rules that an entry point must keep: a caller outside of the program can give and take only
// values whose types and sizes it knows.
#include "lang/check/values/value_declarations.h"
#include "lang/types/brief.h"
#include "lang/types/build.h"
#include "lang/types/facts.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

void check_entry_point(Context& context, const syntax::ValueDeclaration& declaration) {
  const Variable& variable = *declaration.variable;
  const Scheme& scheme = variable.scheme;
  Diagnostics& diagnostics = *context.diagnostics;
  if (contains_error(variable.scheme.type)) return;
  if (!scheme.type_parameters.empty()) {
    std::string names;
    for (const TypeName* name : scheme.type_parameters)
      names += (names.empty() ? "\"" : ", \"") + name->display + "\"";
    diagnostics
        .error("polymorphic-entry", declaration.name_span,
               "Entry point functions may not be polymorphic")
        .notes.push_back({{},
                          "the type \"" + print_briefly(scheme.type) + "\" has the type parameter" +
                              (scheme.type_parameters.size() == 1 ? " " : "s ") + names});
    return;
  }
  SizeUses parameters;
  bool is_functional = false;
  const Type* result = resolve(scheme.type);
  while (const auto* function = std::get_if<FunctionType>(&result->node)) {
    SizeUses uses = size_uses(function->parameter);
    parameters.all.merge(uses.all);
    parameters.constructive.merge(uses.constructive);
    is_functional = is_functional || may_be_functional(function->parameter);
    result = resolve(function->result);
  }
  const SizeUses in_result = size_uses(result);
  for (const Variable* size : scheme.size_parameters) {
    if (variable.has_unknown_sizes) break;
    if (size->kind != Variable::Kind::SizeParameter) continue;
    const std::string shown = "\"[" + std::string(size->name) + "]\"";
    const Span span = size->span.is_known() ? size->span : declaration.name_span;
    if (in_result.all.contains(size) && !parameters.all.contains(size)) {
      diagnostics
          .error("size-polymorphic-entry", declaration.name_span,
                 "Entry point functions must not be size-polymorphic in their return type")
          .notes.push_back({span, "the size " + shown + " is that of no parameter"});
      return;
    }
    if (!parameters.constructive.contains(size)) {
      diagnostics
          .error("nonconstructive-entry", span,
                 "Entry point size parameter " + shown + " only used non-constructively")
          .hint = "make it the size of an array in a parameter's type";
      return;
    }
  }
  if (is_functional || may_be_functional(result))
    diagnostics
        .error("higher-order-entry", declaration.name_span,
               "Entry point functions may not be higher-order")
        .notes.push_back({{}, "the type is \"" + print_briefly(scheme.type) + "\""});
}

} // namespace sinter::check
