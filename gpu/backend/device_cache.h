// Copies of buffers in a device's memory: what is there, what has to leave when room is short.
#pragma once

#include "gpu/device/device.h"
#include "lang/values/buffer.h"
#include "lang/values/elsewhere.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sinter::gpu {

/// Memory of the device that goes with the object.
class DeviceBlock {
public:
  DeviceBlock() = default;
  DeviceBlock(Device& device, DeviceAddress address) : device_(&device), address_(address) {}
  DeviceBlock(DeviceBlock&& other) noexcept
      : device_(other.device_), address_(std::exchange(other.address_, 0)) {}
  DeviceBlock& operator=(DeviceBlock&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(address_, other.address_);
    return *this;
  }
  ~DeviceBlock();
  DeviceAddress address() const { return address_; } ///< 0: there is none

private:
  Device* device_ = nullptr;
  DeviceAddress address_ = 0;
};

/// Has one copy for each buffer, whole; least recently used ones make room for others, and what
/// only the device has is written back before.  Thread-safe.
class DeviceCache final : public Elsewhere {
  /// A copy by its buffer and its number, as another buffer may come to be at that place.
  struct Pinned {
    Buffer* buffer;
    std::uint64_t number;
  };

public:
  /// `before_reading` is called before contents are copied to the host, and may throw RuntimeError:
  /// then they are not.
  DeviceCache(Device& device, std::function<void()> before_reading)
      : device_(device), before_reading_(std::move(before_reading)) {}

  /// Copies that stay where they are as long as this lives, which does not outlive their buffers.
  class Pins {
  public:
    explicit Pins(DeviceCache& cache) : cache_(cache) {}
    ~Pins() { cache_.unpin(pinned_); }
    Pins(const Pins&) = delete;
    Pins& operator=(const Pins&) = delete;

  private:
    friend class DeviceCache;
    DeviceCache& cache_;
    std::vector<Pinned> pinned_;
  };

  /// The buffer's copy; the host's contents are copied if there is none.  Throws DeviceFull, and
  /// RuntimeError as Buffer::contents.
  DeviceAddress hold(Buffer& buffer, Pins& pins);
  /// The copy, if there is one.
  std::optional<DeviceAddress> find(Buffer& buffer, Pins& pins);
  /// A buffer that only the device has, undefined as yet.  Throws DeviceFull.
  BufferRef make(MemoryBudget& budget, std::size_t bytes, Pins& pins);
  /// Room for something else.  Throws DeviceFull.
  DeviceBlock allocate(std::size_t bytes);

  void fetch(Buffer& buffer, std::byte* target) override;
  void invalidate(Buffer& buffer) noexcept override { erase(buffer); }
  void forget(Buffer& buffer) noexcept override { erase(buffer); }

  /// The owner of this is kept until no buffer knows of it any more.
  void keep_until_forgotten(std::shared_ptr<void> owner);

  std::size_t count() const;
  /// Between host and device, so far.
  std::uint64_t transferred_bytes() const { return transferred_bytes_; }
  std::uint64_t evictions() const { return evictions_; }

private:
  struct Copy {
    DeviceBlock block;
    std::uint64_t number = 0, last_use = 0;
    unsigned pins = 0;
  };
  DeviceAddress add(Buffer& buffer, DeviceBlock block, Pins& pins);
  DeviceAddress pin(Buffer& buffer, Copy& copy, Pins& pins);
  void unpin(const std::vector<Pinned>& pinned) noexcept;
  void erase(Buffer& buffer) noexcept;
  bool evict_one(std::vector<Buffer*>& stay);

  Device& device_;
  std::function<void()> before_reading_;
  /// (Writing back what leaves comes in again, by way of its buffer.)
  mutable std::recursive_mutex mutex_;
  std::unordered_map<Buffer*, Copy> copies_;
  /// Those that will tell us of their end; some have no copy any more.
  std::unordered_set<Buffer*> knowing_;
  std::shared_ptr<void> owner_; ///< when nobody else has it
  std::uint64_t uses_ = 0, made_ = 0;
  std::atomic<std::uint64_t> transferred_bytes_{0}, evictions_{0};
};

} // namespace sinter::gpu
