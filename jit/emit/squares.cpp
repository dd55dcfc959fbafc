// Scans in lanes that each go along elements of their own: no lane has to know what the others come
// to at every step.
//
//   elements of a square, of 4 lanes:    lane 0: 0 1 2 3   lane 1: 4 5 6 7   lane 2: 8 9 …
//
// A step combines one more element of each lane with the lane's running value.  Once in a square,
// the lanes' totals are scanned across them; what stands before a lane is combined with its running
// values then.  That may be done where the order does not show, where elements are computed from
// their index alone (others would have to be turned over), and where prefixes go on to folds, which
// take them in this order, too.
#include "jit/emit/body.h"
#include "jit/emit/kernel_shape.h"
#include "jit/emit/skeletons.h"
#include "jit/ir/costs.h"
#include "jit/ir/groups.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace sinter::jit {

using llvm::Value;

namespace {

/// The code of a square is that of so many elements.
constexpr unsigned most_lanes = 16;

bool is_in_any_order(const ir::Group& group) {
  const auto* const reduce = std::get_if<ir::ReduceGroup>(&group);
  return reduce && !ir::order_shows(*reduce);
}

/// Whether prefixes only go on to folds.
bool is_folded(const ir::Group& group) {
  const auto* const scan = std::get_if<ir::ScanGroup>(&group);
  if (!scan || ir::order_shows(*scan) || !scan->before.empty() || scan->post.empty()) return false;
  const ir::Post& post = scan->post[0];
  return is_scalar_code(post.body) && is_light(post.body) &&
         std::ranges::all_of(post.groups, is_in_any_order);
}

} // namespace

bool BodyEmitter::may_go_in_squares(const ir::Soac& soac, std::vector<GroupState>& states) const {
  if (b.kernel.is_compact || b.kernel.width < 2 || b.kernel.width > most_lanes) return false;
  if (!soac.inputs.empty() || !is_light(soac.body) || !is_scalar_code(soac.body)) return false;
  bool has_all = ir::has_group<ir::ScanGroup>(soac);
  for_each_state(states, [&](const GroupState& state) {
    const auto* const reduce = std::get_if<ReduceState>(&state);
    has_all = has_all && is_wanted(state) && (!reduce || reduce->is_commutative);
  });
  if (!has_all) return false;
  return std::ranges::all_of(soac.groups, [](const ir::Group& group) {
    return is_folded(group) || is_in_any_order(group);
  });
}

Value* BodyEmitter::elements_in_squares(const ir::Soac& soac, std::vector<GroupState>& states,
                                        Value* begin, Value* end) {
  const auto width = static_cast<std::int64_t>(b.kernel.width);
  const std::int64_t square = width * width;
  Value* const count = b.greater_of(b.ir.CreateSub(end, begin), b.i64(0));
  Value* const rest = b.ir.CreateAdd(begin, b.ir.CreateAnd(count, b.i64(-square)));
  b.loop(begin, rest, square,
         [&](Value* first) { in_lane_code([&] { elements_of_square(soac, states, first); }); });
  return rest;
}

void BodyEmitter::elements_of_square(const ir::Soac& soac, std::vector<GroupState>& states,
                                     Value* first) {
  const unsigned width = b.lanes();
  const std::vector<GroupPosition> positions = group_positions(soac);
  Value* const from =
      b.ir.CreateAdd(b.splat(first), b.ir.CreateMul(b.lane_numbers(b.type(ElementType::I64)),
                                                    b.splat(b.i64(width))));
  std::vector<std::vector<GroupElement>> steps(states.size()); // by group
  for (unsigned step = 0; step < width; ++step) {
    const LaneValue index = b.varying(b.ir.CreateAdd(from, b.splat(b.i64(step))), ElementType::I64);
    element(soac, states, index, [&] {
      for (std::size_t g = 0; g < states.size(); ++g) {
        GroupElement here{index, {}, {}};
        // (Where only totals of a scan are wanted, its state is that of a reduction.)
        const auto* const reduction = std::get_if<ReduceState>(&states[g]);
        const std::size_t taken =
            reduction ? reduction->fold.neutral->size() : ir::arity(soac.groups[g]).body_results;
        const auto results = std::span(soac.body.results).subspan(positions[g].body_result, taken);
        for (const ir::Operand& operand : results) {
          here.values.push_back(emitted(operand));
          here.types.push_back(source_.type(operand));
        }
        if (auto* const reduce = std::get_if<ReduceState>(&states[g]))
          apply(*reduce, here);
        else
          steps[g].push_back(std::move(here));
      }
    });
  }
  for (std::size_t g = 0; g < states.size(); ++g)
    if (auto* const scan = std::get_if<ScanState>(&states[g])) prefixes_of_square(*scan, steps[g]);
}

void BodyEmitter::prefixes_of_square(ScanState& state, const std::vector<GroupElement>& steps) {
  const Fold& fold = state.fold;
  const std::size_t components = fold.neutral->size();
  const bool across = std::exchange(across_lanes_, false);
  std::vector<std::vector<Emitted>> running; // by step
  for (const GroupElement& step : steps) {
    const auto values = std::span(step.values).first(components);
    running.push_back(running.empty() ? std::vector<Emitted>(values.begin(), values.end())
                                      : combine(*fold.combine, running.back(), values));
  }
  std::vector<LaneValue> totals;
  for (const Emitted& total : running.back()) {
    const auto& value = std::get<LaneValue>(total);
    totals.push_back(b.varying(b.vector(value), value.element));
  }
  totals = prefixes_of_lanes(fold, std::move(totals));
  // What stands before each lane in the square, and behind all of them.
  std::vector<Emitted> before, all;
  const auto last = static_cast<int>(b.lanes()) - 1;
  std::vector<int> order = {last + 1};
  for (int lane = 0; lane < last; ++lane)
    order.push_back(lane);
  for (std::size_t i = 0; i < components; ++i) {
    Value* const neutral = b.vector(scalar((*fold.neutral)[i]));
    before.push_back(
        b.varying(b.ir.CreateShuffleVector(totals[i].value, neutral, order), totals[i].element));
    all.push_back(b.uniform(b.ir.CreateExtractElement(totals[i].value, last), totals[i].element));
  }
  const std::vector<Emitted> carry = values_of(fold.accumulators);
  const std::vector<Emitted> next = combine(*fold.combine, carry, all);
  before = combine(*fold.combine, carry, before);
  for (std::size_t i = 0; i < components; ++i)
    b.set(std::get<Variable>(fold.accumulators[i]), std::get<LaneValue>(next[i]));
  across_lanes_ = across;
  for (std::size_t step = 0; step < steps.size(); ++step)
    store_prefixes(state, steps[step], combine(*fold.combine, before, running[step]));
}

} // namespace sinter::jit
