#include "gpu/ptx/lowerable_intrinsics.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace sinter::gpu {

namespace {

/// What an intrinsic's operands and result may be.
enum class Accepted : std::uint8_t {
  Nothing,
  Anything,
  Integers, ///< up to 64 bits
  Floats,
};

Accepted accepted(llvm::Intrinsic::ID id) {
  namespace Intrinsic = llvm::Intrinsic;
  switch (id) {
  // What says something to passes alone.
  case Intrinsic::assume:
  case Intrinsic::expect:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::invariant_start:
  case Intrinsic::invariant_end:
  case Intrinsic::sideeffect:
  case Intrinsic::donothing:
  case Intrinsic::prefetch: // removed
  case Intrinsic::dbg_declare:
  case Intrinsic::dbg_value:
  case Intrinsic::dbg_label:
  case Intrinsic::dbg_assign:
  // What is made into loads, stores and branches.
  case Intrinsic::memcpy:
  case Intrinsic::memmove:
  case Intrinsic::memset:
  case Intrinsic::masked_load:
  case Intrinsic::masked_store:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_expandload:
  case Intrinsic::masked_compressstore:
  // What abstract functions become.
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
  case Intrinsic::nvvm_barrier0:
  case Intrinsic::nvvm_shfl_sync_idx_i32:
  case Intrinsic::nvvm_shfl_sync_down_i32:
  case Intrinsic::nvvm_shfl_sync_up_i32:
  case Intrinsic::nvvm_shfl_sync_bfly_i32:
  case Intrinsic::nvvm_vote_ballot_sync:
    return Accepted::Anything;
  case Intrinsic::abs:
  case Intrinsic::bitreverse:
  case Intrinsic::bswap:
  case Intrinsic::ctlz:
  case Intrinsic::ctpop:
  case Intrinsic::cttz:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::scmp:
  case Intrinsic::ucmp:
  case Intrinsic::smax:
  case Intrinsic::smin:
  case Intrinsic::umax:
  case Intrinsic::umin:
  case Intrinsic::sadd_sat:
  case Intrinsic::ssub_sat:
  case Intrinsic::uadd_sat:
  case Intrinsic::usub_sat:
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::umul_with_overflow:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::vector_reduce_add:
  case Intrinsic::vector_reduce_and:
  case Intrinsic::vector_reduce_mul:
  case Intrinsic::vector_reduce_or:
  case Intrinsic::vector_reduce_smax:
  case Intrinsic::vector_reduce_smin:
  case Intrinsic::vector_reduce_umax:
  case Intrinsic::vector_reduce_umin:
  case Intrinsic::vector_reduce_xor:
    return Accepted::Integers;
  case Intrinsic::ceil:
  case Intrinsic::copysign:
  case Intrinsic::fabs:
  case Intrinsic::floor:
  case Intrinsic::fma:
  case Intrinsic::is_fpclass:
  case Intrinsic::maximum:
  case Intrinsic::maxnum: // (if the sign of zeros does not matter)
  case Intrinsic::minimum:
  case Intrinsic::minnum:
  case Intrinsic::nearbyint:
  case Intrinsic::rint:
  case Intrinsic::roundeven:
  case Intrinsic::sqrt:
  case Intrinsic::trunc:
    return Accepted::Floats;
  default:
    return Accepted::Nothing;
  }
}

bool is_accepted(const llvm::Type& type, Accepted accepted) {
  if (const auto* structure = llvm::dyn_cast<llvm::StructType>(&type))
    return llvm::all_of(structure->elements(),
                        [&](const llvm::Type* field) { return is_accepted(*field, accepted); });
  if (type.isIntOrIntVectorTy()) return type.getScalarSizeInBits() <= 64;
  return accepted == Accepted::Floats && type.isFPOrFPVectorTy();
}

} // namespace

std::optional<std::string> refuses_intrinsic(const llvm::IntrinsicInst& call) {
  const std::string name = "`" + call.getCalledFunction()->getName().str() + "`";
  const Accepted what = accepted(call.getIntrinsicID());
  if (what == Accepted::Nothing) return name + ", for which a device has no instruction";
  if (what == Accepted::Anything) return std::nullopt;
  bool is_all_accepted = is_accepted(*call.getType(), what);
  for (const llvm::Use& argument : call.args())
    is_all_accepted = is_all_accepted && is_accepted(*argument->getType(), what);
  if (!is_all_accepted) return name + ", for which a device has no instruction";
  return std::nullopt;
}

} // namespace sinter::gpu
