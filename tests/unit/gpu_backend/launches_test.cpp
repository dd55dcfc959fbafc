// What a launch on a device comes to where something goes wrong, and what happens to memory.
#include "device_place.h"
#include "forwarding_device.h"
#include "jit/ir/parse.h"
#include "jit/runtime/leaf_operations.h"
#include "tests/generate/random.h"
#include "tests/unit/jit_runtime/ir_programs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <thread>

using namespace sinter;
using namespace sinter::test;

namespace {

constexpr std::string_view doubled = R"(fn f(n: i64, xs: [n]i64) -> [n]i64 {
  ys: [n]i64 = soac n (xs) { (i: i64, x: i64)
    y: i64 = add x x
    yield y
  } map
  ret ys
})";

Leaf numbers(MemoryBudget& memory, std::int64_t count) {
  Leaf leaf = jit::allocate_leaf(memory, ElementType::I64, {count});
  std::byte* const data = leaf.buffer->overwrite();
  for (std::int64_t i = 0; i < count; ++i)
    store_scalar(ElementType::I64, data, i, Scalar::of(i));
  return leaf;
}

std::int64_t number_at(const Leaf& leaf, std::int64_t i) {
  return load_scalar(ElementType::I64, leaf.buffer->contents(), i).as<std::int64_t>();
}

std::vector<jit::Datum> results_of(jit::Outcome outcome) {
  if (const auto* stopped = std::get_if<jit::Stopped>(&outcome))
    REQUIRE_MESSAGE(false, stopped->words);
  return std::get<std::vector<jit::Datum>>(std::move(outcome));
}

/// Its launches fail.
class BrokenDevice final : public ForwardingDevice {
public:
  explicit BrokenDevice(gpu::DeviceError::Kind kind)
      : ForwardingDevice(gpu::make_emulated_device()), kind_(kind) {}
  void launch(const std::shared_ptr<gpu::DeviceCode>&, std::string_view, const gpu::LaunchShape&,
              std::span<const std::uint64_t>) override {
    throw gpu::DeviceError(kind_, "broken");
  }

private:
  gpu::DeviceError::Kind kind_;
};

/// It takes its time to copy.
class SlowDevice final : public ForwardingDevice {
public:
  SlowDevice() : ForwardingDevice(gpu::make_emulated_device()) {}
  void copy_in(gpu::DeviceAddress target, std::span<const std::byte> source) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ForwardingDevice::copy_in(target, source);
  }
};

} // namespace

TEST_CASE("of several checks that fail, the one at the least index is told") {
  const DevicePlace emulated({.seed = 5});
  const auto executable = emulated.executable(ir::parse(R"(fn f(n: i64, xs: [n]i64) -> [n]i64 {
  ys: [n]i64 = soac n (xs) { (i: i64, x: i64)
    is_small: bool = lt x 777i64
    check is_small, "large"
    is_other: bool = ne x 776i64
    check is_other, "that one"
    yield x
  } map
  ret ys
})"));
  MemoryBudget memory;
  jit::RunContext context{.memory = &memory};
  for (const std::int64_t first : {0, 1, 3000}) {
    Leaf leaf = numbers(memory, 5000);
    leaf.offset = 777 - first > 0 ? 777 - first : 0;
    std::int64_t index = 776 - leaf.offset;
    std::uint32_t site = 1;
    if (index < 0) index = 0, site = 0;
    leaf.extents = {4000};
    std::vector<jit::Datum> arguments = {Scalar::of(std::int64_t{4000}), leaf};
    const jit::Outcome outcome = executable->run(std::move(arguments), context);
    REQUIRE(std::holds_alternative<jit::Stopped>(outcome));
    const jit::Stopped& stopped = std::get<jit::Stopped>(outcome);
    CHECK(stopped.why == jit::Stopped::Why::Failed);
    CHECK(stopped.site == site);
    CHECK(stopped.first_index == index);
  }
}

