#include "gpu/skeletons/stream_nest.h"

#include "jit/emit/kernel_shape.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <utility>

namespace sinter::gpu {

using namespace ir;

namespace {

constexpr std::size_t most_streams = 8;

bool contains(const std::vector<ValueId>& values, const Operand& operand) {
  return operand.is_value() &&
         std::find(values.begin(), values.end(), operand.value()) != values.end();
}

class StreamFinder {
public:
  explicit StreamFinder(const Function& function) : function_(function) {}

  std::optional<StreamNest> find() {
    nest_.map = jit::parallel_soac(function_);
    if (!nest_.map || !jit::has_only<MapGroup>(*nest_.map) || !match_map() || !match_reduction())
      return std::nullopt;
    find_streams();
    if (nest_.streams.empty() || nest_.streams.size() > most_streams) return std::nullopt;
    return std::move(nest_);
  }

private:
  // ---- shape

  bool match_map() {
    const Body& body = nest_.map->body;
    inside_ = body.parameters;
    for (const Statement& each : body.statements) {
      inside_.insert(inside_.end(), each.results.begin(), each.results.end());
      const auto* soac = std::get_if<Soac>(&each.operation);
      if (soac && nest_.reduction) return false;
      if (soac) {
        nest_.reduction = soac;
        nest_.reduction_statement = &each;
        continue;
      }
      if (!is_simple(each)) return false;
      (nest_.reduction ? nest_.after : nest_.before).statements.push_back(each);
    }
    return nest_.reduction &&
           std::all_of(body.results.begin(), body.results.end(),
                       [&](const Operand& result) { return function_.type(result).is_scalar(); });
  }

  bool match_reduction() const {
    return is_reduction_of_scalars(*nest_.reduction) && !is_inside(nest_.reduction->extent) &&
           std::all_of(nest_.reduction->body.statements.begin(),
                       nest_.reduction->body.statements.end(),
                       [&](const Statement& each) { return is_simple(each) || is_inner(each); });
  }

  /// Scalar code that cannot fail, or reads an element.
  bool is_simple(const Statement& statement) const {
    if (is_scalar_operation(statement.operation)) return true;
    return std::holds_alternative<Index>(statement.operation) &&
           function_.type(statement.results[0]).is_scalar();
  }

  /// A reduction of such code along an array that an element of the stream is: no longer than a
  /// tile is wide.
  bool is_inner(const Statement& statement) const {
    const auto* soac = std::get_if<Soac>(&statement.operation);
    if (!soac || !is_reduction_of_scalars(*soac)) return false;
    const auto& parameters = nest_.reduction->body.parameters;
    return std::any_of(soac->inputs.begin(), soac->inputs.end(),
                       [&](ValueId input) { return contains(parameters, input); }) &&
           std::all_of(soac->body.statements.begin(), soac->body.statements.end(),
                       [&](const Statement& each) { return is_simple(each); });
  }

  bool is_reduction_of_scalars(const Soac& soac) const {
    return !soac.groups.empty() && jit::has_only<ReduceGroup>(soac) &&
           jit::folds_scalars(function_, soac) &&
           std::all_of(soac.groups.begin(), soac.groups.end(), [&](const Group& group) {
             const auto& combine = std::get<ReduceGroup>(group).combine;
             return std::all_of(combine.statements.begin(), combine.statements.end(),
                                [&](const Statement& each) { return is_simple(each); });
           });
  }

  bool is_inside(const Operand& operand) const { return contains(inside_, operand); }

  // ---- streams

  /// Parameters of the function that the reduction reads by its index, and in no other way.
  void find_streams() {
    const Soac& reduction = *nest_.reduction;
    for (const ValueId parameter : function_.body.parameters) {
      const std::size_t rank = function_.type(parameter).rank();
      if (rank < 1 || rank > 2) continue;
      const auto inputs = std::count(reduction.inputs.begin(), reduction.inputs.end(), parameter);
      std::size_t reads = static_cast<std::size_t>(inputs);
      bool is_fit = true;
      for (const Statement& each : reduction.body.statements)
        if (const auto* index = std::get_if<Index>(&each.operation);
            index && index->array == parameter) {
          is_fit = is_fit && index->indices[0] == Operand(reduction.body.parameters[0]);
          ++reads;
        } else if (!index && contains(free_values(function_, each), parameter)) {
          is_fit = false;
        }
      for (const Group& group : reduction.groups)
        is_fit = is_fit && !contains(free_values(function_, *operator_of(group)), parameter);
      if (is_fit && reads > 0) nest_.streams.push_back(parameter);
    }
  }

  const Function& function_;
  StreamNest nest_;
  std::vector<ValueId> inside_;
};

} // namespace

std::optional<StreamNest> find_stream_nest(const Function& kernel) {
  return StreamFinder(kernel).find();
}

} // namespace sinter::gpu
