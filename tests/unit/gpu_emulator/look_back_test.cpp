// Blocks that run at the same time and tell each other of their results: a prefix sum in one pass.
#include "tests/unit/gpu_emulator/kernels.h"

#include <doctest/doctest.h>

#include <numeric>

using namespace sinter;
using namespace sinter::gpu;
using namespace sinter::test;

namespace {

/// Blocks take tickets; a block's total and its prefix are plain numbers that flags announce.
constexpr std::string_view scan = R"(
define void @scan(ptr addrspace(1) %xs, ptr addrspace(1) %ys, ptr addrspace(1) %next,
                  ptr addrspace(1) %flags, ptr addrspace(1) %totals, ptr addrspace(1) %prefixes) {
entry:
  %t = call i32 @sinter_gpu_thread_index()
  %size = call i32 @sinter_gpu_block_size()
  %shared = call ptr addrspace(3) @sinter_gpu_shared_memory()
  %place_of_prefix = getelementptr i32, ptr addrspace(3) %shared, i32 1
  %values = getelementptr i32, ptr addrspace(3) %shared, i32 2
  %is_first = icmp eq i32 %t, 0
  br i1 %is_first, label %take, label %taken
take:
  %new_ticket = atomicrmw add ptr addrspace(1) %next, i32 1 monotonic
  store i32 %new_ticket, ptr addrspace(3) %shared
  br label %taken
taken:
  call void @sinter_gpu_barrier()
  %ticket = load i32, ptr addrspace(3) %shared
  %before = mul i32 %ticket, %size
  %i = add i32 %before, %t
  %px = getelementptr i32, ptr addrspace(1) %xs, i32 %i
  %x = load i32, ptr addrspace(1) %px
  %pv = getelementptr i32, ptr addrspace(3) %values, i32 %t
  store i32 %x, ptr addrspace(3) %pv
  call void @sinter_gpu_barrier()
  br i1 %is_first, label %sum, label %known
sum:
  %k = phi i32 [ 0, %taken ], [ %k2, %sum ]
  %total0 = phi i32 [ 0, %taken ], [ %total, %sum ]
  %pk = getelementptr i32, ptr addrspace(3) %values, i32 %k
  %v = load i32, ptr addrspace(3) %pk
  %total = add i32 %total0, %v
  %k2 = add i32 %k, 1
  %more = icmp ult i32 %k2, %size
  br i1 %more, label %sum, label %tell
tell:
  %own_flag = getelementptr i32, ptr addrspace(1) %flags, i32 %ticket
  %own_total = getelementptr i32, ptr addrspace(1) %totals, i32 %ticket
  store i32 %total, ptr addrspace(1) %own_total
  call void @sinter_gpu_publish_i32(ptr addrspace(1) %own_flag, i32 1)
  %j0 = sub i32 %ticket, 1
  br label %look
look:
  %j = phi i32 [ %j0, %tell ], [ %j, %wait ], [ %j2, %add_total ]
  %sum0 = phi i32 [ 0, %tell ], [ %sum0, %wait ], [ %sum1, %add_total ]
  %is_over = icmp slt i32 %j, 0
  br i1 %is_over, label %found, label %wait
wait:
  %pf = getelementptr i32, ptr addrspace(1) %flags, i32 %j
  %flag = call i32 @sinter_gpu_observe_i32(ptr addrspace(1) %pf)
  switch i32 %flag, label %look [ i32 1, label %add_total
                                  i32 2, label %add_prefix ]
add_total:
  %pt = getelementptr i32, ptr addrspace(1) %totals, i32 %j
  %their_total = load i32, ptr addrspace(1) %pt
  %sum1 = add i32 %sum0, %their_total
  %j2 = sub i32 %j, 1
  br label %look
add_prefix:
  %pp = getelementptr i32, ptr addrspace(1) %prefixes, i32 %j
  %their_prefix = load i32, ptr addrspace(1) %pp
  %sum2 = add i32 %sum0, %their_prefix
  br label %found
found:
  %prefix = phi i32 [ %sum0, %look ], [ %sum2, %add_prefix ]
  %own_prefix = getelementptr i32, ptr addrspace(1) %prefixes, i32 %ticket
  %inclusive = add i32 %prefix, %total
  store i32 %inclusive, ptr addrspace(1) %own_prefix
  call void @sinter_gpu_publish_i32(ptr addrspace(1) %own_flag, i32 2)
  store i32 %prefix, ptr addrspace(3) %place_of_prefix
  br label %known
known:
  call void @sinter_gpu_barrier()
  %begin = load i32, ptr addrspace(3) %place_of_prefix
  br label %scan
scan:
  %m = phi i32 [ 0, %known ], [ %m2, %scan ]
  %y0 = phi i32 [ %begin, %known ], [ %y, %scan ]
  %pm = getelementptr i32, ptr addrspace(3) %values, i32 %m
  %vm = load i32, ptr addrspace(3) %pm
  %y = add i32 %y0, %vm
  %m2 = add i32 %m, 1
  %goes_on = icmp ule i32 %m2, %t
  br i1 %goes_on, label %scan, label %end
end:
  %py = getelementptr i32, ptr addrspace(1) %ys, i32 %i
  store i32 %y, ptr addrspace(1) %py
  ret void
}
)";

