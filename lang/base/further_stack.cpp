#include "lang/base/further_stack.h"

#include <exception>
#include <new>
#include <system_error>
#include <thread>

namespace sinter {

void on_further_stack(const std::function<void()>& action) {
  std::exception_ptr error;
  std::thread thread;
  try {
    thread = std::thread([&] {
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
