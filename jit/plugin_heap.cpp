// The plugin's own calls of the C heap, LLVM's among them: from the reserve where the heap has
// nothing.  (The linker leads them here: `--wrap`.  Those by `operator new` are in
// lang/base/heap.cpp.)
//
// What the C library allocates for the plugin, and ends the process if it cannot, is not allocated:
// its thread-locals lie in the room that each thread has from its start, as soon as one of them has
// to.
#include "lang/base/reserve.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include <malloc.h>

using sinter::Reserve;

[[gnu::tls_model("initial-exec")]] static constinit thread_local char in_room_of_thread = 0;

extern "C" {

/// Never called, but always there: it needs the one that has to lie in the room of a thread.
[[gnu::visibility("default")]] char* sinter_thread_locals() {
  return &in_room_of_thread;
}

void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t count, std::size_t size);
void* __real_realloc(void* former, std::size_t size);
void __real_free(void* memory);

void* __wrap_malloc(std::size_t size) {
  void* const memory = __real_malloc(size);
  return memory ? memory : Reserve::take(size, 1);
}

void* __wrap_calloc(std::size_t count, std::size_t size) {
  if (void* const memory = __real_calloc(count, size)) return memory;
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) return nullptr;
  return Reserve::take(bytes, 1); // fresh pages
}

void* __wrap_realloc(void* former, std::size_t size) {
  const bool is_of_reserve = former && Reserve::has(former);
  if (!is_of_reserve)
    if (void* const memory = __real_realloc(former, size)) return memory;
  void* const memory = is_of_reserve ? __wrap_malloc(size) : Reserve::take(size, 1);
  if (!memory || !former) return memory;
  const std::size_t held = is_of_reserve ? Reserve::size_of(former) : malloc_usable_size(former);
  std::memcpy(memory, former, std::min(held, size));
  if (!is_of_reserve) __real_free(former);
  return memory;
}

void __wrap_free(void* memory) {
  if (!memory || !Reserve::has(memory)) __real_free(memory);
}
}
