// Launches that stand ready: they do what a launch does, or say that it is another one.
#include "jit/ir/parse.h"
#include "jit/runtime/spare_buffers.h"
#include "jit/runtime/standing_launch.h"
#include "tests/unit/jit_cpu_launch/launching.h"
#include "tests/unit/sanitized.h"

#include <bit>
#include <optional>

using namespace sinter;
using namespace sinter::jit;
using namespace sinter::test;

namespace {

/// Elements times a number, their sum, and a check.
constexpr std::string_view scaled = R"(fn f(n: i64, a: f32, xs: [n]f32) -> ([n]f32, f32) {
  ys: [n]f32, s: f32 = soac n (xs) { (i: i64, x: f32)
    c: bool = lt x 1000f32
    check c, "large"
    y: f32 = mul a x
    yield y, y
  } map reduce (0f32) { (b: f32, d: f32)
    e: f32 = add b d
    yield e
  }
  ret ys, s
})";
/// Without a check, and the argument's memory may be the result's.
constexpr std::string_view doubled = R"(fn f(n: i64, xs: [n]f32) -> [n]f32 {
  ys: [n]f32 = soac n (xs) { (i: i64, x: f32)
    y: f32 = add x x
    yield y
  } map
  ret ys
})";

/// Slots of `scaled`, and its launches in both ways.
struct Scaled {
  explicit Scaled(unsigned tier = 2) {
    const ir::Function function = ir::parse(scaled);
    kernel = backend().compile(function, ir::all_dense(3), {.tier = tier});
  }
  void fill(std::int64_t count, float first = 0.25f) {
    n = Scalar::of(count);
    xs = filled(memory, count,
                [&](std::int64_t i) { return first + static_cast<float>(i % 100) * 0.37f; });
  }
  RunContext context(unsigned threads = 1) {
    return {.memory = &memory, .threads = threads, .is_repeated = true};
  }
  LaunchSlots slots(bool is_last = false) {
    return {{{&n, nullptr}, {&a, nullptr}, {nullptr, &xs, is_last}},
            {{nullptr, &ys}, {&sum, nullptr}}};
  }
  /// Whether what is in the slots is what a launch of its own gives.
  void check_against(const Leaf& argument) {
    const std::vector<Datum> expected = results_of(kernel->launch({n, a, argument}, context()));
    const std::span<const float> right = elements<float>(expected[0]), is = elements<float>(ys);
    REQUIRE(is.size() == right.size());
    bool are_equal = true;
    for (std::size_t i = 0; i < is.size(); ++i)
      are_equal = are_equal &&
                  std::bit_cast<std::uint32_t>(is[i]) == std::bit_cast<std::uint32_t>(right[i]);
    CHECK(are_equal);
    CHECK(sum.bits == std::get<Scalar>(expected[1]).bits);
  }

  MemoryBudget memory;
  std::shared_ptr<Kernel> kernel;
  Scalar n = Scalar::of(std::int64_t{0}), a = Scalar::of(1.5f), sum{};
  Leaf xs, ys;
};

} // namespace

