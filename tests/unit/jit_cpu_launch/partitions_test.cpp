// Launches that partition by kinds: chunks on several threads, and memory that there is not.
#include "tests/unit/jit_cpu_launch/launching.h"
#include "tests/unit/sanitized.h"

#include <algorithm>
#include <string>

using namespace sinter;
using namespace sinter::jit;
using namespace sinter::test;

namespace {

std::uint32_t key(std::int64_t i) {
  return static_cast<std::uint32_t>(i) * 2654435761u ^ static_cast<std::uint32_t>(i >> 7);
}

/// By the lowest bits of keys, which go along with their places.
std::string by_bits(std::int64_t kinds) {
  const std::string k = std::to_string(kinds), mask = std::to_string(kinds - 1);
  return "fn f(n: i64, xs: [n]u32) -> ([" + k + "]i64, [n]u32, [n]i64) { c: [" + k +
         "]i64, ys: [n]u32, is: [n]i64 = soac n (xs) { (i: i64, x: u32) d: u32 = and x " + mask +
         "u32 k: i32 = convert d yield k, x, i } partition " + k + "i64 2 ret c, ys, is }";
}

} // namespace

TEST_CASE("a partition is stable, in many chunks on one thread and on several") {
  MemoryBudget memory;
  for (const std::int64_t kinds : {1, 8, 256, 8192}) {
    const auto executable = compile(by_bits(kinds));
    for (const std::int64_t n : {0, 1, 1000, 70'001, is_sanitized ? 200'003 : 2'000'003})
      for (const unsigned threads : {1u, 3u}) {
        CAPTURE(kinds);
        CAPTURE(n);
        CAPTURE(threads);
        const RunContext context{.memory = &memory, .threads = threads};
        const std::vector<Datum> results =
            results_of(executable->run({Scalar::of(n), filled(memory, n, key)}, context));
        const auto counts = elements<std::int64_t>(results[0]);
        const auto ys = elements<std::uint32_t>(results[1]);
        const auto is = elements<std::int64_t>(results[2]);
        std::vector<std::int64_t> expected(static_cast<std::size_t>(n));
        std::vector<std::int64_t> numbers(static_cast<std::size_t>(kinds));
        for (std::int64_t i = 0; i < n; ++i)
          expected[static_cast<std::size_t>(i)] = i;
        const auto kind = [&](std::int64_t i) { return key(i) & (kinds - 1); };
        std::ranges::stable_sort(expected, {}, kind);
        bool is_right = std::ranges::equal(is, expected);
        for (std::size_t i = 0; i < ys.size(); ++i) {
          is_right = is_right && ys[i] == key(expected[i]);
          ++numbers[ys[i] & (kinds - 1)];
        }
        CHECK(is_right);
        CHECK(std::ranges::equal(counts, numbers));
      }
  }
}

TEST_CASE("a partition needs room for its results") {
  const auto executable = compile(by_bits(16));
  MemoryBudget memory(5'000'000);
  const std::int64_t n = 500'000;
  const Outcome outcome = executable->run({Scalar::of(n), filled(memory, n, key)},
                                          RunContext{.memory = &memory, .threads = 2});
  REQUIRE(std::holds_alternative<Stopped>(outcome));
  CHECK(std::get<Stopped>(outcome).why == Stopped::Why::OutOfMemory);
}

TEST_CASE("the first element of a partition that fails is found") {
  const auto executable =
      compile("fn f(n: i64, xs: [n]u32) -> ([4]i64, [n]u32) { c: [4]i64, ys: [n]u32 = soac n (xs) "
              "{ (i: i64, x: u32) o: bool = lt i 1000001i64 check o, \"far\" d: u32 = and x 3u32 "
              "k: i32 = convert d yield k, x } partition 4i64 1 ret c, ys }");
  MemoryBudget memory;
  const std::int64_t n = 3'000'000;
  const Outcome outcome = executable->run({Scalar::of(n), filled(memory, n, key)},
                                          RunContext{.memory = &memory, .threads = 2});
  REQUIRE(std::holds_alternative<Stopped>(outcome));
  CHECK(std::get<Stopped>(outcome).why == Stopped::Why::Failed);
  CHECK(std::get<Stopped>(outcome).first_index == 1'000'001);
}
