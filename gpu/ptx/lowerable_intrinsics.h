// Which of LLVM's intrinsic functions there is PTX for.
#pragma once

#include <optional>
#include <string>

namespace llvm {
class IntrinsicInst;
} // namespace llvm

namespace sinter::gpu {

/// Why there is no PTX for the call, or nothing.
std::optional<std::string> refuses_intrinsic(const llvm::IntrinsicInst& call);

} // namespace sinter::gpu
