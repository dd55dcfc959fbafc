#include "gpu/emulator/fiber.h"

#include <new>

#include <boost/context/detail/fcontext.hpp>
#include <sys/mman.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace sinter::gpu {

namespace fibers = boost::context::detail;

/// What the one that leaves tells the one that goes on; it lies on the stack of the first.
struct Fiber::Jump {
  Fiber* from;
  Fiber* to;
};

Fiber::Fiber(std::size_t stack_bytes, unsigned colour) {
  constexpr std::size_t page = 4096;
  offset_ = colour % 16 * 192;
  mapping_bytes_ = (stack_bytes + page - 1) / page * page + 2 * page;
  void* const mapping = mmap(nullptr, mapping_bytes_, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  mapping_ = static_cast<std::byte*>(mapping);
  if (mprotect(mapping_, page, PROT_NONE) != 0) {
    munmap(mapping_, mapping_bytes_);
    throw std::bad_alloc();
  }
  low_ = mapping_ + page;
  high_ = mapping_ + mapping_bytes_ - offset_;
}

Fiber::~Fiber() {
#ifdef __SANITIZE_ADDRESS__
  if (mapping_) __asan_unpoison_memory_region(low_, static_cast<std::size_t>(high_ - low_));
#endif
#ifdef __SANITIZE_THREAD__
  if (mapping_ && sanitizer_fiber_) __tsan_destroy_fiber(sanitizer_fiber_);
#endif
  if (mapping_) munmap(mapping_, mapping_bytes_);
}

void Fiber::prepare(void (*function)(void*), void* argument) {
  function_ = function;
  argument_ = argument;
#ifdef __SANITIZE_ADDRESS__
  // What ran here before may have been left in the middle of its frames.
  __asan_unpoison_memory_region(low_, static_cast<std::size_t>(high_ - low_));
  sanitizer_stack_ = nullptr;
#endif
#ifdef __SANITIZE_THREAD__
  if (sanitizer_fiber_) __tsan_destroy_fiber(sanitizer_fiber_);
  sanitizer_fiber_ = __tsan_create_fiber(0);
#endif
  context_ = fibers::make_fcontext(high_, static_cast<std::size_t>(high_ - low_),
                                   [](fibers::transfer_t transfer) {
                                     Jump& jump = *static_cast<Jump*>(transfer.data);
                                     jump.from->context_ = transfer.fctx;
                                     enter(&jump);
                                   });
}

void Fiber::enter(void* argument) {
  const Jump& jump = *static_cast<Jump*>(argument);
  Fiber& self = *jump.to;
  self.arrive(jump);
  self.function_(self.argument_);
  __builtin_unreachable();
}

void Fiber::jump(Fiber& other, [[maybe_unused]] bool is_last) {
  Jump leaving{this, &other};
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(is_last ? nullptr : &sanitizer_stack_, other.low_,
                                 static_cast<std::size_t>(other.high_ - other.low_));
#endif
#ifdef __SANITIZE_THREAD__
  if (!mapping_) sanitizer_fiber_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(other.sanitizer_fiber_, 0);
#endif
  const fibers::transfer_t transfer = fibers::jump_fcontext(other.context_, &leaving);
  const Jump& arriving = *static_cast<const Jump*>(transfer.data);
  arriving.from->context_ = transfer.fctx;
  arrive(arriving);
}

void Fiber::leave_to(Fiber& other) {
  jump(other, true);
  __builtin_unreachable();
}

void Fiber::arrive([[maybe_unused]] const Jump& jump) {
#ifdef __SANITIZE_ADDRESS__
  const void* low = nullptr;
  std::size_t bytes = 0;
  __sanitizer_finish_switch_fiber(sanitizer_stack_, &low, &bytes);
  if (!jump.from->mapping_) { // only now it is known where the host's stack lies
    jump.from->low_ = static_cast<std::byte*>(const_cast<void*>(low));
    jump.from->high_ = jump.from->low_ + bytes;
  }
#endif
}

} // namespace sinter::gpu
