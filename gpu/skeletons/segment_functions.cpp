#include "gpu/skeletons/segment_functions.h"

#include "gpu/skeletons/row_tiles.h"
#include "jit/emit/frame.h"
#include "jit/emit/kernel_abi.h"
#include "jit/emit/kernel_shape.h"
#include "jit/emit/skeletons.h"

#include <algorithm>
#include <cstddef>

namespace sinter::gpu {

using jit::BodyEmitter;
using jit::LaneBuilder;
using jit::LaneValue;
using llvm::Value;

SegmentFunctions::SegmentFunctions(jit::KernelModule& kernel, const ir::Function& function,
                                   const SegmentNest& nest, const SkeletonOptions& options)
    : function_(function), nest_(nest) {
  BodyFunctions body(kernel, function, options);
  for (const FoldingGroup& group : folding_groups(*nest.fold)) {
    std::vector<ir::Operand> neutral = *group.neutral;
    if (nest.has_own_neutral)
      for (ir::Operand& operand : neutral)
        operand = ir::Operand::constant(function.type(operand).element, Scalar{});
    folds_.add(body.fold(neutral, *group.combine));
  }
  const KernelAround around(kernel, function, options.layouts);
  if (nest.has_own_neutral) neutral_ = make_neutral(around);
  element_ = make_element(around, BodyFunctions::Maps::Left);
  const bool has_maps = folding_groups(*nest.fold).size() < nest.fold->groups.size();
  if (!has_maps) element_.wide = make_wide(around);
  if (has_maps) element_with_maps_ = make_element(around, BodyFunctions::Maps::Stored);
  if (jit::has_only<ir::ReduceGroup>(*nest.fold)) finish_ = make_finish(around);
}

jit::ArrayView SegmentFunctions::result_array(EnteredFunction& entered, std::size_t result) const {
  LaneBuilder& b = entered.body.b;
  Value* const words =
      jit::frame_field(b, entered.frame(), offsetof(jit::KernelFrame, results), b.ir.getPtrTy());
  Value* const data =
      b.ir.CreateLoad(b.ir.getPtrTy(), b.ir.CreateConstGEP1_64(b.ir.getInt64Ty(), words, result));
  return jit::row_major(entered.body, data, function_.type(function_.body.results[result]));
}

void SegmentFunctions::at_segment(EnteredFunction& entered,
                                  const std::function<void()>& body) const {
  BodyEmitter& emitter = entered.body;
  const std::function<void(std::size_t)> enter = [&](std::size_t depth) {
    const bool is_innermost = depth + 1 == nest_.maps.size();
    const LaneValue index = emitter.b.uniform(entered.argument(static_cast<unsigned>(depth)));
    emitter.row_of_nest(is_innermost ? nest_.innermost : *nest_.maps[depth], {}, index,
                        [&](std::vector<jit::GroupState>&) {
                          if (is_innermost) return body();
                          enter(depth + 1);
                        });
  };
  enter(0);
  emitter.finish();
}

std::vector<std::size_t> SegmentFunctions::component_results() const {
  std::vector<std::size_t> results;
  for (const FoldingGroup& group : folding_groups(*nest_.fold))
    for (std::size_t i = 0; i < group.neutral->size(); ++i)
      results.push_back(group.body_result + i);
  return results;
}

ElementFunction SegmentFunctions::make_neutral(const KernelAround& around) const {
  const auto rank = static_cast<unsigned>(nest_.maps.size());
  const auto entered = around.enter("neutral_of_segment", rank, 1);
  ElementFunction result;
  result.types = folds_.types();
  result.function = entered->function;
  BodyEmitter& body = entered->body;
  at_segment(*entered, [&] {
    std::size_t component = 0;
    for (const FoldingGroup& group : folding_groups(*nest_.fold))
      for (const ir::Operand& neutral : *group.neutral) {
        const ElementType type = result.types[component];
        body.put(component_slot(body.b, entered->argument(rank), component++, type), {},
                 body.emitted(neutral), {type, {}});
      }
  });
  return result;
}

Components SegmentFunctions::neutral(EntryBuilder& entry, const SegmentIndices& segment) const {
  if (!neutral_.function) return folds_.neutral(entry);
  return compute_element(entry, neutral_, segment, nullptr).values;
}

WideElements SegmentFunctions::make_wide(const KernelAround& around) const {
  WideElements wide;
  const unsigned lanes = lanes_of_access(function_, *nest_.fold, folds_.types());
  if (nest_.rows.empty() || lanes == 1) return wide;
  wide.lanes = lanes;
  wide.words_of_access = lanes * words_of(folds_.types());
  const auto rank = static_cast<unsigned>(nest_.maps.size());
  const auto entered = around.enter("elements_of_segment", rank + 1, 1);
  wide.function = entered->function;
  at_segment(*entered, [&] {
    emit_wide_elements(entered->body, *nest_.fold, lanes, entered->argument(rank),
                       entered->argument(rank + 1), component_results(), folds_.types());
  });
  return wide;
}

ElementFunction SegmentFunctions::make_element(const KernelAround& around,
                                               BodyFunctions::Maps maps) const {
  const auto rank = static_cast<unsigned>(nest_.maps.size());
  const bool stores_maps = maps == BodyFunctions::Maps::Stored;
  const auto entered = around.enter(
      stores_maps ? "element_of_segment_with_maps" : "element_of_segment", rank + 1, 1);
  ElementFunction result;
  result.types = folds_.types();
  result.function = entered->function;
  BodyEmitter& body = entered->body;
  const ir::Soac& fold = *nest_.fold;
  const auto value_of = [&](std::size_t number) { return body.emitted(fold.body.results[number]); };
  at_segment(*entered, [&] {
    std::vector<jit::GroupState> states;
    for (std::size_t g = 0; g < fold.groups.size(); ++g)
      states.emplace_back(jit::Unwanted{});
    const LaneValue position = body.b.uniform(entered->argument(rank));
    body.element(fold, states, position, [&] {
      const std::vector<std::size_t> results = component_results();
      for (std::size_t i = 0; i < results.size(); ++i)
        body.put(component_slot(body.b, entered->argument(rank + 1), i, result.types[i]), {},
                 value_of(results[i]), {result.types[i], {}});
      if (!stores_maps) return;
      std::vector<LaneValue> place;
      for (unsigned word = 0; word <= rank; ++word)
        place.push_back(body.b.uniform(entered->argument(word)));
      const std::vector<jit::GroupPosition> positions = jit::group_positions(fold);
      for (std::size_t r = 0; r < nest_.stored.size(); ++r)
        for (std::size_t g = 0; g < fold.groups.size(); ++g)
          if (positions[g].result == nest_.stored[r] &&
              std::holds_alternative<ir::MapGroup>(fold.groups[g]))
            body.put(result_array(*entered, r), place, value_of(positions[g].body_result),
                     function_.type(fold.body.results[positions[g].body_result]));
    });
  });
  return result;
}

llvm::Function* SegmentFunctions::make_finish(const KernelAround& around) const {
  const auto rank = static_cast<unsigned>(nest_.maps.size());
  const auto entered = around.enter("finish_segment", rank, 1);
  BodyEmitter& body = entered->body;
  LaneBuilder& b = body.b;
  at_segment(*entered, [&] {
    const std::vector<jit::Emitted> values =
        loaded_components(b, entered->argument(rank), folds_.types());
    for (std::size_t i = 0; i < values.size(); ++i)
      body.bind(nest_.fold_statement->results[i], values[i]);
    body.statements(nest_.after);
    std::vector<LaneValue> place;
    for (unsigned depth = 0; depth < rank; ++depth)
      place.push_back(b.uniform(entered->argument(depth)));
    const std::vector<ir::Operand>& results = nest_.maps.back()->body.results;
    for (std::size_t r = 0; r < results.size(); ++r)
      body.put(result_array(*entered, r), place, body.emitted(results[r]),
               function_.type(results[r]));
  });
  return entered->function;
}

std::int64_t SegmentFunctions::elements_at_once() const {
  constexpr std::size_t most_elements = 4, most_statements = 24;
  const std::size_t statements = std::max<std::size_t>(copied_statements(nest_.fold->body), 1);
  return static_cast<std::int64_t>(
      std::clamp<std::size_t>(most_statements / statements, 1, most_elements));
}

Components SegmentFunctions::element(EntryBuilder& entry, const SegmentIndices& segment,
                                     Value* position, Value* condition,
                                     BodyFunctions::Maps maps) const {
  SegmentIndices indices = segment;
  indices.push_back(position);
  const bool stores_maps = maps == BodyFunctions::Maps::Stored && element_with_maps_.function;
  return compute_element(entry, stores_maps ? element_with_maps_ : element_, indices, condition)
      .values;
}

std::int64_t SegmentFunctions::accesses_at_once() const {
  constexpr std::size_t words = 16;
  return element_.wide.accesses_within(words);
}

std::vector<Components> SegmentFunctions::elements(EntryBuilder& entry,
                                                   const SegmentIndices& segment, Value* position,
                                                   Value* condition) const {
  SegmentIndices indices = segment;
  indices.push_back(position);
  return compute_wide(entry, element_, indices, condition).values;
}

void SegmentFunctions::finish(EntryBuilder& entry, const SegmentIndices& segment,
                              const Components& values) const {
  std::vector<Value*> arguments = {entry.frame()};
  arguments.insert(arguments.end(), segment.begin(), segment.end());
  arguments.push_back(handed_over(entry, values));
  entry.b.ir.CreateCall(finish_, arguments);
}

void SegmentFunctions::store_prefixes(EntryBuilder& entry, Value* place,
                                      const Components& values) const {
  std::size_t component = 0;
  for (const FoldingGroup& group : folding_groups(*nest_.fold))
    for (std::size_t i = 0; i < group.neutral->size(); ++i, ++component)
      for (std::size_t r = 0; r < nest_.stored.size(); ++r) {
        if (nest_.stored[r] != group.result + i) continue;
        Value* const value = values[component];
        entry.b.ir.CreateAlignedStore(
            value,
            entry.b.ir.CreateGEP(value->getType(),
                                 entry.place(entry.result(static_cast<unsigned>(r))), place),
            llvm::Align(byte_size(folds_.types()[component])));
      }
}

// ---- entry points ------------------------------------------------------------------------------

Value* segment_word(EntryBuilder& entry, SegmentWord which) {
  return entry.number(static_cast<unsigned>(which));
}

std::vector<std::uint64_t> segment_words(std::int64_t segments, std::int64_t inner,
                                         std::int64_t totals_of_segment,
                                         std::int64_t totals_in_one) {
  return {static_cast<std::uint64_t>(segments), static_cast<std::uint64_t>(inner),
          reciprocal_of(inner), static_cast<std::uint64_t>(totals_of_segment),
          static_cast<std::uint64_t>(totals_in_one)};
}

std::uint64_t reciprocal_of(std::int64_t divisor) {
  return UINT64_MAX / static_cast<std::uint64_t>(divisor) + 1; // (2^64 / divisor, rounded up.)
}

Value* quotient_by_reciprocal(EntryBuilder& entry, Value* number, Value* reciprocal) {
  LaneBuilder& b = entry.b;
  llvm::Type* const wide = b.ir.getInt128Ty();
  Value* const product =
      b.ir.CreateMul(b.ir.CreateZExt(number, wide), b.ir.CreateZExt(reciprocal, wide));
  return b.ir.CreateTrunc(b.ir.CreateLShr(product, 64), b.ir.getInt64Ty());
}

SegmentIndices segment_indices(EntryBuilder& entry, std::size_t rank, Value* segment) {
  if (rank == 1) return {segment};
  LaneBuilder& b = entry.b;
  Value* const inner = segment_word(entry, SegmentWord::Inner);
  Value* const high =
      quotient_by_reciprocal(entry, segment, segment_word(entry, SegmentWord::Reciprocal));
  Value* const outer = b.ir.CreateSelect(b.ir.CreateICmpEQ(inner, b.i64(1)), segment, high);
  return {outer, b.ir.CreateSub(segment, b.ir.CreateMul(outer, inner))};
}

Value* quotient_below_2_31(EntryBuilder& entry, Value* number, Value* divisor) {
  LaneBuilder& b = entry.b;
  llvm::Type* const half = b.ir.getInt32Ty();
  return b.ir.CreateZExt(
      b.ir.CreateUDiv(b.ir.CreateTrunc(number, half), b.ir.CreateTrunc(divisor, half)),
      b.ir.getInt64Ty());
}

namespace {
constexpr const char* fold_segments_name = "fold_segments";
}

EntryPoint fold_segments_entry(jit::KernelModule& kernel, WordCounts counts,
                               const SegmentFunctions& functions, std::size_t rank) {
  EntryBuilder entry(kernel, fold_segments_name, counts);
  const FoldSet& folds = functions.folds();
  const SharedRows layout(folds.types());
  Value* const totals = segment_word(entry, SegmentWord::TotalsOfSegment);
  entry.for_each(
      entry.wide(AbstractFunction::block_index_x), segment_word(entry, SegmentWord::Segments),
      entry.wide(AbstractFunction::grid_size_x), [&](Value* segment) {
        const RunningValues all =
            fold_totals(entry, folds, layout, totals, segment_word(entry, SegmentWord::TotalsInOne),
                        Carries::None, entry.b.ir.CreateMul(segment, totals));
        entry.by_first_thread([&] {
          functions.finish(entry, segment_indices(entry, rank, segment), folds.get(entry, all));
        });
      });
  return entry.finish();
}

LaunchStep fold_segments_step(const LaunchSizes& sizes, const std::vector<ElementType>& types,
                              std::int64_t segments, std::int64_t values) {
  LaunchStep step{fold_segments_name, shape_of_totals(types, values)};
  step.shape.blocks = shape_for_blocks(sizes, segments).blocks;
  return step;
}

} // namespace sinter::gpu
