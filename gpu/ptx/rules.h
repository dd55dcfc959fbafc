// What PTX from LLVM IR gets wrong if one isn't careful, each rule with the reason for it.
//
// - **Orderings are inline assembly.**  Code generation cannot select atomic loads that acquire,
//   stores that release, or fences, and ends the process; an `atomicrmw` silently loses its
//   ordering.  So what orders memory is assembly from here, and `breaks_rules` refuses the rest.
// - **Words that others change are not restricted.**  A parameter marked `noalias readonly` is
//   loaded through the cache that is not kept coherent, even by a volatile load, which then never
//   sees a change; an atomic load of one ends the process.  `release_polled_words` takes the marks
//   away.
// - **Zeros keep their signs.**  `select` of a comparison with one of its operands becomes `min`
//   or `max`, for which -0 is less than +0, while they compare as equal: `x < 0 ? x : 0` gives -0
//   for -0 (LLVM's issue 93414).  `keep_zero_signs` selects the bits where that shows.
// - **Extrema of small integers are taken in 32 bits.**  NVIDIA's assembler (13.0, for sm_90) makes
//   `max.s16` and a comparison of the result into one instruction over both halves of a register,
//   and has the other half's answer overwrite that of the half that is meant.
//   `widen_small_extrema` leaves nothing that becomes such an instruction.
// - **Nothing is fused but what may be.**  Operations round (`.rn`), and only `contract` on both of
//   them makes a product and a sum into `fma`: `exact_float_options`.  (With FPOpFusion::Fast
//   there would be no `.rn`, and the assembler would fuse.)
// - **Subnormals are not flushed.**  Attributes that say so are taken away (`forget_targets`), and
//   floats are not added atomically: `atom.add.f32` flushes in global memory.  `breaks_rules`
//   refuses that, which has no order either.
// - **One meaning on every target.**  Instructions whose bits LLVM leaves to the target are refused
//   (`minnum`, `fmuladd`, `frem`).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace llvm {
class CallBase;
class Function;
class InlineAsm;
class Instruction;
class LLVMContext;
class Module;
class TargetOptions;
} // namespace llvm

namespace sinter::gpu {

enum class OrderedAccess : std::uint8_t {
  Publish, ///< (address, word): a store after all that the thread wrote or saw before
  Observe, ///< (address): a load before all that follows
  Tell,    ///< (address, word): a store in no order with others
  Hear,    ///< (address): a load likewise
  Fence,   ///< (): what was before is seen before what follows, by all of the device
  Poll,    ///< (address): a load that sees what the host wrote, in no order with others
};

/// The assembly of an access of `bits` (32 or 64; polls: 32; hear: 64).
llvm::InlineAsm* ordering_assembly(llvm::LLVMContext& context, OrderedAccess access, unsigned bits);
/// Whether it is that of an access.
bool is_ordering_assembly(const llvm::InlineAsm& code);
/// Says of a call of the access' assembly what memory it touches.
void restrict_effects(llvm::CallBase& call, OrderedAccess access);

/// Takes `noalias`, `readonly` and the like from parameters of an entry point whose memory volatile
/// or atomic accesses or assembly reach.
void release_polled_words(llvm::Function& entry);

/// Makes selections between a float and another that it is compared with into selections of bits,
/// where they would become a minimum or a maximum with other bits.  Goes after all passes that
/// might make them into selections of floats again.
void keep_zero_signs(llvm::Function& function);

/// Makes minima and maxima of integers of up to 16 bits, selections that code generation would make
/// into such, and what it would do by them (saturating sums and differences, reductions of vectors)
/// into those of 32 bits.  Goes after all passes that might narrow them again.
void widen_small_extrema(llvm::Function& function);

/// Of code generation.
llvm::TargetOptions exact_float_options();

/// Removes what attributes say of processors, floats and denormals from all functions.
void forget_targets(llvm::Module& module);

/// Why the instruction breaks a rule, or nothing.
std::optional<std::string> breaks_rules(const llvm::Instruction& instruction);

} // namespace sinter::gpu
