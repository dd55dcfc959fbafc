// What generated code calls.

#include "jit/cpu/runtime_functions.h"
#include "jit/cpu/scratch.h"

namespace sinter::jit {

extern "C" {

void* sinter_arena_allocate(void* arena, std::int64_t bytes) {
  return static_cast<ScratchArena*>(arena)->allocate(bytes);
}

std::int64_t sinter_arena_mark(void* arena) {
  return static_cast<ScratchArena*>(arena)->mark();
}

void sinter_arena_release(void* arena, std::int64_t mark) {
  static_cast<ScratchArena*>(arena)->release(mark);
}

void sinter_note_failure(FailureNote* note, std::int64_t index, std::uint32_t site) {
  while (note->lock.exchange(1, std::memory_order_acquire) != 0)
    __builtin_ia32_pause();
  if (!note->is_set || index < note->index) {
    note->index = index;
    note->site = site;
    note->is_set = true;
  }
  note->lock.store(0, std::memory_order_release);
}

} // extern "C"

} // namespace sinter::jit
