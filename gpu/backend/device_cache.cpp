#include "gpu/backend/device_cache.h"

#include "gpu/backend/errors.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace sinter::gpu {

DeviceBlock::~DeviceBlock() {
  if (address_ == 0) return;
  try {
    device_->release(address_);
  } catch (const DeviceError& error) {
    // A device that is gone has nothing to release; what else there may be is our own fault.
    if (error.kind == DeviceError::Kind::Violation) std::terminate();
  }
}

DeviceBlock DeviceCache::allocate(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  std::vector<Buffer*> stay;
  for (;;) {
    const DeviceAddress address =
        on_device([&] { return device_.allocate(std::max<std::size_t>(bytes, 1)); });
    if (address != 0) return {device_, address};
    if (bytes > device_.facts().memory_bytes || !evict_one(stay)) throw DeviceFull();
  }
}

/// The one that was used least recently, but for those that have to stay.
bool DeviceCache::evict_one(std::vector<Buffer*>& stay) {
  auto oldest = copies_.end();
  for (auto copy = copies_.begin(); copy != copies_.end(); ++copy) {
    if (copy->second.pins > 0 || std::ranges::find(stay, copy->first) != stay.end()) continue;
    if (oldest == copies_.end() || copy->second.last_use < oldest->second.last_use) oldest = copy;
  }
  if (oldest == copies_.end()) return false;
  Buffer* const buffer = oldest->first;
  bool has_left = false;
  try {
    has_left = buffer->return_from(*this);
  } catch (const RuntimeError&) {
    // The host has no room for it.
  }
  if (has_left) {
    copies_.erase(buffer);
    ++evictions_;
  } else {
    stay.push_back(buffer);
  }
  return true;
}

DeviceAddress DeviceCache::pin(Buffer& buffer, Copy& copy, Pins& pins) {
  pins.pinned_.push_back({&buffer, copy.number});
  ++copy.pins;
  copy.last_use = ++uses_;
  return copy.block.address();
}

DeviceAddress DeviceCache::add(Buffer& buffer, DeviceBlock block, Pins& pins) {
  Copy& copy = copies_[&buffer];
  copy.block = std::move(block);
  copy.number = ++made_;
  knowing_.insert(&buffer);
  return pin(buffer, copy, pins);
}

void DeviceCache::unpin(const std::vector<Pinned>& pinned) noexcept {
  const std::lock_guard lock(mutex_);
  for (const auto& [buffer, number] : pinned)
    if (const auto found = copies_.find(buffer);
        found != copies_.end() && found->second.number == number)
      --found->second.pins;
}

void DeviceCache::erase(Buffer& buffer) noexcept {
  std::shared_ptr<void> owner; // goes last, and perhaps this with it
  const std::lock_guard lock(mutex_);
  copies_.erase(&buffer);
  knowing_.erase(&buffer);
  if (knowing_.empty()) owner = std::move(owner_);
}

void DeviceCache::keep_until_forgotten(std::shared_ptr<void> owner) {
  const std::lock_guard lock(mutex_);
  if (!knowing_.empty()) owner_ = std::move(owner);
}

std::optional<DeviceAddress> DeviceCache::find(Buffer& buffer, Pins& pins) {
  const std::lock_guard lock(mutex_);
  const auto found = copies_.find(&buffer);
  if (found == copies_.end()) return std::nullopt;
  if (device_.is_lost() && buffer.is_here()) return std::nullopt; // what is here is all there is
  return pin(buffer, found->second, pins);
}

DeviceAddress DeviceCache::hold(Buffer& buffer, Pins& pins) {
  for (;;) {
    if (const std::optional<DeviceAddress> there = find(buffer, pins)) return *there;
    if (device_.is_lost()) rethrow(DeviceError(DeviceError::Kind::Lost, "it is lost"));
    // (Without the lock: another thread may be fetching the buffer.)
    const std::byte* const contents = buffer.contents();
    DeviceAddress address = 0;
    {
      const std::lock_guard lock(mutex_);
      if (copies_.contains(&buffer)) continue;
      DeviceBlock block = allocate(buffer.bytes());
      on_device([&] { device_.copy_in(block.address(), {contents, buffer.bytes()}); });
      transferred_bytes_ += buffer.bytes();
      address = add(buffer, std::move(block), pins);
    }
    try {
      buffer.share_with(*this);
    } catch (...) {
      erase(buffer); // nobody would tell us of its end
      throw;
    }
    return address;
  }
}

BufferRef DeviceCache::make(MemoryBudget& budget, std::size_t bytes, Pins& pins) {
  DeviceBlock block = allocate(bytes);
  BufferRef buffer = Buffer::allocate_elsewhere(budget, bytes, *this);
  const std::lock_guard lock(mutex_);
  add(*buffer.get(), std::move(block), pins);
  return buffer;
}

void DeviceCache::fetch(Buffer& buffer, std::byte* target) {
  before_reading_();
  const std::lock_guard lock(mutex_);
  const DeviceAddress address = copies_.at(&buffer).block.address();
  on_device_only([&] { device_.copy_out({target, buffer.bytes()}, address); });
  transferred_bytes_ += buffer.bytes();
}

std::size_t DeviceCache::count() const {
  const std::lock_guard lock(mutex_);
  return copies_.size();
}

} // namespace sinter::gpu
