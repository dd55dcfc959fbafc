// Kernels as they will be made, without a defect: right results, and no check fires.
#include "tests/unit/gpu_emulator/kernels.h"

#include "gpu/kernels/control_block.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <thread>

using namespace sinter;
using namespace sinter::gpu;
using namespace sinter::test;

namespace {

/// Without checks, with all of them, and with threads in other orders.
const std::array<EmulationOptions, 5> all_ways = {
    EmulationOptions{.checks = EmulatedChecks::none()}, EmulationOptions{},
    EmulationOptions{.seed = 7, .blocks_in_flight = 3}, EmulationOptions{.tier = 1},
    EmulationOptions{.tier = 2}};

constexpr std::string_view add = R"(
define void @add(ptr addrspace(1) %xs, ptr addrspace(1) %ys, ptr addrspace(1) %zs, i64 %n) {
  %block = call i32 @sinter_gpu_block_index_x()
  %size = call i32 @sinter_gpu_block_size()
  %thread = call i32 @sinter_gpu_thread_index()
  %first = mul i32 %block, %size
  %index = add i32 %first, %thread
  %i = zext i32 %index to i64
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %body, label %end
body:
  %px = getelementptr i32, ptr addrspace(1) %xs, i64 %i
  %py = getelementptr i32, ptr addrspace(1) %ys, i64 %i
  %pz = getelementptr i32, ptr addrspace(1) %zs, i64 %i
  %x = load i32, ptr addrspace(1) %px
  %y = load i32, ptr addrspace(1) %py
  %z = add i32 %x, %y
  store i32 %z, ptr addrspace(1) %pz
  br label %end
end:
  ret void
}
)";

/// Grid-stride; each block's sum by halves in shared memory.
constexpr std::string_view reduce = R"(
define void @reduce(ptr addrspace(1) %xs, i64 %n, ptr addrspace(1) %sums) {
entry:
  %block = call i32 @sinter_gpu_block_index_x()
  %blocks = call i32 @sinter_gpu_grid_size_x()
  %size = call i32 @sinter_gpu_block_size()
  %thread = call i32 @sinter_gpu_thread_index()
  %shared = call ptr addrspace(3) @sinter_gpu_shared_memory()
  %before = mul i32 %block, %size
  %begin32 = add i32 %before, %thread
  %begin = zext i32 %begin32 to i64
  %all = mul i32 %blocks, %size
  %stride = zext i32 %all to i64
  br label %loop
loop:
  %i = phi i64 [ %begin, %entry ], [ %i2, %body ]
  %sum = phi i32 [ 0, %entry ], [ %sum2, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %share
body:
  %px = getelementptr i32, ptr addrspace(1) %xs, i64 %i
  %x = load i32, ptr addrspace(1) %px
  %sum2 = add i32 %sum, %x
  %i2 = add i64 %i, %stride
  br label %loop
share:
  %own = getelementptr i32, ptr addrspace(3) %shared, i32 %thread
  store i32 %sum, ptr addrspace(3) %own
  call void @sinter_gpu_barrier()
  %first_half = lshr i32 %size, 1
  br label %fold
fold:
  %half = phi i32 [ %first_half, %share ], [ %half2, %folded ]
  %folding = icmp ugt i32 %half, 0
  br i1 %folding, label %step, label %last
step:
  %takes = icmp ult i32 %thread, %half
  br i1 %takes, label %take, label %folded
take:
  %other = add i32 %thread, %half
  %po = getelementptr i32, ptr addrspace(3) %shared, i32 %other
  %a = load i32, ptr addrspace(3) %own
  %b = load i32, ptr addrspace(3) %po
  %ab = add i32 %a, %b
  store i32 %ab, ptr addrspace(3) %own
  br label %folded
folded:
  call void @sinter_gpu_barrier()
  %half2 = lshr i32 %half, 1
  br label %fold
last:
  %is_first = icmp eq i32 %thread, 0
  br i1 %is_first, label %write, label %end
write:
  %total = load i32, ptr addrspace(3) %own
  %ps = getelementptr i32, ptr addrspace(1) %sums, i32 %block
  store i32 %total, ptr addrspace(1) %ps
  br label %end
end:
  ret void
}
)";

