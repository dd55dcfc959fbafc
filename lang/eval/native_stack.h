// Runs the walk on a C++ stack of its own, so that deep recursion of the program is an error of the
// program and no crash.
#pragma once

#include "lang/eval/reserved_memory.h"

#include <cstddef>
#include <functional>

namespace sinter::eval {

class NativeStack {
public:
  NativeStack();
  /// Runs `action` on the stack and returns when it has ended; its exception comes out here.
  void run(const std::function<void()>& action);
  /// Below this address the walk must not call on: what is left serves library code and unwinding.
  const std::byte* limit() const { return memory_.begin() + reserve; }

private:
  static constexpr std::size_t reserve = 512 * 1024;
  ReservedMemory memory_;
};

} // namespace sinter::eval