TEST_CASE("a kernel that does not end is interrupted") {
  const DevicePlace emulated({}, true);
  const auto executable = emulated.executable(ir::parse(std::string(endless)));
  executable->compile_all();
  MemoryBudget memory;
  InterruptSource interrupt;
  jit::RunContext context{.memory = &memory, .interrupt = &interrupt, .epoch = interrupt.epoch()};
  std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    interrupt.raise(InterruptSource::Reason::Interrupt);
  });
  const jit::Outcome outcome =
      executable->run({Scalar::of(std::int64_t{100}), numbers(memory, 100)}, context);
  REQUIRE(std::holds_alternative<jit::Stopped>(outcome));
  CHECK(std::get<jit::Stopped>(outcome).why == jit::Stopped::Why::Interrupted);
}

TEST_CASE("an interruption that comes before the device has begun is not lost") {
  const auto backend = gpu::make_gpu_backend(
      "slow", gpu::make_queued_device(std::make_unique<SlowDevice>()), host());
  const auto executable = jit::make_executable(
      ir::parse(std::string(endless)),
      {{backend.get(), &host()}, std::make_shared<const jit::PlaceChooser>()}, {});
  executable->compile_all();
  MemoryBudget memory;
  InterruptSource interrupt;
  jit::RunContext context{.memory = &memory, .interrupt = &interrupt, .epoch = interrupt.epoch()};
  std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    interrupt.raise(InterruptSource::Reason::Interrupt);
  });
  const jit::Outcome outcome =
      executable->run({Scalar::of(std::int64_t{100}), numbers(memory, 100)}, context);
  REQUIRE(std::holds_alternative<jit::Stopped>(outcome));
  CHECK(std::get<jit::Stopped>(outcome).why == jit::Stopped::Why::Interrupted);
}

TEST_CASE("what a device has no room for leaves it, and comes back") {
  if (is_gpu_under_test()) return; // it has more memory
  const DevicePlace emulated({.memory_bytes = std::size_t{256} << 10});
  const auto executable = emulated.executable(ir::parse(doubled));
  MemoryBudget memory;
  jit::RunContext context{.memory = &memory};
  constexpr std::int64_t count = 3000, runs = 20; // 24 KB each
  std::vector<Leaf> kept;
  for (std::int64_t run = 0; run < runs; ++run) {
    Leaf leaf = run == 0 ? numbers(memory, count) : kept.back();
    kept.push_back(std::get<Leaf>(
        results_of(executable->run({Scalar::of(count), std::move(leaf)}, context))[0]));
  }
  CHECK(emulated.backend->launches_by_host() == 0);
  CHECK(emulated.backend->evictions() > 0);
  for (std::int64_t run = 0; run < runs; ++run)
    CHECK(number_at(kept[static_cast<std::size_t>(run)], 5) == 5 << (run + 1));
  // One launch alone is too much: the host does it.
  constexpr std::int64_t many = 100'000;
  const auto results =
      results_of(executable->run({Scalar::of(many), numbers(memory, many)}, context));
  CHECK(emulated.backend->launches_by_host() == 1);
  CHECK(number_at(std::get<Leaf>(results[0]), many - 1) == 2 * (many - 1));
  kept.clear();
  CHECK(emulated.backend->copies() == 0);
}

