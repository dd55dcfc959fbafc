#include "gpu/emulator/device_memory.h"

#include <algorithm>
#include <cstring>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

namespace sinter::gpu {

namespace {

constexpr std::size_t alignment = 256;
constexpr std::size_t gap = 256; ///< behind each allocation, where nothing is

std::size_t rounded(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

[[noreturn]] void violation(std::string_view operation, const std::string& words) {
  throw DeviceError(DeviceError::Kind::Violation, std::string(operation) + ": " + words);
}

} // namespace

DeviceMemory::DeviceMemory(std::size_t bytes, EmulatedChecks checks, bool is_hidden)
    : bytes_(std::max<std::size_t>(rounded(bytes), 1) + gap), checks_(checks),
      is_hidden_(is_hidden) {
  bytes_ = (bytes_ + 4095) / 4096 * 4096;
  if (checks.memory) shadow_.emplace(bytes_, checks.races);
  file_ = memfd_create("device memory", MFD_CLOEXEC);
  if (file_ < 0 || ftruncate(file_, static_cast<off_t>(bytes_)) != 0) throw std::bad_alloc();
  auto map = [&](int protection) {
    void* view = mmap(nullptr, bytes_, protection, MAP_SHARED | MAP_NORESERVE, file_, 0);
    if (view == MAP_FAILED) throw std::bad_alloc();
    return static_cast<std::byte*>(view);
  };
  host_view_ = map(PROT_READ | PROT_WRITE);
  device_view_ = map(is_hidden ? PROT_NONE : PROT_READ | PROT_WRITE);
  add_free(gap, bytes_ - gap);
}

DeviceMemory::~DeviceMemory() {
  munmap(host_view_, bytes_);
  munmap(device_view_, bytes_);
  close(file_);
}

void DeviceMemory::open() {
  if (!is_hidden_ || is_open_) return;
  if (mprotect(device_view_, bytes_, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  is_open_ = true;
}

void DeviceMemory::hide() {
  if (!is_open_) return;
  // (What is in the view's pages stays in the file.  Where pages were touched once, each change of
  // protection would go through all of them.)
  madvise(device_view_, bytes_, MADV_DONTNEED);
  mprotect(device_view_, bytes_, PROT_NONE);
  is_open_ = false;
}

void DeviceMemory::add_free(std::size_t offset, std::size_t room) {
  auto next = free_.lower_bound(offset);
  if (next != free_.end() && next->first == offset + room) {
    room += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto previous = std::prev(next);
    if (previous->first + previous->second == offset) {
      previous->second += room;
      return;
    }
  }
  free_.emplace(offset, room);
}

/// The oldest one's room may be used again.
void DeviceMemory::leave_quarantine() {
  const std::size_t offset = quarantine_.front();
  quarantine_.pop_front();
  const auto found = allocations_.find(offset);
  const Allocation allocation = found->second;
  allocations_.erase(found);
  quarantined_bytes_ -= allocation.room;
  if (shadow_) {
    std::memset(shadow_->states() + offset, 0, allocation.bytes);
    shadow_->forget_accesses(offset, allocation.room);
  }
  add_free(offset, allocation.room);
}

DeviceAddress DeviceMemory::allocate(std::size_t bytes) {
  if (bytes > bytes_) return 0;
  const std::size_t room = rounded(std::max<std::size_t>(bytes, 1)) + gap;
  while (true) {
    const auto found = std::find_if(free_.begin(), free_.end(),
                                    [&](const auto& range) { return range.second >= room; });
    if (found != free_.end()) {
      const auto [offset, free_room] = *found;
      free_.erase(found);
      if (free_room > room) free_.emplace(offset + room, free_room - room);
      allocations_[offset] = {bytes, room, ++count_, false};
      if (shadow_) std::memset(shadow_->states() + offset, byte_living, bytes);
      return base() + offset;
    }
    if (quarantine_.empty()) return 0;
    leave_quarantine();
  }
}

void DeviceMemory::release(DeviceAddress address) {
  const auto found = allocations_.find(address - base());
  if (found == allocations_.end())
    violation("release", "no allocation begins at this address: " + describe(address));
  Allocation& allocation = found->second;
  if (allocation.is_released) violation("release", "released twice: " + describe(address));
  allocation.is_released = true;
  if (shadow_) std::memset(shadow_->states() + found->first, byte_released, allocation.bytes);
  quarantine_.push_back(found->first);
  quarantined_bytes_ += allocation.room;
  while (quarantined_bytes_ > (shadow_ ? bytes_ / 2 : 0) && !quarantine_.empty())
    leave_quarantine();
}

std::vector<Leak> DeviceMemory::leaks() const {
  std::vector<Leak> leaks;
  for (const auto& [offset, allocation] : allocations_)
    if (!allocation.is_released)
      leaks.push_back({base() + offset, allocation.bytes, allocation.number});
  return leaks;
}

std::byte* DeviceMemory::view(DeviceAddress address, std::size_t bytes) const {
  const std::uint64_t offset = address - base();
  if (offset > bytes_ || bytes > bytes_ - offset) return nullptr;
  return host_view_ + offset;
}

std::byte* DeviceMemory::checked(DeviceAddress address, std::size_t bytes,
                                 std::string_view operation) const {
  const std::uint64_t offset = address - base();
  const auto after = offset < bytes_ ? allocations_.upper_bound(offset) : allocations_.begin();
  const std::string size = std::to_string(bytes) + " bytes at ";
  if (after == allocations_.begin())
    violation(operation, "out of bounds: " + size + describe(address));
  const auto& [begin, allocation] = *std::prev(after);
  if (offset - begin > allocation.bytes || bytes > allocation.bytes - (offset - begin))
    violation(operation, "out of bounds: " + size + describe(address));
  if (allocation.is_released)
    violation(operation, "use after release: " + size + describe(address));
  return host_view_ + offset;
}

std::byte* DeviceMemory::read(DeviceAddress address, std::size_t bytes,
                              std::string_view operation) const {
  std::byte* const begin = checked(address, bytes, operation);
  if (shadow_ && checks_.definition) {
    const std::uint8_t* const states = shadow_->states() + (address - base());
    const auto* const undefined = std::find_if(
        states, states + bytes, [](std::uint8_t state) { return (state & byte_defined) == 0; });
    if (undefined != states + bytes)
      violation(operation, "uninitialised: byte " + std::to_string(undefined - states) + " of " +
                               std::to_string(bytes) + " at " + describe(address));
  }
  return begin;
}

std::byte* DeviceMemory::write(DeviceAddress address, std::size_t bytes,
                               std::string_view operation) {
  std::byte* const begin = checked(address, bytes, operation);
  if (shadow_)
    std::memset(shadow_->states() + (address - base()), byte_living | byte_defined, bytes);
  return begin;
}

std::byte* DeviceMemory::write_copy(DeviceAddress target, DeviceAddress source, std::size_t bytes,
                                    std::string_view operation) {
  checked(source, bytes, operation);
  std::byte* const begin = checked(target, bytes, operation);
  if (bytes > 0 && target < source + bytes && source < target + bytes)
    violation(operation, "source and target overlap: " + std::to_string(bytes) + " bytes at " +
                             describe(target));
  if (shadow_)
    std::memcpy(shadow_->states() + (target - base()), shadow_->states() + (source - base()),
                bytes);
  return begin;
}

std::string DeviceMemory::describe(DeviceAddress address) const {
  const std::uint64_t offset = address - base();
  if (offset >= bytes_) return address < 4096 ? "null" : "an address outside of the memory";
  auto describe_from = [&](Allocations::const_iterator allocation, const std::string& place) {
    return place +
           (allocation->second.is_released ? " a released allocation of " : " an allocation of ") +
           std::to_string(allocation->second.bytes) + " bytes (number " +
           std::to_string(allocation->second.number) + ")";
  };
  const auto after = allocations_.upper_bound(offset);
  if (after != allocations_.begin()) {
    const auto before = std::prev(after);
    const std::size_t distance = offset - before->first;
    if (distance < before->second.bytes || distance == 0)
      return describe_from(before, "byte " + std::to_string(distance) + " of");
    if (distance - before->second.bytes < before->second.room || after == allocations_.end())
      return describe_from(before,
                           std::to_string(distance - before->second.bytes) + " bytes behind");
  }
  if (after != allocations_.end())
    return describe_from(after, std::to_string(after->first - offset) + " bytes before");
  return "an address where nothing was allocated";
}

} // namespace sinter::gpu