std::vector<std::int32_t> numbers(std::size_t n) {
  std::vector<std::int32_t> result(n);
  std::uint32_t state = 1;
  for (std::int32_t& number : result)
    number = static_cast<std::int32_t>((state = state * 1664525 + 1013904223) >> 8) - 4000000;
  return result;
}

} // namespace

TEST_CASE("vectors are added by threads that need nobody") {
  for (const EmulationOptions& options : all_ways) {
    Emulation emulation(add, options);
    const std::vector<std::int32_t> xs = numbers(1000), ys(1000, 5);
    const DeviceAddress zs = emulation.device->allocate(4000);
    CHECK(zs % 256 == 0);
    emulation.launch("add", grid(4, 256), {emulation.array(xs), emulation.array(ys), zs, 1000});
    std::vector<std::int32_t> expected = xs;
    for (std::int32_t& x : expected)
      x += 5;
    CHECK(emulation.elements<std::int32_t>(zs, 1000) == expected);
  }
}

TEST_CASE("blocks sum in shared memory between barriers") {
  for (const EmulationOptions& options : all_ways) {
    Emulation emulation(reduce, options);
    const std::vector<std::int32_t> xs = numbers(10000);
    const DeviceAddress sums = emulation.device->allocate(9 * 4);
    emulation.launch("reduce", grid(9, 128, 512), {emulation.array(xs), 10000, sums});
    const std::vector<std::int32_t> parts = emulation.elements<std::int32_t>(sums, 9);
    CHECK(std::accumulate(parts.begin(), parts.end(), 0u) ==
          std::accumulate(xs.begin(), xs.end(), 0u));
  }
}

TEST_CASE("threads of a warp exchange numbers; beyond the warp each keeps its own") {
  constexpr std::string_view text = R"(
define void @exchange(ptr addrspace(1) %out, i64 %threads) {
  %t = call i32 @sinter_gpu_thread_index()
  %v = mul i32 %t, 10
  %mirror = sub i32 31, %t
  %lane = and i32 %mirror, 31
  %a = call i32 @sinter_gpu_shuffle(i32 %v, i32 %lane)
  %b = call i32 @sinter_gpu_shuffle_down(i32 %v, i32 5)
  %c = call i32 @sinter_gpu_shuffle_up(i32 %v, i32 5)
  %d = call i32 @sinter_gpu_shuffle_xor(i32 %v, i32 3)
  %odd = trunc i32 %t to i1
  %e = call i32 @sinter_gpu_ballot(i1 %odd)
  %t64 = zext i32 %t to i64
  %i = mul i64 %t64, 5
  %pa = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 %a, ptr addrspace(1) %pa
  %pb = getelementptr i32, ptr addrspace(1) %pa, i64 1
  store i32 %b, ptr addrspace(1) %pb
  %pc = getelementptr i32, ptr addrspace(1) %pa, i64 2
  store i32 %c, ptr addrspace(1) %pc
  %pd = getelementptr i32, ptr addrspace(1) %pa, i64 3
  store i32 %d, ptr addrspace(1) %pd
  %pe = getelementptr i32, ptr addrspace(1) %pa, i64 4
  store i32 %e, ptr addrspace(1) %pe
  ret void
}
)";
  for (const EmulationOptions& options : all_ways) {
    Emulation emulation(text, options);
    constexpr int threads = 42; // the second warp has ten
    const DeviceAddress out = emulation.device->allocate(threads * 20);
    emulation.launch("exchange", grid(1, threads), {out, threads});
    const std::vector<std::int32_t> results = emulation.elements<std::int32_t>(out, threads * 5);
    for (int t = 0; t < threads; ++t) {
      const int warp = t / 32 * 32, lane = t % 32, size = std::min(32, threads - warp);
      auto value = [&](int source) {
        return 10 * (source >= 0 && source < size ? warp + source : t);
      };
      CAPTURE(t);
      CHECK(results[t * 5] == value((31 - t) & 31));
      CHECK(results[t * 5 + 1] == value(lane + 5));
      CHECK(results[t * 5 + 2] == value(lane - 5));
      CHECK(results[t * 5 + 3] == value(lane ^ 3));
      CHECK(static_cast<std::uint32_t>(results[t * 5 + 4]) ==
            (0xAAAAAAAAu & (size == 32 ? ~0u : (1u << size) - 1)));
    }
  }
}

