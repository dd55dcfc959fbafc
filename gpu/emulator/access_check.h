// The checks of one access to memory.
#pragma once

#include "gpu/emulator/kernel_run.h"

#include <cstdint>

namespace sinter::gpu {

/// What code tells of an access: its bytes, and the alignment that its instruction promises, as a
/// power of 2.
constexpr std::uint32_t access_shape(std::uint32_t bytes, std::uint32_t alignment_log2) {
  return (bytes << 8) | alignment_log2;
}

/// The launch stops if the access is a violation; otherwise it is noted.
void check_access(KernelRun& run, Access access, std::uint64_t address, std::uint32_t bytes,
                  std::uint32_t alignment_log2, std::uint32_t site);

/// What code calls for accesses of so many bytes.
using AccessCheck = void (*)(KernelRun* run, std::uint64_t address, std::uint32_t shape,
                             std::uint32_t site);
AccessCheck access_check(Access access, std::uint32_t bytes);

// As code calls them.
/// Any number of bytes.
void check_range(KernelRun* run, std::uint64_t address, std::uint64_t bytes, std::uint32_t writes,
                 std::uint32_t site);
/// An access to the thread's own array, or to a constant one: where that begins, and its bytes.
void check_within(KernelRun* run, std::uint64_t address, std::uint32_t shape, std::uint64_t object,
                  std::uint64_t object_bytes, std::uint32_t site);

} // namespace sinter::gpu