constexpr std::uint32_t blocks = 9, threads = 32;

/// The violation; empty if there is none, and then the results are right.
std::string scan_once(std::string_view text, const EmulationOptions& options) {
  Emulation emulation(text, options);
  std::vector<std::int32_t> xs(blocks * threads);
  std::iota(xs.begin(), xs.end(), 3);
  const DeviceAddress ys = emulation.device->allocate(xs.size() * 4);
  const DeviceAddress flags = emulation.device->allocate(blocks * 4);
  emulation.device->fill(flags, 0, 4, blocks);
  const std::string words = emulation.violation(
      "scan", grid(blocks, threads, 4 * (threads + 2)),
      {emulation.array(xs), ys, emulation.array(std::vector<std::int32_t>{0}), flags,
       emulation.device->allocate(blocks * 4), emulation.device->allocate(blocks * 4)});
  if (words.empty()) {
    std::vector<std::int32_t> expected(xs.size());
    std::partial_sum(xs.begin(), xs.end(), expected.begin());
    CHECK(emulation.elements<std::int32_t>(ys, xs.size()) == expected);
  }
  return words;
}

std::string with(std::string_view text, std::string_view old_part, std::string_view new_part) {
  std::string result(text);
  const std::size_t place = result.find(old_part);
  REQUIRE(place != std::string::npos);
  return result.replace(place, old_part.size(), new_part);
}

} // namespace

TEST_CASE("a prefix sum by looking back is right in every order of its blocks and threads") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    CHECK(scan_once(scan,
                    {.seed = seed, .blocks_in_flight = 1 + static_cast<unsigned>(seed % 6)}) == "");
  }
  CHECK(scan_once(scan, {.checks = EmulatedChecks::none(), .seed = 5}) == "");
}

TEST_CASE("what is written after it was announced is a race with who looks for it") {
  const std::string late =
      with(with(scan, "  store i32 %total, ptr addrspace(1) %own_total\n", ""),
           "  %j0 = sub i32 %ticket, 1\n",
           "  store i32 %total, ptr addrspace(1) %own_total\n  %j0 = sub i32 %ticket, 1\n");
  int races = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    races += has(scan_once(late, {.checks = {.definition = false}, .seed = seed}), "race: ");
  CHECK(races > 10);
}

TEST_CASE("a flag that is stored plainly announces nothing") {
  const std::string plain =
      with(scan, "  call void @sinter_gpu_publish_i32(ptr addrspace(1) %own_flag, i32 1)\n",
           "  store i32 1, ptr addrspace(1) %own_flag\n");
  CHECK(has(scan_once(plain, {.seed = 3}), "race: "));
}

TEST_CASE("blocks may not wait for those of a higher number, which may never begin") {
  const std::string by_index =
      with(scan, "%new_ticket = atomicrmw add ptr addrspace(1) %next, i32 1 monotonic",
           "%new_ticket = call i32 @sinter_gpu_block_index_x()");
  CHECK(scan_once(by_index, {}) == "");
  const std::string words = scan_once(by_index, {.seed = 2, .blocks_in_flight = 2});
  CHECK(has(words, "no progress"));
  CHECK(has(words, "@sinter_gpu_observe_i32"));
}

TEST_CASE("a fence before an atomic addition is an order, too: the last block may read all") {
  constexpr std::string_view text = R"(
define void @last(ptr addrspace(1) %parts, ptr addrspace(1) %done, ptr addrspace(1) %sum) {
entry:
  %b = call i32 @sinter_gpu_block_index_x()
  %blocks = call i32 @sinter_gpu_grid_size_x()
  %p = getelementptr i32, ptr addrspace(1) %parts, i32 %b
  store i32 %b, ptr addrspace(1) %p
  call void @sinter_gpu_fence()
  %count = atomicrmw add ptr addrspace(1) %done, i32 1 monotonic
  %count1 = add i32 %count, 1
  %is_last = icmp eq i32 %count1, %blocks
  br i1 %is_last, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %i2, %loop ]
  %s = phi i32 [ 0, %entry ], [ %s2, %loop ]
  %pi = getelementptr i32, ptr addrspace(1) %parts, i32 %i
  %x = load i32, ptr addrspace(1) %pi
  %s2 = add i32 %s, %x
  %i2 = add i32 %i, 1
  %more = icmp ult i32 %i2, %blocks
  br i1 %more, label %loop, label %write
write:
  store i32 %s2, ptr addrspace(1) %sum
  br label %end
end:
  ret void
}
)";
  auto run = [](std::string_view code, std::uint64_t seed) {
    Emulation emulation(code, {.seed = seed});
    const DeviceAddress done = emulation.array(std::vector<std::int32_t>{0, 0});
    const std::string words =
        emulation.violation("last", grid(20, 1), {emulation.device->allocate(80), done, done + 4});
    if (words.empty()) CHECK(emulation.elements<std::int32_t>(done + 4, 1)[0] == 190);
    return words;
  };
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CHECK(run(text, seed) == "");
    CHECK(has(run(with(text, "  call void @sinter_gpu_fence()\n", ""), seed), "race: "));
  }
}
