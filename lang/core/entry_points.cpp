// The specialiser's door: entry points and expressions.
#include "lang/base/unknown_names.h"
#include "lang/core/last_use.h"
#include "lang/core/specialise.h"
#include "lang/core/translator.h"
#include "lang/syntax/print.h"

#include <stdexcept>

namespace sinter::core {

struct Specialiser::Implementation {
  Definitions definitions;
  Program& program;
  Implementation(check::Checker& checker, Representations& representations, Program& program)
      : definitions(checker, representations, program), program(program) {}
};

Specialiser::Specialiser(check::Checker& checker, Representations& representations,
                         Program& program)
    : implementation_(std::make_unique<Implementation>(checker, representations, program)) {}
Specialiser::~Specialiser() = default;

namespace {

const syntax::ValueDeclaration* value_declaration(const syntax::Declaration& declaration) {
  if (const auto* local = std::get_if<syntax::LocalDeclaration>(&declaration.node))
    return value_declaration(*local->inner);
  return std::get_if<syntax::ValueDeclaration>(&declaration.node);
}

bool is_entry(const syntax::ValueDeclaration& declaration) {
  return declaration.keyword == syntax::ValueKeyword::Entry || declaration.name == "main";
}

/// The type expression of a parameter that has one.
const syntax::TypeExpr* annotation(const syntax::Pattern& pattern) {
  if (const auto* ascribed = std::get_if<syntax::AscribePattern>(&pattern.node))
    return ascribed->type;
  if (const auto* inner = std::get_if<syntax::ParenthesizedPattern>(&pattern.node))
    return annotation(*inner->inner);
  if (const auto* inner = std::get_if<syntax::AttributedPattern>(&pattern.node))
    return annotation(*inner->pattern);
  return nullptr;
}

std::string parameter_name(const syntax::Pattern& pattern) {
  if (const auto* name = std::get_if<syntax::NamePattern>(&pattern.node))
    return std::string(name->name);
  if (const auto* ascribed = std::get_if<syntax::AscribePattern>(&pattern.node))
    return parameter_name(*ascribed->pattern);
  if (const auto* inner = std::get_if<syntax::ParenthesizedPattern>(&pattern.node))
    return parameter_name(*inner->inner);
  if (const auto* inner = std::get_if<syntax::AttributedPattern>(&pattern.node))
    return parameter_name(*inner->pattern);
  return "";
}

bool is_transparent(const Representation* type) {
  return type->is_scalar() || (type->is_array() && type->array().element->is_scalar());
}

/// A type as the outside sees it; `written` may be null.
EntryType entry_type(const types::Type* type, const Representation* representation,
                     const syntax::TypeExpr* written, std::string name) {
  type = types::resolve(type);
  EntryType result{.representation = representation, .name = std::move(name)};
  if (const auto* unique = std::get_if<types::UniqueType>(&type->node)) {
    result.unique = true;
    type = unique->inner;
  }
  if (written)
    if (const auto* unique = std::get_if<syntax::UniqueType>(&written->node)) {
      result.unique = true;
      written = unique->inner;
    }
  result.text = written ? syntax::print(*written) : with_named_unknowns(types::print(type));
  result.is_transparent = is_transparent(representation);
  return result;
}

std::vector<EntryType> entry_results(const types::Type* type, const ConcreteType& concrete,
                                     const syntax::TypeExpr* written) {
  const types::Type* inner = types::resolve(type);
  if (const auto* unique = std::get_if<types::UniqueType>(&inner->node))
    inner = types::resolve(unique->inner);
  const auto* record = std::get_if<types::RecordType>(&inner->node);
  const bool is_tuple = record && (record->fields.empty() || record->fields.front().name == "0");
  if (!is_tuple) return {entry_type(type, concrete.representation, written, "")};
  while (written && std::holds_alternative<syntax::ParenthesizedType>(written->node))
    written = std::get<syntax::ParenthesizedType>(written->node).inner;
  const auto* tuple = written ? std::get_if<syntax::TupleType>(&written->node) : nullptr;
  std::vector<EntryType> results;
  for (std::size_t i = 0; i < record->fields.size(); ++i)
    results.push_back(entry_type(record->fields[i].type, concrete.parts[i]->representation,
                                 tuple ? tuple->elements[i] : nullptr, ""));
  return results;
}

/// The parameters of an entry point: those that are written, then those of the type that remains.
struct EntryParameters {
  std::vector<const ConcreteType*> all;
  std::vector<const ConcreteType*> extra; ///< the last ones of them, which are not written
  const types::Type* result = nullptr;
  const ConcreteType* concrete_result = nullptr;
};

/// Adds them to the entry's description, too.
EntryParameters entry_parameters(Definitions& definitions, const Preparation& prepared,
                                 const syntax::ValueDeclaration& declaration, EntryPoint& entry) {
  EntryParameters parameters;
  const types::Type* type = types::resolve(declaration.variable->scheme.type);
  const ConcreteType* concrete = definitions.types.concrete(type, prepared.types);
  while (true) {
    if (const auto* unique = std::get_if<types::UniqueType>(&type->node))
      type = types::resolve(unique->inner);
    const auto* function = std::get_if<types::FunctionType>(&type->node);
    if (!function) break;
    const std::size_t position = parameters.all.size();
    const bool is_written = position < declaration.parameters.size();
    const syntax::Pattern* pattern = is_written ? declaration.parameters[position] : nullptr;
    const types::Type* parameter = pattern && pattern->type ? pattern->type : function->parameter;
    const ConcreteType* parameter_type = definitions.types.concrete(parameter, prepared.types);
    if (!is_written) parameters.extra.push_back(parameter_type);
    parameters.all.push_back(parameter_type);
    entry.parameters.push_back(entry_type(function->parameter, parameter_type->representation,
                                          pattern ? annotation(*pattern) : nullptr,
                                          pattern ? parameter_name(*pattern) : ""));
    type = types::resolve(function->result);
    concrete = concrete->parts[1];
  }
  parameters.result = type;
  parameters.concrete_result = concrete;
  return parameters;
}

/// The function's parameters, with the checks of their sizes, and its body.
const Expr* entry_function(Definitions& definitions, Translator& translator,
                           const syntax::ValueDeclaration& declaration,
                           const EntryParameters& parameters, Function& function,
                           std::vector<HiddenSize>& hidden) {
  translator.parameters(function, declaration.parameters, hidden, parameters.extra);
  for (std::uint32_t i = 0; i < parameters.all.size(); ++i) {
    auto checks = translator.size_checks(*parameters.all[i], function.parameters[i]->span,
                                         function.parameters[i]->sizes);
    for (SizeCheck& check : checks)
      function.checks.push_back({i, std::move(check)});
  }
  const Expr* body = translator.body(*declaration.body);
  if (parameters.extra.empty()) return body;
  Apply apply{body, {}};
  for (std::size_t i = declaration.parameters.size(); i < function.parameters.size(); ++i)
    apply.arguments.push_back(
        definitions.make(parameters.all[i]->representation, function.span,
                         Local{std::get<SlotPattern>(function.parameters[i]->node).slot}));
  return definitions.make(parameters.concrete_result->representation, function.span,
                          std::move(apply));
}

} // namespace

std::vector<std::string> Specialiser::entry_points(const check::CheckedFile& file) const {
  std::vector<std::string> names;
  for (const syntax::Declaration* declaration : file.syntax.declarations)
    if (const auto* value = value_declaration(*declaration); value && is_entry(*value))
      names.emplace_back(value->name);
  return names;
}

EntryPoint Specialiser::entry_point(const check::CheckedFile& file, std::string_view name) {
  Definitions& definitions = implementation_->definitions;
  Definitions::Round round(definitions);
  const syntax::ValueDeclaration* declaration = nullptr;
  for (const syntax::Declaration* one : file.syntax.declarations)
    if (const auto* value = value_declaration(*one); value && is_entry(*value))
      if (value->name == name) declaration = value;
  if (!declaration) throw std::out_of_range("no entry point " + std::string(name));
  const ValueEntry* entry = nullptr;
  FoundValue found = definitions.modules.file_structure(file).find_value(
      {.name = name, .exported_only = false, .wanted = declaration});
  if (const auto* known = std::get_if<const ValueEntry*>(&found)) entry = *known;
  if (!entry) throw std::out_of_range("no entry point " + std::string(name));

  EntryPoint result{.name = std::string(name), .span = declaration->name_span};
  // Type parameters that an entry point should not have are taken to be `()`.
  const types::Scheme& scheme = declaration->variable->scheme;
  const std::vector<const Representation*> units(scheme.type_parameters.size(),
                                                 definitions.types.unit()->representation);
  Preparation prepared = prepare(definitions.types, scheme, nullptr, entry->environment, units);
  const EntryParameters parameters = entry_parameters(definitions, prepared, *declaration, result);
  result.results = entry_results(parameters.result, *parameters.concrete_result,
                                 parameters.extra.empty() ? declaration->result_type : nullptr);

  Function& function = *implementation_->program.arena.make<Function>();
  function.name = name;
  function.span = declaration->name_span;
  Frame frame;
  Translator translator(definitions, frame, entry->environment, prepared.types);
  std::vector<HiddenSize> hidden;
  const Expr* body = nullptr;
  if (parameters.all.empty()) {
    Specialisation& constant = definitions.specialise(*entry, {});
    body = constant.global ? definitions.make(constant.global->type, function.span,
                                              GlobalValue{constant.global})
                           : translator.body(*declaration->body);
  } else {
    body = entry_function(definitions, translator, *declaration, parameters, function, hidden);
  }
  translator.complete(function, body, hidden, true);
  round.finish();
  result.function = &function;
  return result;
}

void Specialiser::take_up(const check::Checker::PromptScope& scope) {
  implementation_->definitions.modules.prompt(scope);
}

Toplevel Specialiser::expression(const check::Checker::PromptScope& scope,
                                 const syntax::Expr& expression) {
  Definitions& definitions = implementation_->definitions;
  Definitions::Round round(definitions);
  const Environment* modules = definitions.modules.prompt(scope);
  Frame frame;
  Translator translator(definitions, frame, modules,
                        definitions.types.environment({.modules = modules}));
  const Expr* body = translator.body(expression);
  round.finish();
  mark_last_uses(*body, frame.size());
  return {body, frame.size()};
}

} // namespace sinter::core