TEST_CASE("regions share what the device has, and nothing is copied that nobody reads here") {
  const DevicePlace emulated;
  const auto first = emulated.executable(ir::parse(doubled));
  const auto second = emulated.executable(ir::parse(doubled));
  MemoryBudget memory;
  jit::RunContext context{.memory = &memory};
  constexpr std::int64_t count = 1000, bytes = 8 * count;
  const Leaf leaf = numbers(memory, count);
  const std::size_t before = memory.in_use();
  const Leaf once = std::get<Leaf>(results_of(first->run({Scalar::of(count), leaf}, context))[0]);
  CHECK(emulated.backend->transferred_bytes() == bytes);
  const Leaf other = std::get<Leaf>(results_of(second->run({Scalar::of(count), leaf}, context))[0]);
  const Leaf twice = std::get<Leaf>(results_of(second->run({Scalar::of(count), once}, context))[0]);
  CHECK(emulated.backend->transferred_bytes() == bytes);
  CHECK(memory.in_use() == before); // results take no memory of the host
  CHECK(emulated.backend->copies() == 4);
  CHECK(number_at(twice, 10) == 40);
  CHECK(number_at(other, 10) == 20);
  CHECK(emulated.backend->transferred_bytes() == 3 * bytes);
}

TEST_CASE("what nobody else has is overwritten where it is") {
  const DevicePlace emulated;
  const auto executable =
      emulated.executable(ir::parse(R"(fn f(n: i64, xs: [n]i64, d: [n]i64) -> [n]i64 {
  e: [n]i64 = soac n (xs) { (i: i64, x: i64)
    j: i64 = sub x 1i64
    yield j, i
  } scatter 1 d
  ret e
})"));
  MemoryBudget memory;
  jit::RunContext context{.memory = &memory};
  constexpr std::int64_t count = 50;
  Leaf target = numbers(memory, count);
  const Buffer* const buffer = target.buffer.get();
  std::vector<jit::Datum> arguments = {Scalar::of(count), numbers(memory, count),
                                       std::move(target)};
  const Leaf alone = std::get<Leaf>(results_of(executable->run(std::move(arguments), context))[0]);
  CHECK(alone.buffer.get() == buffer);
  CHECK(number_at(alone, 3) == 4);
  const Leaf shared = numbers(memory, count);
  const Leaf result = std::get<Leaf>(
      results_of(executable->run({Scalar::of(count), numbers(memory, count), shared}, context))[0]);
  CHECK(number_at(shared, 3) == 3);
  CHECK(number_at(result, 3) == 4);
}

TEST_CASE("a kernel that is wrong is told loudly, and a device that is gone gives its work back") {
  using Kind = gpu::DeviceError::Kind;
  const auto run = [](Kind kind) {
    const auto backend =
        gpu::make_gpu_backend("broken", std::make_unique<BrokenDevice>(kind), host());
    const auto executable = jit::make_executable(
        ir::parse(doubled), {{backend.get(), &host()}, std::make_shared<const jit::PlaceChooser>()},
        {});
    MemoryBudget memory;
    jit::RunContext context{.memory = &memory};
    jit::Outcome outcome =
        executable->run({Scalar::of(std::int64_t{10}), numbers(memory, 10)}, context);
    if (auto* results = std::get_if<std::vector<jit::Datum>>(&outcome)) {
      CHECK(number_at(std::get<Leaf>((*results)[0]), 7) == 14);
      CHECK(backend->launches_by_host() == 1);
      return std::string("host");
    }
    const jit::Stopped& stopped = std::get<jit::Stopped>(outcome);
    CHECK(stopped.words == "the device: broken");
    return std::string(stopped.why == jit::Stopped::Why::Declined ? "declined" : "other");
  };
  CHECK(run(Kind::OutOfMemory) == "host");
  CHECK(run(Kind::Lost) == "declined");
  CHECK(run(Kind::Fault) == "declined");
  CHECK_THROWS_AS(run(Kind::Violation), std::logic_error);
}

TEST_CASE("arrays outlive the backend that made them") {
  MemoryBudget memory;
  std::optional<Leaf> result;
  {
    const DevicePlace emulated;
    const auto executable = emulated.executable(ir::parse(doubled));
    jit::RunContext context{.memory = &memory};
    result = std::get<Leaf>(results_of(
        executable->run({Scalar::of(std::int64_t{10}), numbers(memory, 10)}, context))[0]);
  }
  CHECK(number_at(*result, 4) == 8);
  result.reset();
  CHECK(memory.in_use() == 0);
}

