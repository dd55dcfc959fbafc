#include "lang/check/types/recursion.h"

#include "lang/check/names/scope.h"
#include "lang/check/types/variables.h"
#include "lang/types/brief.h"
#include "lang/types/build.h"
#include "lang/types/facts.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

void RecursiveUses::check(const syntax::ValueDeclaration& declaration,
                          Diagnostics& diagnostics) const {
  if (uses_.empty()) return;
  const Type* result = declaration.variable->scheme.type;
  std::vector<bool> functional;
  for (std::size_t i = 0; i < declaration.parameters.size(); ++i) {
    const auto* f = as<FunctionType>(result);
    if (!f) return;
    functional.push_back(may_be_functional(f->parameter));
    result = f->result;
  }
  std::string name = in_quotes(declaration.name);
  if (may_be_functional(result))
    diagnostics
        .error("recursive-result", declaration.name_span,
               "Recursive function " + name + " returns type " + in_quotes(print_briefly(result)) +
                   ", which is not first-order")
        .hint = "write the function's parameters as further parameters of " + name;
  if (std::find(functional.begin(), functional.end(), true) == functional.end()) return;
  for (const auto& [reference, application] : uses_) {
    if (!application) {
      diagnostics.error("recursive-reference", reference->span,
                        "Recursive reference to " + name +
                            " must be a fully saturated application, as it has a higher-order "
                            "parameter");
      continue;
    }
    if (application->arguments.size() != functional.size()) {
      diagnostics.error("recursive-reference", reference->span,
                        "Recursive application of " + name + " is not fully saturated: expected " +
                            std::to_string(functional.size()) + " arguments but got " +
                            std::to_string(application->arguments.size()));
      continue;
    }
    for (std::size_t i = 0; i < functional.size(); ++i) {
      if (!functional[i]) continue;
      const auto* v = std::get_if<syntax::VariableExpr>(&application->arguments[i]->node);
      if (v && v->variable && v->variable == named_variable(*declaration.parameters[i])) continue;
      diagnostics.error("recursive-argument", application->arguments[i]->span,
                        "Higher-order argument in recursive application of " + name +
                            " must be passed unchanged: it must be the corresponding parameter");
    }
  }
}

} // namespace sinter::check
