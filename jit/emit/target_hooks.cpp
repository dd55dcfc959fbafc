#include "jit/emit/target_hooks.h"

#include "jit/emit/lanes.h"

namespace sinter::jit {

using llvm::Value;

Value* TargetHooks::scratch_stride(LaneBuilder&, const FramePointers&) const {
  return nullptr;
}

Value* TargetHooks::compress(LaneBuilder&, Value*, Value*) const {
  __builtin_unreachable(); // the facts say so
}

Value* TargetHooks::pick(LaneBuilder&, Value*, Value*) const {
  __builtin_unreachable(); // the facts say so
}

Value* TargetHooks::scale(LaneBuilder&, Value*, Value*) const {
  __builtin_unreachable(); // the facts say so
}

Value* TargetHooks::exponent(LaneBuilder&, Value*) const {
  __builtin_unreachable(); // the facts say so
}

Value* TargetHooks::significand(LaneBuilder&, Value*) const {
  __builtin_unreachable(); // the facts say so
}

Value* TargetHooks::with_logarithm_poles(LaneBuilder&, Value*, Value*) const {
  __builtin_unreachable(); // the facts say so
}

Value* TargetHooks::extremum(LaneBuilder&, Value*, Value*, bool) const {
  __builtin_unreachable(); // the facts say so
}

void TargetHooks::store_past_caches(LaneBuilder& b, Value* vector, Value* place,
                                    std::uint64_t alignment) const {
  b.ir.CreateAlignedStore(vector, place, llvm::Align(alignment));
}

void TargetHooks::fetch(LaneBuilder&, Value*, Cache) const {}

} // namespace sinter::jit
