#include "gpu/skeletons/segment_functions.h"

#include "jit/emit/frame.h"
#include "jit/emit/kernel_abi.h"
#include "jit/emit/skeletons.h"

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

} // namespace sinter::gpu
