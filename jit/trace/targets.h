// What the evaluator offers as targets of tracing.
#pragma once

#include "jit/trace/trace.h"
#include "lang/eval/accelerator.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace sinter::jit {

/// What code in a frame reads from outside of itself.
struct FrameInputs {
  std::vector<core::Slot> slots;
  std::vector<std::uint32_t> captures;
  std::vector<const Representation*> slot_types, capture_types;
};
/// Of a loop between two iterations: its body and its condition.
FrameInputs loop_inputs(const core::Expr& loop);
FrameInputs expression_inputs(const core::Expr& expr);
OperationTarget operation_target(primitives::ArrayOperation operation,
                                 const eval::Site<Concrete>& site, std::size_t argument_count);

/// "map", "reduce", … as the language's intrinsics are called.
std::string_view name(primitives::ArrayOperation operation);

} // namespace sinter::jit
