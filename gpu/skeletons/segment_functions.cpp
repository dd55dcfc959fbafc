#include "gpu/skeletons/segment_functions.h"

#include "gpu/skeletons/row_tiles.h"
#include "jit/emit/frame.h"
#include "jit/emit/kernel_abi.h"
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
  for (const ir::Group& group : nest.reduction->groups) {
    const auto& reduce = std::get<ir::ReduceGroup>(group);
    folds_.add(body.fold(reduce.neutral, reduce.combine));
  }
  const KernelAround around(kernel, function, options.dense);
  element_ = make_element(around);
  finish_ = make_finish(around);
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

ElementFunction SegmentFunctions::make_element(const KernelAround& around) const {
  const auto rank = static_cast<unsigned>(nest_.maps.size());
  const auto entered = around.enter("element_of_segment", rank + 1, 1);
  ElementFunction result;
  result.types = folds_.types();
  result.function = entered->function;
  BodyEmitter& body = entered->body;
  at_segment(*entered, [&] {
    std::vector<jit::GroupState> states;
    for (std::size_t g = 0; g < nest_.reduction->groups.size(); ++g)
      states.emplace_back(jit::Unwanted{});
    const LaneValue position = body.b.uniform(entered->argument(rank));
    body.element(*nest_.reduction, states, position, [&] {
      for (std::size_t i = 0; i < result.types.size(); ++i)
        body.put(component_slot(body.b, entered->argument(rank + 1), i, result.types[i]), {},
                 body.emitted(nest_.reduction->body.results[i]), {result.types[i], {}});
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
      body.bind(nest_.reduction_statement->results[i], values[i]);
    body.statements(nest_.after);
    std::vector<LaneValue> place;
    for (unsigned depth = 0; depth < rank; ++depth)
      place.push_back(b.uniform(entered->argument(depth)));
    const std::vector<ir::Operand>& results = nest_.maps.back()->body.results;
    Value* const words =
        jit::frame_field(b, entered->frame(), offsetof(jit::KernelFrame, results), b.ir.getPtrTy());
    for (std::size_t r = 0; r < results.size(); ++r) {
      Value* const data =
          b.ir.CreateLoad(b.ir.getPtrTy(), b.ir.CreateConstGEP1_64(b.ir.getInt64Ty(), words, r));
      const jit::ArrayView array =
          jit::row_major(body, data, function_.type(function_.body.results[r]));
      body.put(array, place, body.emitted(results[r]), function_.type(results[r]));
    }
  });
  return entered->function;
}

std::int64_t SegmentFunctions::elements_at_once() const {
  constexpr std::size_t most_elements = 4, most_statements = 24;
  const std::size_t statements = std::max<std::size_t>(copied_statements(nest_.reduction->body), 1);
  return static_cast<std::int64_t>(
      std::clamp<std::size_t>(most_statements / statements, 1, most_elements));
}

Components SegmentFunctions::element(EntryBuilder& entry, const SegmentIndices& segment,
                                     Value* position, Value* condition) const {
  SegmentIndices indices = segment;
  indices.push_back(position);
  return compute_element(entry, element_, indices, condition).values;
}

void SegmentFunctions::finish(EntryBuilder& entry, const SegmentIndices& segment,
                              const Components& values) const {
  std::vector<Value*> arguments = {entry.frame()};
  arguments.insert(arguments.end(), segment.begin(), segment.end());
  arguments.push_back(handed_over(entry, values));
  entry.b.ir.CreateCall(finish_, arguments);
}

// ---- entry points ------------------------------------------------------------------------------

Value* segment_word(EntryBuilder& entry, SegmentWord which) {
  return entry.number(static_cast<unsigned>(which));
}

std::vector<std::uint64_t> segment_words(std::int64_t segments, std::int64_t inner,
                                         std::int64_t totals_of_segment,
                                         std::int64_t totals_in_one) {
  const auto divisor = static_cast<std::uint64_t>(inner);
  return {static_cast<std::uint64_t>(segments), divisor, UINT64_MAX / divisor + 1,
          static_cast<std::uint64_t>(totals_of_segment), static_cast<std::uint64_t>(totals_in_one)};
}

SegmentIndices segment_indices(EntryBuilder& entry, std::size_t rank, Value* segment) {
  if (rank == 1) return {segment};
  LaneBuilder& b = entry.b;
  Value* const inner = segment_word(entry, SegmentWord::Inner);
  // (The quotient of numbers below 2^32, by 2^64 / inner, rounded up.)
  llvm::Type* const wide = b.ir.getInt128Ty();
  Value* const product =
      b.ir.CreateMul(b.ir.CreateZExt(segment, wide),
                     b.ir.CreateZExt(segment_word(entry, SegmentWord::Reciprocal), wide));
  Value* const high = b.ir.CreateTrunc(b.ir.CreateLShr(product, 64), b.ir.getInt64Ty());
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
