// Pointers whose memory is known.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace sinter::gpu {

/// Makes pointers that come from words or from the device's memory into pointers to the device's
/// memory; for modules that promise that (`promises_global_addresses`).  Their accesses then are
/// `ld.global` and `st.global`, once address spaces have been inferred from these places on.  (Of
/// parameters themselves code generation assumes it anyway.)
///
///   before:  p = inttoptr i64 %word to ptr
///   after:   g = inttoptr i64 %word to ptr addrspace(1); p = addrspacecast g to ptr
void make_addresses_global(llvm::Function& function);

} // namespace sinter::gpu
