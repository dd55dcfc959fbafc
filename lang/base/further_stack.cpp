#include "lang/base/further_stack.h"

#include "lang/base/heap.h"
#include "lang/base/interruptible.h"

#include <exception>
#include <new>
#include <system_error>
#include <thread>

namespace sinter {

void on_further_stack(const std::function<void()>& action) {
  std::exception_ptr error;
  std::thread thread;
  HeapWatch* const watch = HeapWatch::here();
  const Interruptible* const interruptible = Interruptible::here();
  try {
    thread = std::thread([&] {
      const HeapWatch::Here heap(watch);
      const Interruptible::OnBehalf caller(interruptible);
      try {
        action();
      } catch (...) {
        error = std::current_exception();
      }
    });
  } catch (const std::system_error&) {
    throw std::bad_alloc();
  }
  thread.join();
  if (error) std::rethrow_exception(error);
}

} // namespace sinter
