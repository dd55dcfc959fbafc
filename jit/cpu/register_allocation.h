// LLVM asks an option of the process how registers are allocated, whichever target they are of.
#pragma once

#include <mutex>

namespace sinter::jit {

/// Lives while a target's passes are added: how these allocate registers.  Others who add passes
/// wait meanwhile.
class RegisterAllocation {
public:
  enum class Kind {
    WholeFunctions, ///< numbers stay in registers: twice as fast where they are many
    Blocks,         ///< numbers are in memory between blocks: code is made at once
  };
  explicit RegisterAllocation(Kind kind);

private:
  std::lock_guard<std::mutex> of_the_option_;
};

} // namespace sinter::jit
