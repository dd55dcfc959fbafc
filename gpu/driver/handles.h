// What the driver gives and takes back, owned by objects.
#pragma once

#include "gpu/driver/driver.h"

#include <cstddef>
#include <memory>
#include <utility>

namespace sinter::gpu::driver {

/// A device's primary context, which all of the process share; goes with the object.
class PrimaryContext {
public:
  PrimaryContext(std::shared_ptr<const Driver> driver, unsigned number);
  ~PrimaryContext();
  PrimaryContext(const PrimaryContext&) = delete;
  PrimaryContext& operator=(const PrimaryContext&) = delete;

  const Driver& driver() const { return *driver_; }

  /// The context is the calling thread's as long as this lives: nearly all of the driver's
  /// functions need that.
  class Current {
  public:
    explicit Current(const PrimaryContext& context);
    ~Current();
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

  private:
    const Driver& driver_;
  };

  /// Does something that ends well or not, while the context is the thread's if it can be: for what
  /// is given back, of which the driver of a device that is lost may say anything.
  template <typename Work>
  void at_end(Work&& work) const noexcept {
    Context popped = nullptr;
    const bool is_current = (*driver_)->cuCtxPushCurrent(context_) == 0;
    work(*driver_);
    if (is_current) (void)(*driver_)->cuCtxPopCurrent(&popped);
  }

private:
  std::shared_ptr<const Driver> driver_;
  DeviceNumber device_ = 0;
  Context context_ = nullptr;
};

/// Something that goes with the object.
template <typename Handle, auto give_back>
class Owned {
public:
  Owned() = default;
  Owned(const PrimaryContext& context, Handle handle) : context_(&context), handle_(handle) {}
  Owned(Owned&& other) noexcept
      : context_(other.context_), handle_(std::exchange(other.handle_, Handle())) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (!handle_) return;
    context_->at_end([&](const Driver& cu) { (void)(cu.operator->()->*give_back)(handle_); });
  }
  Handle get() const { return handle_; }

private:
  const PrimaryContext* context_ = nullptr;
  Handle handle_ = Handle();
};

using OwnedStream = Owned<Stream, &Functions::cuStreamDestroy>;
using OwnedEvent = Owned<Event, &Functions::cuEventDestroy>;
using OwnedModule = Owned<Module, &Functions::cuModuleUnload>;
using OwnedLinkState = Owned<LinkState, &Functions::cuLinkDestroy>;
/// Memory of the host that the device reads and writes by itself.
using PinnedMemory = Owned<void*, &Functions::cuMemFreeHost>;

/// These throw DeviceError; the context is the thread's.
OwnedStream make_stream(const PrimaryContext& context);
OwnedEvent make_event(const PrimaryContext& context);
PinnedMemory make_pinned(const PrimaryContext& context, std::size_t bytes);

} // namespace sinter::gpu::driver
