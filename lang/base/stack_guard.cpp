#include "lang/base/stack_guard.h"

#include <pthread.h>

#include <cstddef>

namespace sinter {

namespace {

/// The address below which a stack that begins here is low; null if nothing is known of it.
const char* find_limit() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return nullptr;
  void* lowest = nullptr;
  std::size_t size = 0;
  const bool is_known = pthread_attr_getstack(&attributes, &lowest, &size) == 0;
  pthread_attr_destroy(&attributes);
  return is_known ? static_cast<const char*>(lowest) + size / 2 : nullptr;
}

} // namespace

bool stack_is_low() {
  thread_local const char* const limit = find_limit();
  return static_cast<const char*>(__builtin_frame_address(0)) < limit;
}

} // namespace sinter
