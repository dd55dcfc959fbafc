#include "jit/runtime/extract.h"

#include "jit/ir/walk.h"

#include <cassert>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace sinter::jit {

using namespace ir;

namespace {

/// Copies a statement into a fresh function.
class Extraction {
public:
  Extraction(const Function& source, const SizesBefore& before)
      : source_(source), before_(before) {}

  ExtractedKernel run(const Statement& original) {
    Statement statement = original;
    std::vector<ValueId> scalars, arrays;
    auto note = [&](ValueId value) {
      if (!noted_.try_emplace(value.index, 1).second || known(value)) return;
      (source_.type(value).is_scalar() ? scalars : arrays).push_back(value);
    };
    for (ValueId result : original.results)
      noted_.try_emplace(result.index, 1);
    auto note_extents = [&](ValueId value) {
      for (const Operand& extent : source_.type(value).extents)
        if (extent.is_value()) note(extent.value());
    };
    for (ValueId value : free_values(source_, original.operation)) {
      note_extents(value);
      note(value);
    }
    for (ValueId result : original.results)
      note_extents(result);
    // Extents of noted arrays are scalars: they add no further extents.

    target_.name = source_.name;
    target_.failures = source_.failures;
    ExtractedKernel kernel;
    for (const std::vector<ValueId>* list : {&scalars, &arrays})
      for (ValueId value : *list) {
        target_.body.parameters.push_back(define(value));
        kernel.arguments.push_back(value);
      }
    rename_statement(statement);
    for (ValueId result : statement.results)
      target_.body.results.emplace_back(result);
    target_.body.statements.push_back(std::move(statement));
    // Extents may be named before their definition is seen (a filter's count): types come last.
    for (std::uint32_t i = 0; i < origins_.size(); ++i) {
      Type type = source_.type(origins_[i]);
      for (Operand& extent : type.extents)
        rename(extent);
      target_.values[i].type = std::move(type);
    }
    kernel.function = std::move(target_);
    return kernel;
  }

private:
  ValueId define(ValueId value) {
    ValueId fresh = target_.add_value({}, source_.values[value.index].name);
    renamed_.emplace(value.index, fresh);
    origins_.push_back(value);
    return fresh;
  }
  std::optional<std::int64_t> known(ValueId value) const {
    const Type& type = source_.type(value);
    if (!type.is_scalar() || type.element != ElementType::I64) return std::nullopt;
    return before_.number(value);
  }
  void rename(Operand& operand) {
    if (operand.is_constant()) return;
    const ValueId value = operand.value();
    if (const auto found = renamed_.find(value.index); found != renamed_.end()) {
      operand = Operand(found->second);
      return;
    }
    const std::optional<std::int64_t> number = known(value);
    assert(number);
    operand = Operand::i64(*number);
  }
  void rename_body(Body& body) {
    for (ValueId& parameter : body.parameters)
      parameter = define(parameter);
    for (Statement& statement : body.statements)
      rename_statement(statement);
    for (Operand& result : body.results)
      rename(result);
  }
  void rename_statement(Statement& statement) {
    for_each_operand(statement.operation, [&](Operand& operand) { rename(operand); });
    for_each_body(statement.operation, [&](Body& body) { rename_body(body); });
    for (ValueId& result : statement.results)
      result = define(result);
  }

  const Function& source_;
  const SizesBefore& before_;
  Function target_;
  std::unordered_map<std::uint32_t, int> noted_;
  std::unordered_map<std::uint32_t, ValueId> renamed_;
  std::vector<ValueId> origins_; ///< of the target's values
};

} // namespace

ExtractedKernel extract_kernel(const Function& function, const Statement& statement,
                               const SizesBefore& before) {
  return Extraction(function, before).run(statement);
}

} // namespace sinter::jit