TEST_CASE("exchanges that follow each other are those that they are one by one") {
  constexpr std::string_view text = R"(
define void @exchange(ptr addrspace(1) %out, i64 %threads) {
  %t = call i32 @sinter_gpu_thread_index()
  %u = mul i32 %t, 7
  %v = add i32 %t, 1000
  %bit0 = trunc i32 %t to i1
  %t1 = lshr i32 %t, 1
  %bit1 = trunc i32 %t1 to i1
  %a = call i32 @sinter_gpu_shuffle_down(i32 %t, i32 3)
  %b = call i32 @sinter_gpu_shuffle_down(i32 %u, i32 3)
  %c = call i32 @sinter_gpu_shuffle_down(i32 %v, i32 3)
  %d = call i32 @sinter_gpu_shuffle_down(i32 %a, i32 3)
  %e = call i32 @sinter_gpu_shuffle_down(i32 %u, i32 4)
  %f = call i32 @sinter_gpu_shuffle_up(i32 %v, i32 4)
  %g = call i32 @sinter_gpu_shuffle(i32 %v, i32 %bounded)
  %h = call i32 @sinter_gpu_ballot(i1 %bit0)
  %i = call i32 @sinter_gpu_ballot(i1 %bit1)
  %own = mul i32 %t, 9
  %own64 = zext i32 %own to i64
  %p = getelementptr i32, ptr addrspace(1) %out, i64 %own64
)";
  // Which lane `g` asks is an earlier result; then each result is stored.
  std::string whole(text);
  whole.replace(whole.find("  %g ="), 0, "  %bounded = and i32 %a, 31\n");
  for (int k = 0; k < 9; ++k) {
    const std::string name(1, static_cast<char>('a' + k)), number = std::to_string(k);
    whole += "  %p" + number + " = getelementptr i32, ptr addrspace(1) %p, i64 " + number +
             "\n  store i32 %" + name + ", ptr addrspace(1) %p" + number + "\n";
  }
  whole += "  ret void\n}\n";
  for (const EmulationOptions& options : all_ways) {
    Emulation emulation(whole, options);
    constexpr int threads = 44; // the second warp has twelve
    const DeviceAddress out = emulation.device->allocate(9 * 4 * threads);
    emulation.launch("exchange", grid(1, threads), {out, threads});
    const std::vector<std::int32_t> found = emulation.elements<std::int32_t>(out, 9 * threads);
    for (int t = 0; t < threads; ++t) {
      CAPTURE(t);
      const int first = t / 32 * 32, last = std::min(first + 32, threads) - 1;
      const auto down = [&](int by, int from) { return from + by <= last ? from + by : from; };
      const int a = down(3, t), up = t - 4 >= first ? t - 4 : t;
      const int asked = first + (a & 31) <= last ? first + (a & 31) : t;
      std::uint32_t odd = 0, second = 0;
      for (int other = first; other <= last; ++other) {
        odd |= static_cast<std::uint32_t>(other & 1) << (other - first);
        second |= static_cast<std::uint32_t>(other >> 1 & 1) << (other - first);
      }
      const std::vector<std::int32_t> expected = {a,
                                                  a * 7,
                                                  a + 1000,
                                                  down(3, a),
                                                  down(4, t) * 7,
                                                  up + 1000,
                                                  asked + 1000,
                                                  static_cast<std::int32_t>(odd),
                                                  static_cast<std::int32_t>(second)};
      CHECK(std::vector(found.begin() + 9 * t, found.begin() + 9 * t + 9) == expected);
    }
  }
}

