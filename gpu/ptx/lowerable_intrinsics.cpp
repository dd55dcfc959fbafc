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

namespace Intrinsic = llvm::Intrinsic;

constexpr Intrinsic::ID of_anything[] = {
    // What says something to passes alone.
    Intrinsic::assume,
    Intrinsic::expect,
    Intrinsic::experimental_noalias_scope_decl,
    Intrinsic::lifetime_start,
    Intrinsic::lifetime_end,
    Intrinsic::invariant_start,
    Intrinsic::invariant_end,
    Intrinsic::sideeffect,
    Intrinsic::donothing,
    Intrinsic::prefetch, // removed
    Intrinsic::dbg_declare,
    Intrinsic::dbg_value,
    Intrinsic::dbg_label,
    Intrinsic::dbg_assign,
    // What is made into loads, stores and branches.
    Intrinsic::memcpy,
    Intrinsic::memmove,
    Intrinsic::memset,
    Intrinsic::masked_load,
    Intrinsic::masked_store,
    Intrinsic::masked_gather,
    Intrinsic::masked_scatter,
    Intrinsic::masked_expandload,
    Intrinsic::masked_compressstore,
    // What abstract functions become.
    Intrinsic::nvvm_read_ptx_sreg_tid_x,
    Intrinsic::nvvm_read_ptx_sreg_ntid_x,
    Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
    Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
    Intrinsic::nvvm_read_ptx_sreg_ctaid_z,
    Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
    Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
    Intrinsic::nvvm_read_ptx_sreg_nctaid_z,
    Intrinsic::nvvm_barrier0,
    Intrinsic::nvvm_shfl_sync_idx_i32,
    Intrinsic::nvvm_shfl_sync_down_i32,
    Intrinsic::nvvm_shfl_sync_up_i32,
    Intrinsic::nvvm_shfl_sync_bfly_i32,
    Intrinsic::nvvm_vote_ballot_sync,
};
constexpr Intrinsic::ID of_integers[] = {
    Intrinsic::abs,
    Intrinsic::bitreverse,
    Intrinsic::bswap,
    Intrinsic::ctlz,
    Intrinsic::ctpop,
    Intrinsic::cttz,
    Intrinsic::fshl,
    Intrinsic::fshr,
    Intrinsic::scmp,
    Intrinsic::ucmp,
    Intrinsic::smax,
    Intrinsic::smin,
    Intrinsic::umax,
    Intrinsic::umin,
    Intrinsic::sadd_sat,
    Intrinsic::ssub_sat,
    Intrinsic::uadd_sat,
    Intrinsic::usub_sat,
    Intrinsic::sadd_with_overflow,
    Intrinsic::smul_with_overflow,
    Intrinsic::ssub_with_overflow,
    Intrinsic::uadd_with_overflow,
    Intrinsic::umul_with_overflow,
    Intrinsic::usub_with_overflow,
    Intrinsic::vector_reduce_add,
    Intrinsic::vector_reduce_and,
    Intrinsic::vector_reduce_mul,
    Intrinsic::vector_reduce_or,
    Intrinsic::vector_reduce_smax,
    Intrinsic::vector_reduce_smin,
    Intrinsic::vector_reduce_umax,
    Intrinsic::vector_reduce_umin,
    Intrinsic::vector_reduce_xor,
};
constexpr Intrinsic::ID of_floats[] = {
    Intrinsic::ceil,      Intrinsic::copysign,   Intrinsic::fabs,      Intrinsic::floor,
    Intrinsic::fma,       Intrinsic::is_fpclass, Intrinsic::maximum,
    Intrinsic::maxnum, // (if the sign of zeros does not matter)
    Intrinsic::minimum,   Intrinsic::minnum,     Intrinsic::nearbyint, Intrinsic::rint,
    Intrinsic::roundeven, Intrinsic::sqrt,       Intrinsic::trunc,
};

Accepted accepted(Intrinsic::ID id) {
  if (llvm::is_contained(of_anything, id)) return Accepted::Anything;
  if (llvm::is_contained(of_integers, id)) return Accepted::Integers;
  if (llvm::is_contained(of_floats, id)) return Accepted::Floats;
  return Accepted::Nothing;
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
