#include "jit/swap/intermediates.h"

#include "jit/ir/walk.h"
#include "jit/passes/not_fused.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

namespace sinter::jit {

namespace {

/// Scalars that follow from a function's inputs alone.
class Numbers {
public:
  Numbers(const ir::Function& function, std::span<const std::optional<Scalar>> inputs)
      : function_(function) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i]) known_[function.body.parameters[i].index] = *inputs[i];
    collect(function.body);
  }

  std::optional<Scalar> of(const ir::Operand& operand) {
    if (operand.is_constant()) return operand.scalar();
    const std::uint32_t value = operand.value().index;
    if (const auto known = known_.find(value); known != known_.end()) return known->second;
    const auto definition = definitions_.find(value);
    if (definition == definitions_.end()) return std::nullopt;
    const ir::Primitive& operation = *definition->second;
    std::array<Scalar, 3> arguments{};
    for (std::size_t i = 0; i < operation.arguments.size(); ++i) {
      const std::optional<Scalar> argument = of(operation.arguments[i]);
      if (!argument) return std::nullopt;
      arguments[i] = *argument;
    }
    return known_[value] = operation.primitive->apply(arguments[0], arguments[1], arguments[2]);
  }

  /// Of an array; nothing where a size is not known.
  std::optional<std::uint64_t> bytes(const ir::Type& type) {
    std::uint64_t result = byte_size(type.element);
    for (const ir::Operand& extent : type.extents) {
      const std::optional<Scalar> number = of(extent);
      if (!number) return std::nullopt;
      result *= number->as<std::uint64_t>();
    }
    return result;
  }

private:
  void collect(const ir::Body& body) {
    for (const ir::Statement& statement : body.statements) {
      if (const auto* primitive = std::get_if<ir::Primitive>(&statement.operation))
        definitions_[statement.results[0].index] = primitive;
      ir::for_each_body(statement.operation, [&](const ir::Body& inner) { collect(inner); });
    }
  }

  const ir::Function& function_;
  std::unordered_map<std::uint32_t, Scalar> known_;
  std::unordered_map<std::uint32_t, const ir::Primitive*> definitions_;
};

} // namespace

std::vector<IntermediateReport> intermediates(const ir::Function& function,
                                              std::span<const std::optional<Scalar>> inputs) {
  Numbers numbers(function, inputs);
  std::vector<IntermediateReport> result;
  for (const NotFused& pair : not_fused(function)) {
    const ReasonRow& reason = row_of(pair.reason);
    IntermediateReport report{pair.producer, pair.consumer, std::string(reason.name),
                              words(pair.reason), std::nullopt};
    // Written once, and read once.
    if (const auto bytes = numbers.bytes(function.type(pair.array))) report.bytes = 2 * *bytes;
    result.push_back(std::move(report));
  }
  return result;
}

} // namespace sinter::jit
