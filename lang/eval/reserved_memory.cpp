#include "lang/eval/reserved_memory.h"

#include "lang/base/address_space.h"
#include "lang/base/runtime_error.h"

#include <algorithm>

#include <sys/mman.h>

namespace sinter::eval {

namespace {
constexpr std::size_t guard_bytes = 1 << 16;

/// Where addresses are short (`ulimit -v`), most are left for others.
std::size_t fair_share(std::size_t bytes) {
  constexpr std::size_t share = 16, page = 1 << 16;
  const std::optional<std::size_t> all = address_limit();
  return all ? std::min(bytes, *all / share / page * page) : bytes;
}
} // namespace

ReservedMemory::ReservedMemory(std::size_t bytes, std::size_t least) {
  for (bytes = std::max(fair_share(bytes), least); bytes >= least; bytes /= 2) {
    void* range = mmap(nullptr, bytes + 2 * guard_bytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range == MAP_FAILED) continue;
    std::byte* inside = static_cast<std::byte*>(range) + guard_bytes;
    if (mprotect(inside, bytes, PROT_READ | PROT_WRITE) == 0) {
      begin_ = inside;
      bytes_ = bytes;
      return;
    }
    munmap(range, bytes + 2 * guard_bytes);
  }
  throw RuntimeError(FailureKind::OutOfMemory, "no memory for the evaluator's stack");
}

ReservedMemory::~ReservedMemory() {
  munmap(begin_ - guard_bytes, bytes_ + 2 * guard_bytes);
}

} // namespace sinter::eval
