// What there is no PTX for.
#pragma once

#include <optional>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace sinter::gpu {

/// Why the module has no PTX, in words, or nothing.  LLVM ends the process where it cannot select
/// an instruction, so that all that it may be given is listed here: what is not known is refused.
/// Takes modules of kernels before and after their abstract functions are replaced.
std::optional<std::string> not_lowerable(const llvm::Module& module);

} // namespace sinter::gpu