namespace {

/// Each iteration launches twice; nobody but the second launch reads the sum of the first.
constexpr std::string_view normalised = R"(fn f(n: i64, xs: [n]f64) -> [n]f64 {
  r: [n]f64 = for 20i64 (xs) { (k: i64, ys: [n]f64)
    s: f64 = soac n (ys) { (i: i64, y: f64)
      yield y
    } reduce (0f64) { (a: f64, b: f64)
      c: f64 = add a b
      yield c
    }
    zs: [n]f64 = soac n (ys) { (i1: i64, y1: f64)
      q: f64 = div y1 s
      z: f64 = add q 1f64
      yield z
    } map
    yield zs
  }
  ret r
})";

Leaf floats(MemoryBudget& memory, std::int64_t count) {
  Leaf leaf = jit::allocate_leaf(memory, ElementType::F64, {count});
  std::byte* const data = leaf.buffer->overwrite();
  for (std::int64_t i = 0; i < count; ++i)
    store_scalar(ElementType::F64, data, i, Scalar::of(static_cast<double>(i) * 0.1));
  return leaf;
}

} // namespace

TEST_CASE("a loop whose numbers only kernels read waits once") {
  for (const bool is_queued : {false, true}) {
    const DevicePlace emulated({}, is_queued);
    const auto executable = emulated.executable(ir::parse(std::string(normalised)));
    const auto on_host = jit::make_executable(ir::parse(std::string(normalised)), host(), {});
    executable->compile_all();
    MemoryBudget memory;
    const jit::RunContext context{.memory = &memory};
    constexpr std::int64_t count = 1000, bytes = 8 * count;
    const Leaf input = floats(memory, count);
    const Leaf result =
        std::get<Leaf>(results_of(executable->run({Scalar::of(count), input}, context))[0]);
    CHECK(emulated.backend->waits() == 1);
    CHECK(emulated.backend->transferred_bytes() == bytes);
    const Leaf expected =
        std::get<Leaf>(results_of(on_host->run({Scalar::of(count), input}, context))[0]);
    CHECK(std::memcmp(result.buffer->contents(), expected.buffer->contents(), bytes) == 0);
    CHECK(emulated.backend->waits() == 1);
    CHECK(emulated.backend->launches_by_host() == 0);
    CHECK(executable->statistics().kernel_launches == 40);
  }
}

TEST_CASE("of launches that fail, the first is told, and those behind it do nothing") {
  for (const bool is_queued : {false, true}) {
    const DevicePlace emulated({}, is_queued);
    // (The second launch would fail at an earlier index; the third one writes what it is given.)
    const auto executable = emulated.executable(ir::parse(R"(fn f(n: i64, xs: [n]i64) -> [n]i64 {
  ys: [n]i64 = soac n (xs) { (i: i64, x: i64)
    is_small: bool = lt x 700i64
    check is_small, "large"
    yield x
  } map
  s: i64 = soac n (ys) { (i2: i64, y2: i64)
    is_other: bool = lt y2 3i64
    check is_other, "other"
    yield y2
  } reduce commutative (0i64) { (a: i64, b: i64)
    c: i64 = add a b
    yield c
  }
  zs: [n]i64 = soac n (ys) { (i1: i64, y: i64)
    z: i64 = sub y s
    yield z
  } map
  ret zs
})"));
    MemoryBudget memory;
    const jit::RunContext context{.memory = &memory};
    const auto end_of = [&](std::int64_t count) {
      const jit::Outcome outcome =
          executable->run({Scalar::of(count), numbers(memory, count)}, context);
      REQUIRE(std::holds_alternative<jit::Stopped>(outcome));
      const jit::Stopped& stopped = std::get<jit::Stopped>(outcome);
      CHECK(stopped.why == jit::Stopped::Why::Failed);
      return std::pair(stopped.site, *stopped.first_index);
    };
    CHECK(end_of(1000) == std::pair(std::uint32_t{0}, std::int64_t{700}));
    CHECK(end_of(500) == std::pair(std::uint32_t{1}, std::int64_t{3}));
    // What failed says nothing of later runs.
    const Leaf result = std::get<Leaf>(
        results_of(executable->run({Scalar::of(std::int64_t{3}), numbers(memory, 3)}, context))[0]);
    CHECK(number_at(result, 2) == -1);
    CHECK(emulated.backend->copies() == 1);
  }
}

