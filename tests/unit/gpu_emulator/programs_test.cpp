// Kernels as they will be made, without a defect: right results, and no check fires.
#include "tests/unit/gpu_emulator/kernels.h"

#include "gpu/kernels/control_block.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <numeric>

using namespace sinter;
using namespace sinter::gpu;
using namespace sinter::test;

namespace {

/// Without checks, with all of them, and with threads in other orders.
const std::array<EmulationOptions, 4> all_ways = {
    EmulationOptions{.checks = EmulatedChecks::none()}, EmulationOptions{},
    EmulationOptions{.seed = 7, .blocks_in_flight = 3}, EmulationOptions{.tier = 2}};

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
