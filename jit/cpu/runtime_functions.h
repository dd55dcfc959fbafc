// Functions that generated code calls on the processor.  (The engine makes them known.)
#pragma once

#include "jit/emit/kernel_abi.h"

#include <atomic>
#include <cstdint>

namespace sinter::jit {

/// The least failing index and its site; updated under a spin lock by `note_failure`.
struct FailureNote {
  std::atomic<std::uint32_t> lock{0};
  std::int64_t index = INT64_MAX;
  std::uint32_t site = 0;
  bool is_set = false;
};

extern "C" {
/// 64-byte-aligned scratch of the calling thread; null if the memory limit is reached.  Freed by
/// `sinter_arena_release` to a mark taken by `sinter_arena_mark`: bodies mark and release around
/// each iteration that allocates.
void* sinter_arena_allocate(void* arena, std::int64_t bytes);
std::int64_t sinter_arena_mark(void* arena);
void sinter_arena_release(void* arena, std::int64_t mark);
void sinter_note_failure(FailureNote* note, std::int64_t index, std::uint32_t site);
}

} // namespace sinter::jit