TEST_CASE("a slice that the launch before was to look after is not written where there is none") {
  for (const bool is_queued : {false, true}) {
    const DevicePlace emulated({}, is_queued);
    const auto executable =
        emulated.executable(ir::parse(R"(fn f(n: i64, m: i64, xs: [n]i64) -> [n]i64 {
  ys: [n]i64 = soac n (xs) { (j: i64, x: i64)
    y: i64 = add x 1i64
    yield y
  } map
  zs: [m]i64 = soac m () { (i: i64)
    is_there: bool = lt i n
    check is_there, "nothing there"
    yield i
  } map
  r: [n]i64 = update_slice ys[0i64:1i64] = zs
  ret r
})"));
    MemoryBudget memory;
    const jit::RunContext context{.memory = &memory};
    const auto run = [&](std::int64_t count, std::int64_t written) {
      return executable->run({Scalar::of(count), Scalar::of(written), numbers(memory, count)},
                             context);
    };
    for (const std::int64_t written : {4, 100'000}) {
      const jit::Outcome outcome = run(3, written);
      REQUIRE(std::holds_alternative<jit::Stopped>(outcome));
      CHECK(std::get<jit::Stopped>(outcome).why == jit::Stopped::Why::Failed);
      CHECK(std::get<jit::Stopped>(outcome).first_index == 3);
    }
    CHECK(number_at(std::get<Leaf>(results_of(run(3, 3))[0]), 2) == 2);
  }
}

TEST_CASE("a number that decides a size, or that the host reads, is waited for") {
  const DevicePlace emulated({}, true);
  const auto executable = emulated.executable(ir::parse(R"(fn f(n: i64, xs: [n]i64) -> (i64, i64) {
  s: i64 = soac n (xs) { (i: i64, x: i64)
    yield x
  } reduce commutative (0i64) { (a: i64, b: i64)
    c: i64 = add a b
    yield c
  }
  m: i64 = mod s 10i64
  t: i64 = soac m () { (i2: i64)
    yield i2
  } reduce commutative (0i64) { (a2: i64, b2: i64)
    c2: i64 = add a2 b2
    yield c2
  }
  ret s, t
})"));
  MemoryBudget memory;
  const jit::RunContext context{.memory = &memory};
  const auto results =
      results_of(executable->run({Scalar::of(std::int64_t{4}), numbers(memory, 4)}, context));
  CHECK(std::get<Scalar>(results[0]).as<std::int64_t>() == 6);
  CHECK(std::get<Scalar>(results[1]).as<std::int64_t>() == 15);
  CHECK(emulated.backend->waits() == 2);
}

namespace {

/// What is on a device with room for so many arrays of one size: the ones used last.
class LeastRecentlyUsed {
public:
  explicit LeastRecentlyUsed(std::size_t room) : room_(room) {}
  /// Uses it; `pinned` stays meanwhile.
  void use(std::size_t array, std::optional<std::size_t> pinned = std::nullopt) {
    if (const auto found = std::ranges::find(order_, array); found != order_.end()) {
      order_.erase(found);
    } else if (order_.size() == room_) {
      order_.erase(std::ranges::find_if(order_, [&](std::size_t one) { return one != pinned; }));
      ++evictions_;
    }
    order_.push_back(array);
  }
  std::uint64_t evictions() const { return evictions_; }

private:
  std::size_t room_;
  std::vector<std::size_t> order_; ///< the least recently used one first
  std::uint64_t evictions_ = 0;
};

} // namespace

TEST_CASE("who leaves a small device follows from who was used least recently") {
  if (is_gpu_under_test()) return; // it has more memory
  constexpr std::int64_t count = 16 << 10;
  constexpr std::size_t array_bytes = count * 8, room = 9, arrays = 1000;
  // (More than the sixteen times that a gigabyte is of 64 megabytes.)
  static_assert(arrays > 16 * (room + 1));
  for (const bool is_queued : {false, true}) {
    gpu::EmulationOptions options{.checks = gpu::EmulatedChecks::none()};
    options.memory_bytes = room * array_bytes + array_bytes / 2;
    const DevicePlace emulated(options, is_queued);
    const auto executable = emulated.executable(ir::parse(std::string(doubled)));
    MemoryBudget memory;
    const jit::RunContext context{.memory = &memory};
    LeastRecentlyUsed model(room);
    std::vector<Leaf> kept = {numbers(memory, count)};
    std::vector<std::uint64_t> factors = {1};
    generate::Random random(1);
    for (std::size_t i = 1; i < arrays; ++i) {
      // Mostly one of the last ones, which may be there.
      const std::size_t from = i - 1 - random.below(std::min<std::size_t>(i, 15));
      kept.push_back(
          std::get<Leaf>(results_of(executable->run({Scalar::of(count), kept[from]}, context))[0]));
      factors.push_back(2 * factors[from]);
      model.use(from);
      model.use(i, from);
    }
    CHECK(emulated.backend->launches_by_host() == 0);
    CHECK(emulated.backend->evictions() == model.evictions());
    CHECK(model.evictions() > arrays);
    CHECK(emulated.backend->copies() == room);
    for (std::size_t i = 0; i < arrays; ++i)
      REQUIRE(static_cast<std::uint64_t>(number_at(kept[i], 5)) == 5 * factors[i]);
  }
}

TEST_CASE("runs that fail on a small device leave nothing behind") {
  if (is_gpu_under_test()) return; // it has more memory
  // (The second launch does nothing, and its result has to make room for others before anybody
  // knows that.)
  const DevicePlace emulated({.memory_bytes = std::size_t{256} << 10}, true);
  const auto executable = emulated.executable(ir::parse(R"(fn f(n: i64, xs: [n]i64) -> [n]i64 {
  ys: [n]i64 = soac n (xs) { (i: i64, x: i64)
    is_small: bool = lt x 700i64
    check is_small, "large"
    yield x
  } map
  zs: [n]i64 = for 30i64 (ys) { (k: i64, vs: [n]i64)
    ws: [n]i64 = soac n (vs) { (i1: i64, v: i64)
      w: i64 = add v 1i64
      yield w
    } map
    us: [n]i64 = soac n (ws, ys) { (i2: i64, w1: i64, y1: i64)
      is_right: bool = ne w1 -5i64
      check is_right, "never"
      u: i64 = sub w1 y1
      yield u
    } map
    yield us
  }
  ret zs
})"));
  MemoryBudget memory;
  const jit::RunContext context{.memory = &memory};
  for (int i = 0; i < 3; ++i) {
    const jit::Outcome outcome =
        executable->run({Scalar::of(std::int64_t{7000}), numbers(memory, 7000)}, context);
    REQUIRE(std::holds_alternative<jit::Stopped>(outcome));
    CHECK(std::get<jit::Stopped>(outcome).why == jit::Stopped::Why::Failed);
    CHECK(std::get<jit::Stopped>(outcome).site == 0);
    CHECK(std::get<jit::Stopped>(outcome).first_index == 700);
  }
  CHECK(emulated.backend->copies() == 0);
  CHECK(memory.in_use() == 0);
}
