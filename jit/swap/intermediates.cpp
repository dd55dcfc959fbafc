#include "jit/swap/intermediates.h"

#include "jit/ir/groups.h"
#include "jit/ir/walk.h"
#include "jit/passes/not_fused.h"
#include "jit/passes/streams.h"

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

  /// The same, or what it is at most: of what a filter keeps, how much there is.
  std::optional<Scalar> at_most(const ir::Operand& operand) {
    if (const std::optional<Scalar> number = of(operand)) return number;
    const auto kept = kept_of_.find(operand.value().index);
    return kept == kept_of_.end() ? std::nullopt : at_most(kept->second);
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

  /// Whether an array may be so large that it would go by pieces.
  bool may_be_large(const ir::Type& type) {
    double bytes = static_cast<double>(byte_size(type.element));
    for (const ir::Operand& extent : type.extents) {
      const std::optional<Scalar> number = at_most(extent);
      if (!number) return false;
      bytes *= static_cast<double>(number->as<std::int64_t>());
    }
    return bytes >= static_cast<double>(least_streamed_bytes);
  }

private:
  void collect(const ir::Body& body) {
    for (const ir::Statement& statement : body.statements) {
      if (const auto* soac = std::get_if<ir::Soac>(&statement.operation))
        ir::for_each_group(*soac, [&](const ir::Group& group, std::size_t, std::size_t result) {
          if (std::holds_alternative<ir::FilterGroup>(group))
            kept_of_.insert_or_assign(statement.results[result].index, soac->extent);
        });
      if (const auto* primitive = std::get_if<ir::Primitive>(&statement.operation))
        definitions_[statement.results[0].index] = primitive;
      ir::for_each_body(statement.operation, [&](const ir::Body& inner) { collect(inner); });
    }
  }

  const ir::Function& function_;
  std::unordered_map<std::uint32_t, Scalar> known_;
  std::unordered_map<std::uint32_t, const ir::Primitive*> definitions_;
  std::unordered_map<std::uint32_t, ir::Operand> kept_of_; ///< counts of filters: of how many
};

} // namespace

std::vector<IntermediateReport> intermediates(const ir::Function& function,
                                              std::span<const std::optional<Scalar>> inputs) {
  Numbers numbers(function, inputs);
  std::vector<IntermediateReport> result;
  for (const NotFused& pair : not_fused(function)) {
    const ReasonRow& reason = row_of(pair.reason);
    IntermediateReport report{pair.producer,
                              pair.consumer,
                              std::string(reason.name),
                              words(pair.reason),
                              std::nullopt,
                              {},
                              {}};
    // Written once, and read once.
    if (const auto bytes = numbers.bytes(function.type(pair.array))) report.bytes = 2 * *bytes;
    if (pair.kept_whole && numbers.may_be_large(function.type(pair.array))) {
      report.whole = row_of(*pair.kept_whole).name;
      report.why_whole = words(*pair.kept_whole);
    }
    result.push_back(std::move(report));
  }
  return result;
}

} // namespace sinter::jit
