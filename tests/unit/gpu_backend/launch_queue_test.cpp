// What launches that follow each other know of those before.
#include "gpu/backend/launch_queue.h"
#include "gpu/emulator/emulator.h"
#include "gpu/kernels/control_block.h"
#include "jit/runtime/backend.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

using namespace sinter;

namespace {

struct Queue {
  std::unique_ptr<gpu::Device> device = gpu::make_emulated_device();
  gpu::StopWatch watch{*device};
  gpu::LaunchQueue queue{*device, watch};
  gpu::DeviceAddress control = device->allocate(gpu::LaunchQueue::control_bytes);

  ~Queue() { device->release(control); }
  bool begin(const void* run, bool may_lack_scratch) {
    jit::RunContext context;
    context.run = run;
    return queue.begin(context, control, may_lack_scratch);
  }
  /// As a kernel does.
  void leave(std::size_t field, std::uint64_t word) {
    device->copy_in(control + field, std::as_bytes(std::span(&word, 1)));
  }
};

} // namespace

TEST_CASE("what a launch lacks that must not lack it is no later one's to ask for") {
  Queue launches;
  const int run = 0;
  REQUIRE(launches.begin(&run, false));
  launches.leave(offsetof(gpu::ControlBlock, scratch), 64);
  CHECK_THROWS_AS(launches.begin(&run, true), gpu::DeviceError);
}

TEST_CASE("a launch that may lack scratch memory is told how much") {
  Queue launches;
  const int run = 0;
  REQUIRE(launches.begin(&run, false));
  REQUIRE(launches.begin(&run, true));
  launches.leave(offsetof(gpu::ControlBlock, scratch), 64);
  CHECK(!launches.queue.wait(&run));
  CHECK(launches.queue.wanted_scratch() == 64);
}

TEST_CASE("nothing begins behind a launch that has failed, until its run has been told") {
  for (const bool may_lack_scratch : {false, true}) {
    CAPTURE(may_lack_scratch);
    Queue launches;
    const int run = 0, other = 0;
    REQUIRE(launches.begin(&run, false));
    launches.leave(offsetof(gpu::ControlBlock, failure), gpu::failure_key(7, 3));
    REQUIRE(
        launches.begin(&other, may_lack_scratch)); // of another run: it has nothing to do with it
    CHECK(!launches.begin(&run, may_lack_scratch));
    const std::optional<jit::Stopped> stopped = launches.queue.wait(&run);
    REQUIRE(stopped);
    CHECK(stopped->why == jit::Stopped::Why::Failed);
    CHECK(stopped->site == 3);
    CHECK(stopped->first_index == 7);
    CHECK(launches.begin(&run, may_lack_scratch));
    CHECK(!launches.queue.wait(&run));
    CHECK(!launches.queue.wait(&other));
  }
}

TEST_CASE("steps use two control blocks in turn, and any of both may tell of a failure") {
  for (const std::size_t failing : {0, 1}) {
    CAPTURE(failing);
    Queue launches;
    const int run = 0;
    REQUIRE(launches.begin(&run, false));
    gpu::LaunchQueue::Controls controls = launches.queue.begin_step();
    for (std::size_t step = 0; step < failing; ++step) {
      const gpu::LaunchQueue::Controls next = launches.queue.begin_step();
      CHECK(next.before == controls.own);
      CHECK(next.own == controls.before);
      controls = next;
    }
    launches.leave(controls.own - launches.control + offsetof(gpu::ControlBlock, failure),
                   gpu::failure_key(5, 2));
    const std::optional<jit::Stopped> stopped = launches.queue.wait(&run);
    REQUIRE(stopped);
    CHECK(stopped->site == 2);
    CHECK(stopped->first_index == 5);
  }
}