TEST_CASE("a standing launch gives what launches give, with what the slots have then") {
  for (const unsigned threads : {1u, 2u})
    for (const std::int64_t n : {1, 10, 1000, 40'001}) {
      CAPTURE(n);
      Scaled it;
      it.fill(n);
      RunContext context = it.context(threads);
      // (A loop that decides for its launches; and they know how long they take.)
      if (threads > 1) {
        context.way = WorkMeter::Way::Alone;
        for (int i = 0; i < 10; ++i)
          (void)it.kernel->launch({it.n, it.a, it.xs}, context);
        context.way = WorkMeter::Way::Together;
      }
      const std::unique_ptr<StandingLaunch> launch = it.kernel->stand(it.slots(), context);
      REQUIRE(launch);
      std::optional<Stopped> stopped;
      for (const float first : {0.25f, -3.0f, 7.5f}) {
        it.fill(n, first);
        it.a = Scalar::of(first + 1);
        CHECK(launch->run(context, stopped));
        CHECK(!stopped);
        it.check_against(it.xs);
      }
    }
}

TEST_CASE("a standing launch says that it is another one") {
  Scaled it(1);
  it.fill(100);
  const RunContext context = it.context();
  const std::unique_ptr<StandingLaunch> launch = it.kernel->stand(it.slots(true), context);
  REQUIRE(launch);
  std::optional<Stopped> stopped;
  const auto is_same = [&](const RunContext& now) {
    const Leaf before = it.xs;
    const bool ran = launch->run(now, stopped);
    // What it has not used stays.
    CHECK((ran || it.xs.buffer.get() == before.buffer.get()));
    it.xs = before;
    return ran;
  };
  CHECK(is_same(context));
  it.fill(101);
  CHECK(!is_same(context));
  it.fill(100);
  CHECK(is_same(context));
  SUBCASE("of a view with other strides") {
    it.fill(200);
    it.n = Scalar::of(std::int64_t{100});
    it.xs.extents[0] = 100;
    CHECK(is_same(context)); // the first half
    it.xs.strides[0] = 2;
    CHECK(!is_same(context));
  }
  SUBCASE("of a part that begins elsewhere: the same") {
    it.fill(200);
    it.n = Scalar::of(std::int64_t{100});
    it.xs.extents[0] = 100;
    it.xs.offset = 57;
    const Leaf part = it.xs;
    CHECK(is_same(context));
    it.check_against(part);
  }
  SUBCASE("where threads share it") {
    RunContext shared = context;
    shared.way = WorkMeter::Way::Together;
    CHECK(!is_same(shared));
  }
  SUBCASE("with other code") {
    it.kernel->promote();
    CHECK(!is_same(context));
    const Leaf argument = it.xs;
    const std::unique_ptr<StandingLaunch> next = it.kernel->stand(it.slots(true), context);
    REQUIRE(next);
    CHECK(next->run(context, stopped));
    it.check_against(argument);
  }
  CHECK(!stopped);
}

TEST_CASE("a standing launch stops as a launch does") {
  Scaled it;
  it.fill(1000);
  InterruptSource interrupt;
  RunContext context = it.context();
  context.interrupt = &interrupt;
  context.epoch = interrupt.epoch();
  const std::unique_ptr<StandingLaunch> launch = it.kernel->stand(it.slots(), context);
  REQUIRE(launch);
  std::optional<Stopped> stopped;
  REQUIRE(launch->run(context, stopped));
  REQUIRE(!stopped);
  SUBCASE("where a check fails: the least index") {
    auto* const data = reinterpret_cast<float*>(it.xs.buffer->overwrite());
    data[777] = data[778] = data[901] = 5000;
    REQUIRE(launch->run(context, stopped));
    REQUIRE(stopped);
    CHECK(stopped->why == Stopped::Why::Failed);
    CHECK(stopped->site == 0);
    CHECK(stopped->first_index == 777);
  }
  SUBCASE("where it is interrupted") {
    interrupt.raise(InterruptSource::Reason::Interrupt);
    REQUIRE(launch->run(context, stopped));
    REQUIRE(stopped);
    CHECK(stopped->why == Stopped::Why::Interrupted);
  }
  SUBCASE("where there is no memory for its results") {
    it.memory.set_limit(it.memory.in_use() + 100);
    REQUIRE(launch->run(context, stopped));
    REQUIRE(stopped);
    CHECK(stopped->why == Stopped::Why::OutOfMemory);
    CHECK(stopped->words.find("the limit is") != std::string::npos);
  }
}

TEST_CASE("a standing launch holds no array, and takes what nobody reads again") {
  MemoryBudget memory;
  const std::int64_t count = 10'000;
  const std::shared_ptr<Kernel> kernel =
      backend().compile(ir::parse(doubled), ir::all_dense(2), {});
  Scalar n = Scalar::of(count);
  Leaf xs = filled(memory, count, [](std::int64_t i) { return static_cast<float>(i); }), ys;
  const std::size_t before = memory.in_use();
  const RunContext context{.memory = &memory, .threads = 1};
  const auto doubles = [&](bool is_last) {
    return kernel->stand({{{&n, nullptr}, {nullptr, &xs, is_last}}, {{nullptr, &ys}}}, context);
  };
  std::optional<Stopped> stopped;
  const std::unique_ptr<StandingLaunch> first = doubles(false), last = doubles(true);
  REQUIRE(first);
  REQUIRE(last);
  CHECK(memory.in_use() == before);
  REQUIRE(first->run(context, stopped));
  CHECK(memory.in_use() > before);
  CHECK(elements<float>(xs)[77] == 77);
  CHECK(elements<float>(ys)[77] == 154);
  ys = {};
  CHECK(memory.in_use() == before);
  // Whose memory nobody else has becomes the result's.
  const std::byte* const data = xs.buffer->contents();
  REQUIRE(last->run(context, stopped));
  CHECK(!xs.buffer);
  CHECK(ys.buffer->contents() == data);
  CHECK(elements<float>(ys)[77] == 154);
  CHECK(memory.in_use() == before);
}

TEST_CASE("where memory is short no launch stands, and loops go on in their arguments' memory") {
  MemoryBudget memory;
  const std::int64_t count = 100'000;
  const std::shared_ptr<Executable> executable =
      compile("fn f(n: i64, xs: [n]f32) -> [n]f32 { rs: [n]f32 = for 20i64 (xs) { (j: i64, vs: "
              "[n]f32) ws: [n]f32 = soac n (vs) { (i: i64, v: f32) w: f32 = mul v 0.5f32 yield w } "
              "map us: [n]f32 = soac n (ws) { (k: i64, x: f32) y: f32 = add x 1f32 yield y } map "
              "yield us } ret rs }");
  Leaf xs = filled(memory, count, [](std::int64_t i) { return static_cast<float>(i % 7); });
  memory.set_limit(memory.in_use() + 1000);
  const RunContext context{.memory = &memory, .threads = 1};
  std::vector<Datum> arguments{Scalar::of(count)};
  arguments.emplace_back(std::move(xs));
  const std::vector<Datum> results = results_of(executable->run(std::move(arguments), context));
  CHECK(elements<float>(results[0])[0] == 2.0f - 0x1p-19f);
}

TEST_CASE("launches that do more between their chunks do not stand") {
  MemoryBudget memory;
  const RunContext context{.memory = &memory, .threads = 1};
  Scalar n = Scalar::of(std::int64_t{10});
  Leaf xs = filled(memory, 10, [](std::int64_t i) { return static_cast<std::int32_t>(i); }), ys;
  for (const std::string_view text :
       {"fn f(n: i64, xs: [n]i32) -> [n]i32 { ys: [n]i32 = soac n (xs) { (i: i64, x: i32) yield x "
        "} scan (0i32) { (a: i32, b: i32) c: i32 = add a b yield c } ret ys }",
        "fn f(n: i64, xs: [n]i32) -> [n]i32 { ys: [n]i32 = soac n () { (i: i64) yield i, 1i32 } "
        "scatter 1 xs ret ys }"}) {
    const ir::Function function = ir::parse(text);
    const std::shared_ptr<Kernel> kernel = backend().compile(function, ir::all_dense(2), {});
    CHECK(!kernel->stand({{{&n, nullptr}, {nullptr, &xs}}, {{nullptr, &ys}}}, context));
  }
}

TEST_CASE("loops whose launches stand: other sizes on the way, and every launch is counted") {
  // Both kernels are launched m times with n elements, then with others.
  constexpr std::string_view text = R"(fn f(n: i64, m: i64) -> f32 {
  r: f32 = for 6i64 (1f32) { (t: i64, r0: f32)
    d: i64 = rem t 3i64
    o: i64 = add n d
    zs: [o]f32 = soac o () { (i: i64) x: f32 = convert i yield x } map
    us: [o]f32 = for m (zs) { (j: i64, vs: [o]f32)
      s: f32 = soac o (vs) { (l: i64, e: f32) yield e } reduce (0f32) { (a: f32, b: f32)
        c: f32 = add a b
        yield c
      }
      q: f32 = div s 1024f32
      ws: [o]f32 = soac o (vs) { (g: i64, v: f32)
        h: f32 = mul v 0.5f32
        w: f32 = add h q
        yield w
      } map
      yield ws
    }
    p: f32 = index us[0i64]
    r1: f32 = add r0 p
    yield r1
  }
  ret r
})";
  for (const unsigned threads : {1u, 2u})
    for (const auto& [n, m] : {std::pair<std::int64_t, std::int64_t>{5, 100},
                               {1'000, 20},
                               {is_sanitized ? 2'000 : 12'000, 20},
                               {1, 7}}) {
      CAPTURE(n);
      const std::shared_ptr<Executable> executable = compile(text);
      check_executable(*executable, n, m, 1, threads);
      std::uint64_t launches = 0;
      for (const Executable::KernelDescription& kernel : executable->kernels(false))
        launches += kernel.launches.launches;
      CHECK(launches == static_cast<std::uint64_t>(6 * 6 * (1 + 2 * m)));
    }
}

TEST_CASE("spare buffers: few, of the right size, that nobody else has") {
  MemoryBudget memory(1 << 20);
  SpareBuffers spare;
  const auto allocated = [&](std::size_t bytes) { return Buffer::allocate(memory, bytes); };
  spare.put(allocated(8192));
  CHECK(memory.in_use() == 8192);
  CHECK(!spare.take(8000));
  BufferRef one = spare.take(8192);
  REQUIRE(one);
  CHECK(!spare.take(8192));
  spare.put(one); // we have it, too
  CHECK(!spare.take(8192));
  spare.put(allocated(64)); // from the heap as quickly
  CHECK(!spare.take(64));
  for (int i = 0; i < 10; ++i)
    spare.put(allocated(8192));
  CHECK(memory.in_use() == 5 * 8192);
  spare.clear();
  CHECK(memory.in_use() == 8192);
  // Nor what is a large part of what there may be.
  spare.put(allocated(32 << 10));
  CHECK(!spare.take(32 << 10));
  // Where memory is short nothing is kept.
  const BufferRef most = allocated(600 << 10);
  spare.put(allocated(8192));
  CHECK(!spare.take(8192));
}
