// What the evaluator offers as targets of tracing, and what is worth being looked at.
#pragma once

#include "jit/trace/trace.h"
#include "lang/eval/accelerator.h"

#include <cstddef>
#include <unordered_map>

namespace sinter::jit {

/// A loop as a target, with what its body and condition read from outside.
struct LoopInputs {
  LoopTarget target;
  std::vector<const Representation*> slot_types;    ///< of `target.free_slots`
  std::vector<const Representation*> capture_types; ///< of `target.free_captures`
};
LoopInputs loop_inputs(const core::Expr& loop, std::size_t frame_size);
OperationTarget operation_target(primitives::ArrayOperation operation,
                                 const eval::Site<Concrete>& site, std::size_t argument_count);

/// Finds out which functions have array operations or loops inside, or call what has: the others
/// are never worth a launch of their own.
class WorkFinder {
public:
  bool has_work(const core::Function& function);

private:
  bool search(const core::Expr& expr);
  std::unordered_map<const core::Function*, bool> known_;
};

/// "map", "reduce", … as the language's intrinsics are called.
std::string_view name(primitives::ArrayOperation operation);

} // namespace sinter::jit