TEST_CASE("a sum by exchanges within warps, and a count by ballots") {
  constexpr std::string_view text = R"(
define internal i32 @warp_sum(i32 %x) {
  %x16 = call i32 @sinter_gpu_shuffle_xor(i32 %x, i32 16)
  %s16 = add i32 %x, %x16
  %x8 = call i32 @sinter_gpu_shuffle_xor(i32 %s16, i32 8)
  %s8 = add i32 %s16, %x8
  %x4 = call i32 @sinter_gpu_shuffle_xor(i32 %s8, i32 4)
  %s4 = add i32 %s8, %x4
  %x2 = call i32 @sinter_gpu_shuffle_xor(i32 %s4, i32 2)
  %s2 = add i32 %s4, %x2
  %x1 = call i32 @sinter_gpu_shuffle_xor(i32 %s2, i32 1)
  %s1 = add i32 %s2, %x1
  ret i32 %s1
}
define void @warps(ptr addrspace(1) %xs, ptr addrspace(1) %sum, ptr addrspace(1) %count) {
  %t = call i32 @sinter_gpu_thread_index()
  %px = getelementptr i32, ptr addrspace(1) %xs, i32 %t
  %x = load i32, ptr addrspace(1) %px
  %s = call i32 @warp_sum(i32 %x)
  %is_positive = icmp sgt i32 %x, 0
  %votes = call i32 @sinter_gpu_ballot(i1 %is_positive)
  %c = call i32 @llvm.ctpop.i32(i32 %votes)
  %lane = and i32 %t, 31
  %is_first = icmp eq i32 %lane, 0
  br i1 %is_first, label %write, label %end
write:
  %old = atomicrmw add ptr addrspace(1) %sum, i32 %s monotonic
  %old2 = atomicrmw add ptr addrspace(1) %count, i32 %c monotonic
  br label %end
end:
  ret void
}
declare i32 @llvm.ctpop.i32(i32)
)";
  for (const EmulationOptions& options : all_ways) {
    Emulation emulation(text, options);
    const std::vector<std::int32_t> xs = numbers(1024);
    const DeviceAddress results = emulation.array(std::vector<std::int32_t>{0, 0});
    emulation.launch("warps", grid(1, 1024), {emulation.array(xs), results, results + 4});
    const auto found = emulation.elements<std::int32_t>(results, 2);
    CHECK(static_cast<std::uint32_t>(found[0]) == std::accumulate(xs.begin(), xs.end(), 0u));
    CHECK(found[1] == std::count_if(xs.begin(), xs.end(), [](int x) { return x > 0; }));
  }
}

TEST_CASE("a histogram in shared memory that is added to one in global memory") {
  constexpr std::string_view text = R"(
define void @histogram(ptr addrspace(1) %xs, i64 %n, ptr addrspace(1) %bins) {
entry:
  %block = call i32 @sinter_gpu_block_index_x()
  %blocks = call i32 @sinter_gpu_grid_size_x()
  %size = call i32 @sinter_gpu_block_size()
  %thread = call i32 @sinter_gpu_thread_index()
  %shared = call ptr addrspace(3) @sinter_gpu_shared_memory()
  %own = getelementptr i32, ptr addrspace(3) %shared, i32 %thread
  store i32 0, ptr addrspace(3) %own
  call void @sinter_gpu_barrier()
  %before = mul i32 %block, %size
  %begin32 = add i32 %before, %thread
  %begin = zext i32 %begin32 to i64
  %all = mul i32 %blocks, %size
  %stride = zext i32 %all to i64
  br label %loop
loop:
  %i = phi i64 [ %begin, %entry ], [ %i2, %body ]
  %more = icmp ult i64 %i, %n
  br i1 %more, label %body, label %share
body:
  %px = getelementptr i32, ptr addrspace(1) %xs, i64 %i
  %x = load i32, ptr addrspace(1) %px
  %bin = urem i32 %x, %size
  %pb = getelementptr i32, ptr addrspace(3) %shared, i32 %bin
  %old = atomicrmw add ptr addrspace(3) %pb, i32 1 monotonic
  %i2 = add i64 %i, %stride
  br label %loop
share:
  call void @sinter_gpu_barrier()
  %count = load i32, ptr addrspace(3) %own
  %pg = getelementptr i32, ptr addrspace(1) %bins, i32 %thread
  %old2 = atomicrmw add ptr addrspace(1) %pg, i32 %count monotonic
  ret void
}
)";
  for (const EmulationOptions& options : all_ways) {
    Emulation emulation(text, options);
    const std::vector<std::int32_t> xs = numbers(5000);
    const DeviceAddress bins = emulation.device->allocate(64 * 4);
    emulation.device->fill(bins, 0, 4, 64);
    emulation.launch("histogram", grid(6, 64, 256), {emulation.array(xs), 5000, bins});
    std::vector<std::int32_t> expected(64);
    for (const std::int32_t x : xs)
      ++expected[static_cast<std::uint32_t>(x) % 64];
    CHECK(emulation.elements<std::int32_t>(bins, 64) == expected);
  }
}

