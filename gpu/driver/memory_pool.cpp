#include "gpu/driver/memory_pool.h"

#include <bit>

namespace sinter::gpu::driver {

namespace {

/// What pieces have: small ones come in few sizes, large ones waste little.
std::size_t rounded(std::size_t bytes) {
  constexpr std::size_t least = 256, large = std::size_t{1} << 20, step = std::size_t{2} << 20;
  if (bytes <= least) return least;
  if (bytes <= large) return std::bit_ceil(bytes);
  return bytes > SIZE_MAX - step ? bytes : (bytes + step - 1) / step * step;
}

} // namespace

MemoryPool::~MemoryPool() {
  context_.at_end([&](const Driver& cu) {
    for (const auto& [bytes, address] : kept_)
      (void)cu->cuMemFree(address);
    for (const auto& [address, bytes] : used_)
      (void)cu->cuMemFree(address);
  });
}

DeviceAddress MemoryPool::allocate(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const std::size_t wanted = rounded(bytes);
  // (A piece that is a quarter too large does too.)
  if (const auto found = kept_.lower_bound(wanted);
      found != kept_.end() && found->first - wanted <= wanted / 4) {
    const auto [size, address] = *found;
    kept_.erase(found);
    used_.emplace(address, size);
    return address;
  }
  const Driver& cu = context_.driver();
  for (;;) {
    DevicePointer address = 0;
    const Result result = cu->cuMemAlloc(&address, wanted);
    if (result != 0 && kind_of(result) == DeviceError::Kind::OutOfMemory) {
      if (give_back_kept()) continue;
      return 0;
    }
    cu.check(result, "cuMemAlloc");
    used_.emplace(address, wanted);
    return address;
  }
}

bool MemoryPool::give_back_kept() {
  if (kept_.empty()) return false;
  const Driver& cu = context_.driver();
  while (!kept_.empty()) {
    const DeviceAddress address = kept_.begin()->second;
    kept_.erase(kept_.begin());
    cu.check(cu->cuMemFree(address), "cuMemFree");
  }
  return true;
}

void MemoryPool::release(DeviceAddress address) {
  const std::lock_guard lock(mutex_);
  const auto found = used_.find(address);
  if (found == used_.end())
    throw DeviceError(DeviceError::Kind::Violation, "release: nothing begins there");
  kept_.emplace(found->second, address);
  used_.erase(found);
}

} // namespace sinter::gpu::driver
