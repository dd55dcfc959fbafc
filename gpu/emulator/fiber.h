// Contexts that a thread of the host runs in turn: one for each thread of a kernel.
#pragma once

#include <cstddef>

namespace sinter::gpu {

/// A place to run code on a stack of its own.  It is never unwound: what runs there may be left for
/// ever at any switch, so nothing that owns something may live across one.
class Fiber {
public:
  /// Of the code that is running now: to come back to.
  Fiber() = default;
  /// With a stack of so many bytes, and a page below that cannot be touched.  `colour` moves the
  /// stack's top a little, so that fibers' hot lines do not meet in the caches.  Throws
  /// std::bad_alloc.
  Fiber(std::size_t stack_bytes, unsigned colour);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// The next switch to it calls the function, which must never return.
  void prepare(void (*function)(void*), void* argument);
  /// Switches from this one, which is running, to that; returns when somebody switches back.
  void switch_to(Fiber& other) { jump(other, false); }
  /// The same, but nobody will switch back before `prepare`.
  [[noreturn]] void leave_to(Fiber& other);

  const std::byte* low() const { return low_; }
  const std::byte* high() const { return high_; }

private:
  struct Jump;
  static void enter(void* jump);
  void jump(Fiber& other, bool is_last);
  void arrive(const Jump& jump);

  void* context_ = nullptr;
  std::byte *low_ = nullptr, *high_ = nullptr; ///< of the stack; null until known
  std::byte* mapping_ = nullptr;
  std::size_t mapping_bytes_ = 0, offset_ = 0;
  void (*function_)(void*) = nullptr;
  void* argument_ = nullptr;
  void* sanitizer_stack_ = nullptr; ///< of the address sanitizer, while not running
  void* sanitizer_fiber_ = nullptr; ///< the thread sanitizer's name for it
};

} // namespace sinter::gpu
