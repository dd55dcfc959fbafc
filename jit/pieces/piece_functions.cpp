#include "jit/pieces/piece_functions.h"

#include "jit/ir/walk.h"
#include "jit/passes/pipeline.h"
#include "jit/pieces/piece_writer.h"

#include <algorithm>
#include <cassert>
#include <set>

namespace sinter::jit {

using namespace ir;

Draft::Draft(const Function& given, const CutPlan& cut) : function(given), plan(cut) {
  const Type number{ElementType::I64, {}};
  first = function.add_value(number, "first");
  count = function.add_value(number, "count");
  pieces = function.add_value(number, "pieces");
  crossings.push_back({StateRole::Sum, Operand::i64(1), pieces});
}

Stage Draft::stage(const Operand& operand) const {
  // (What is new is made where it is used.)
  if (operand.is_constant() || operand.value().index >= plan.stages.size()) return Stage::Whole;
  return plan.stage(operand);
}

Body Draft::applied(const Body& combine, std::span<const Operand> left,
                    std::span<const Operand> right) {
  std::vector<Replacement> replacements;
  for (std::size_t i = 0; i < left.size(); ++i) {
    replacements.emplace_back(combine.parameters[i], left[i]);
    replacements.emplace_back(combine.parameters[left.size() + i], right[i]);
  }
  Body body = combine;
  body.parameters.clear();
  return clone(function, body, std::move(replacements));
}

namespace {

/// Adds what a finish uses and does not define, until nothing is missing.
class Crossed {
public:
  Crossed(Draft& draft, const std::map<ValueId, ValueId>& own_blocks)
      : draft_(draft), own_blocks_(own_blocks) {
    for (const Crossing& crossing : draft.crossings)
      known_.insert(crossing.in_finish);
  }
  void add(ValueId value) {
    if (!known_.insert(value).second) return;
    draft_.crossings.push_back(crossing(value));
    for (const Operand& extent : draft_.function.type(value).extents)
      if (extent.is_value()) add(extent.value());
  }
  void add_types() {
    for (std::size_t i = 0; i < draft_.crossings.size(); ++i) {
      const std::vector<Operand> extents =
          draft_.function.type(draft_.crossings[i].in_finish).extents;
      for (const Operand& extent : extents)
        if (extent.is_value()) add(extent.value());
    }
  }

private:
  Crossing crossing(ValueId value) const {
    switch (draft_.stage(value)) {
    case Stage::Cut: {
      const auto own = own_blocks_.find(value);
      return {StateRole::Joined, own == own_blocks_.end() ? value : own->second, value};
    }
    case Stage::Kept:
      return {StateRole::Joined, value, value};
    case Stage::Count:
      return {StateRole::Sum, value, value};
    case Stage::Whole:
      return {StateRole::Shared, value, value};
    case Stage::Late:
      break;
    }
    assert(!"what is late is defined in the finish");
    return {};
  }

  Draft& draft_;
  const std::map<ValueId, ValueId>& own_blocks_;
  std::set<ValueId> known_;
};

/// A copy of an array, made where the array is, since it may be overwritten before the end.
ValueId kept_copy(Draft& draft, Body& chunk, ValueId array) {
  const ValueId result = draft.new_value(draft.function.type(array));
  const auto made = std::ranges::find_if(chunk.statements, [&](const Statement& statement) {
    return std::ranges::find(statement.results, array) != statement.results.end();
  });
  const auto behind = made == chunk.statements.end() ? chunk.statements.begin() : made + 1;
  chunk.statements.insert(behind, {{result}, Copy{array}, {}});
  return result;
}

bool is_scalar(const Draft& draft, const Crossing& crossing) {
  return draft.function.type(crossing.in_finish).is_scalar();
}

} // namespace

PieceFunctions piece_functions(const Function& function, const CutPlan& plan) {
  PieceFunctions result;
  Draft draft(function, plan);
  std::map<ValueId, ValueId> own_blocks;
  Body chunk = chunk_body(draft, result.arguments, own_blocks);
  Body finish = finish_body(draft);
  Crossed crossed(draft, own_blocks);
  for (ValueId value : free_values(draft.function, finish))
    crossed.add(value);
  crossed.add_types();
  std::stable_partition(draft.crossings.begin(), draft.crossings.end(),
                        [&](const Crossing& crossing) { return is_scalar(draft, crossing); });
  for (const Crossing& crossing : draft.crossings) {
    const Type type = draft.function.type(crossing.in_finish);
    result.state.push_back({crossing.role, type.element, static_cast<std::uint32_t>(type.rank())});
    const bool may_be_consumed = crossing.role == StateRole::Shared && !type.is_scalar();
    chunk.results.push_back(may_be_consumed ? kept_copy(draft, chunk, crossing.in_chunk.value())
                                            : crossing.in_chunk);
    finish.parameters.push_back(crossing.in_finish);
  }
  result.finish = draft.function;
  result.finish.name = function.name + "'finish";
  result.finish.body = std::move(finish);
  result.chunk = std::move(draft.function);
  result.chunk.name = function.name + "'chunk";
  result.chunk.body = std::move(chunk);
  for (const auto& [value, extent] : draft.shortened)
    result.chunk.values[value.index].type.extents[0] = extent;
  for (const ChunkArgument& argument : result.arguments) {
    if (argument.kind != ChunkArgument::Kind::HaloCount) continue;
    // (It stands before the block.)
    const auto at = static_cast<std::size_t>(&argument - result.arguments.data());
    const ValueId block = result.chunk.body.parameters[at + 1];
    result.chunk.values[block.index].type.extents[0] = result.chunk.body.parameters[at];
  }
  require_rules(result.chunk, "cutting");
  require_rules(result.finish, "cutting");
  return result;
}

} // namespace sinter::jit