TEST_CASE("a matrix is transposed through tiles in shared memory, with two dimensions of blocks") {
  constexpr std::string_view text = R"(
define void @transpose(ptr addrspace(1) %xs, ptr addrspace(1) %ys, i64 %n) {
  %bx = call i32 @sinter_gpu_block_index_x()
  %by = call i32 @sinter_gpu_block_index_y()
  %t = call i32 @sinter_gpu_thread_index()
  %shared = call ptr addrspace(3) @sinter_gpu_shared_memory()
  %row = lshr i32 %t, 4
  %column = and i32 %t, 15
  %n32 = trunc i64 %n to i32
  %x0 = mul i32 %bx, 16
  %y0 = mul i32 %by, 16
  %y = add i32 %y0, %row
  %yn = mul i32 %y, %n32
  %x = add i32 %x0, %column
  %from = add i32 %yn, %x
  %px = getelementptr i32, ptr addrspace(1) %xs, i32 %from
  %v = load i32, ptr addrspace(1) %px
  %r17 = mul i32 %row, 17
  %s = add i32 %r17, %column
  %ps = getelementptr i32, ptr addrspace(3) %shared, i32 %s
  store i32 %v, ptr addrspace(3) %ps
  call void @sinter_gpu_barrier()
  %c17 = mul i32 %column, 17
  %s2 = add i32 %c17, %row
  %ps2 = getelementptr i32, ptr addrspace(3) %shared, i32 %s2
  %w = load i32, ptr addrspace(3) %ps2
  %x2 = add i32 %x0, %row
  %x2n = mul i32 %x2, %n32
  %y2 = add i32 %y0, %column
  %to = add i32 %x2n, %y2
  %py = getelementptr i32, ptr addrspace(1) %ys, i32 %to
  store i32 %w, ptr addrspace(1) %py
  ret void
}
)";
  for (const EmulationOptions& options : all_ways) {
    Emulation emulation(text, options);
    constexpr int n = 48;
    const std::vector<std::int32_t> xs = numbers(n * n);
    const DeviceAddress ys = emulation.device->allocate(n * n * 4);
    emulation.launch("transpose", {{3, 3, 1}, 256, 16 * 17 * 4}, {emulation.array(xs), ys, n});
    const auto found = emulation.elements<std::int32_t>(ys, n * n);
    bool is_transposed = true;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        is_transposed &= found[i * n + j] == xs[j * n + i];
    CHECK(is_transposed);
  }
}

TEST_CASE("kernels and host speak through a control block") {
  constexpr std::string_view text = R"(
define void @fail(ptr addrspace(1) %control, i64 %n) {
  %t = call i32 @sinter_gpu_thread_index()
  %i = zext i32 %t to i64
  %ok = icmp ult i64 %i, %n
  br i1 %ok, label %end, label %failed
failed:
  %key = shl i64 %i, 16
  %place = getelementptr i8, ptr addrspace(1) %control, i64 8
  %old = atomicrmw umin ptr addrspace(1) %place, i64 %key monotonic
  br label %end
end:
  ret void
}
define void @spin(ptr addrspace(1) %control) {
entry:
  br label %loop
loop:
  %stop = call i32 @sinter_gpu_poll(ptr addrspace(1) %control)
  %go_on = icmp eq i32 %stop, 0
  br i1 %go_on, label %loop, label %end
end:
  ret void
}
define void @spin_together(ptr addrspace(1) %control) {
entry:
  br label %loop
loop:
  %stop = call i32 @sinter_gpu_poll(ptr addrspace(1) %control)
  %go_on = icmp eq i32 %stop, 0
  br i1 %go_on, label %loop, label %end
end:
  call void @sinter_gpu_barrier()
  ret void
}
)";
  for (const EmulationOptions& options : all_ways) {
    Emulation emulation(text, options);
    const ControlBlock fresh;
    const DeviceAddress control = emulation.array(std::vector<ControlBlock>{fresh});
    emulation.launch("fail", grid(1, 64), {control, 64});
    CHECK(emulation.elements<std::uint64_t>(control + 8, 1)[0] == UINT64_MAX);
    emulation.launch("fail", grid(1, 64), {control, 37});
    CHECK(emulation.elements<std::uint64_t>(control + 8, 1)[0] == failure_key(37, 0));
    for (const char* entry : {"spin", "spin_together"}) {
      emulation.device->copy_in(control, std::as_bytes(std::span(&fresh, 1)));
      std::thread host([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        emulation.device->write_at_once(control, 1);
      });
      emulation.launch(entry, grid(2, 32), {control});
      host.join();
    }
  }
}
