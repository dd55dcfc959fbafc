#include "repl/session/program_state.h"

#include "lang/base/interruptible.h"
#include "lang/check/prompt_scope.h"
#include "lang/types/facts.h"
#include "repl/display/display.h"
#include "repl/display/field_order.h"

namespace sinter::repl {

namespace {

/// Takes the values of prompt definitions from one program state to the next.
class Carrier final : public Definitions::ValueCarrier {
public:
  Carrier(const Definitions& definitions, ProgramState& former, ProgramState& present)
      : definitions_(definitions), former_(former), present_(present) {}

  std::optional<std::string> value_type(const DependencyEntry& entry) override {
    const core::Global* global = former_global(entry);
    const Value* value = global ? carried(*global) : nullptr;
    const types::Variable& variable = *entry.meanings.values.begin()->second;
    if (!value || !types::is_structural(variable.scheme.type)) return std::nullopt;
    return type_text(global->type, *value, field_order(variable.scheme.type));
  }

  bool carry(const DependencyEntry& former, DependencyEntry& renewed,
             check::Checker::PromptScope& scope) override {
    present_.specialiser.take_up(scope);
    const core::Global* old_global = former_global(former);
    const Value* value = old_global ? carried(*old_global) : nullptr;
    const bool is_definition = former.kind == DependencyEntry::Kind::Definition;
    if (!value && is_definition) return true;
    const core::Global* global = present_.global_of(scope, renewed.name, renewed.span);
    if (!is_definition) {
      renewed.global = global;
      renewed.representation = global ? global->type : former.representation;
    }
    if (!value) return former.kind == DependencyEntry::Kind::Result;
    if (!global || global->type != old_global->type) return false;
    present_.evaluator.define(*global, *value);
    return true;
  }

private:
  /// The value of a global of the former program state, if it can be taken over.
  const Value* carried(const core::Global& global) const {
    const Value* value = former_.evaluator.global(global);
    return value && !has_function(*value) ? value : nullptr;
  }

  const core::Global* former_global(const DependencyEntry& entry) {
    if (entry.kind != DependencyEntry::Kind::Definition) return entry.global;
    // A constant under its own name, if that still means it.
    auto variable = entry.meanings.values.find(entry.name);
    if (variable == entry.meanings.values.end()) return nullptr;
    const syntax::ValueDeclaration* declaration = variable->second->declaration;
    const DependencyEntryRef meant =
        definitions_.dependencies().meaning({NameSpace::Values, entry.name});
    if (!declaration || !declaration->parameters.empty() || meant.get() != &entry) return nullptr;
    return former_.global_of(*scope_, entry.name, entry.span);
  }

  const Definitions& definitions_;
  std::shared_ptr<check::Checker::PromptScope> scope_ = check::copy(definitions_.scope());
  ProgramState& former_;
  ProgramState& present_;
};

/// The names of the constants that files define at their tops.
std::vector<Span> constants_of(const std::vector<const check::CheckedFile*>& files) {
  std::vector<Span> names;
  for (const check::CheckedFile* file : files)
    for (const syntax::Declaration* declaration : file->syntax.declarations)
      if (const auto* value = std::get_if<syntax::ValueDeclaration>(&declaration->node);
          value && value->parameters.empty())
        names.push_back(value->name_span);
  return names;
}

} // namespace

const core::Global* global_in(const core::Expr& expr) {
  if (const auto* global = std::get_if<core::GlobalValue>(&expr.node)) return global->global;
  if (const auto* sizes = std::get_if<core::BindSizes>(&expr.node)) return global_in(*sizes->value);
  return nullptr;
}

const core::Global* ProgramState::global_of(check::Checker::PromptScope& scope,
                                            std::string_view name, Span span) {
  Diagnostics ignored;
  syntax::Expr* expression = variable(checker.ast(), name, span);
  if (!checker.check_expression(scope, *expression, ignored)) return nullptr;
  return global_in(*specialiser.expression(scope, *expression).body);
}

std::optional<Definitions> taken_over(const Definitions& definitions, ProgramState& former,
                                      ProgramState& present) {
  check::Checker::Renewal renewal(present.checker, former.checker);
  Carrier carrier(definitions, former, present);
  std::optional<Definitions> result = definitions.renewed(present.checker, renewal, carrier);
  if (!result) return result;
  const Uninterruptible whole;
  present.evaluator.inherit(former.evaluator, constants_of(renewal.files()));
  return result;
}

} // namespace sinter::repl
