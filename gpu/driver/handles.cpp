#include "gpu/driver/handles.h"

namespace sinter::gpu::driver {

PrimaryContext::PrimaryContext(std::shared_ptr<const Driver> driver, unsigned number)
    : driver_(std::move(driver)) {
  const Driver& cu = *driver_;
  cu.check(cu->cuDeviceGet(&device_, static_cast<int>(number)), "cuDeviceGet");
  cu.check(cu->cuDevicePrimaryCtxRetain(&context_, device_), "cuDevicePrimaryCtxRetain");
}

PrimaryContext::~PrimaryContext() {
  (void)(*driver_)->cuDevicePrimaryCtxRelease(device_);
}

PrimaryContext::Current::Current(const PrimaryContext& context) : driver_(context.driver()) {
  driver_.check(driver_->cuCtxPushCurrent(context.context_), "cuCtxPushCurrent");
}

PrimaryContext::Current::~Current() {
  Context popped = nullptr;
  (void)driver_->cuCtxPopCurrent(&popped);
}

OwnedStream make_stream(const PrimaryContext& context) {
  Stream stream = nullptr;
  const Driver& cu = context.driver();
  cu.check(cu->cuStreamCreate(&stream, stream_non_blocking), "cuStreamCreate");
  return {context, stream};
}

OwnedEvent make_event(const PrimaryContext& context) {
  Event event = nullptr;
  const Driver& cu = context.driver();
  cu.check(cu->cuEventCreate(&event, event_without_time), "cuEventCreate");
  return {context, event};
}

PinnedMemory make_pinned(const PrimaryContext& context, std::size_t bytes) {
  void* memory = nullptr;
  const Driver& cu = context.driver();
  cu.check(cu->cuMemHostAlloc(&memory, bytes, 0), "cuMemHostAlloc");
  return {context, memory};
}

} // namespace sinter::gpu::driver
