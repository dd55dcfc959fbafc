// Histograms whose order does not show: threads have bins of their own.
#include "tests/unit/jit_cpu_launch/launching.h"

#include <algorithm>
#include <string>

using namespace sinter;
using namespace sinter::jit;
using namespace sinter::test;

namespace {

/// Two histograms over the same elements: sums, and the greatest; elements from `end` on fail.
constexpr std::string_view sums_and_greatest =
    R"(fn f(n: i64, k: i64, end: i64, at: [n]i32, xs: [n]i64, as: [k]i64, bs: [k]i64) -> ([k]i64, [k]i64) {
  sums: [k]i64, most: [k]i64 = soac n (at, xs) { (i: i64, a: i32, x: i64)
    is_early: bool = lt i end
    check is_early, "too late"
    b: i64 = convert a
    yield b, x, b, x
  } histogram 1 (as) (0i64) { (p: i64, q: i64)
    s: i64 = add p q
    yield s
  } histogram 1 (bs) (-9223372036854775808i64) { (p2: i64, q2: i64)
    m: i64 = max p2 q2
    yield m
  }
  ret sums, most
})";

std::int32_t bin(std::int64_t i, std::int64_t k) {
  return static_cast<std::int32_t>(i * 7919 % (k + 9) - 4);
}
std::int64_t value(std::int64_t i) {
  return i * 2654435761 % 1'000'003 - 500'000;
}

} // namespace

TEST_CASE("bins of which each thread has some get all updates, and the first failure is found") {
  const std::shared_ptr<Executable> executable = compile(sums_and_greatest);
  MemoryBudget memory;
  for (const std::int64_t n : {0, 1, 1'000, 70'001, 1'500'007})
    for (const std::int64_t k : {1, 100, 30'000}) {
      std::vector<std::int64_t> sums(static_cast<std::size_t>(k), 3),
          most(static_cast<std::size_t>(k), -7);
      for (std::int64_t i = 0; i < n; ++i) {
        if (bin(i, k) < 0 || bin(i, k) >= k) continue;
        const auto at = static_cast<std::size_t>(bin(i, k));
        sums[at] += value(i);
        most[at] = std::max(most[at], value(i));
      }
      const Leaf at = filled(memory, n, [&](std::int64_t i) { return bin(i, k); });
      const Leaf xs = filled(memory, n, value);
      for (const unsigned threads : {1u, 2u, 3u, 0u}) {
        CAPTURE(n);
        CAPTURE(k);
        CAPTURE(threads);
        const auto run = [&](std::int64_t end) {
          const RunContext context{.memory = &memory, .threads = threads};
          return executable->run({Scalar::of(n), Scalar::of(k), Scalar::of(end), at, xs,
                                  filled(memory, k, [](std::int64_t) { return std::int64_t{3}; }),
                                  filled(memory, k, [](std::int64_t) { return std::int64_t{-7}; })},
                                 context);
        };
        for (int again = 0; again < 3; ++again) {
          const std::vector<Datum> results = results_of(run(n));
          CHECK(std::ranges::equal(elements<std::int64_t>(results[0]), sums));
          CHECK(std::ranges::equal(elements<std::int64_t>(results[1]), most));
        }
        for (const std::int64_t first : {n - 2, n / 2, std::int64_t{0}}) {
          if (first < 0 || first >= n) continue;
          const Outcome failed = run(first);
          REQUIRE(std::holds_alternative<Stopped>(failed));
          CHECK(std::get<Stopped>(failed).first_index == first);
        }
      }
    }
}

TEST_CASE("the first thread's bins are the destination, and chunks have none") {
  const std::shared_ptr<Executable> executable =
      compile("fn f(n: i64, k: i64, as: [k]i64) -> [k]i64 { sums: [k]i64 = soac n () { (i: i64) b: "
              "i64 = mod i k yield b, i } histogram 1 (as) (0i64) { (p: i64, q: i64) s: i64 = add "
              "p q yield s } ret sums }");
  constexpr std::int64_t n = 2'000'000, k = 65'536;
  MemoryBudget memory;
  for (const unsigned threads : {1u, 2u}) {
    std::vector<Datum> arguments = {Scalar::of(n), Scalar::of(k)};
    arguments.emplace_back(filled(memory, k, [](std::int64_t) { return std::int64_t{0}; }));
    const std::size_t bins = k * sizeof(std::int64_t);
    memory.set_limit(memory.in_use() + (threads - 1) * bins + (std::size_t{64} << 10));
    const RunContext context{.memory = &memory, .threads = threads};
    const std::vector<Datum> results = results_of(executable->run(std::move(arguments), context));
    memory.set_limit(SIZE_MAX);
    const auto sums = elements<std::int64_t>(results[0]);
    bool is_right = true;
    for (std::int64_t b = 0; b < k; ++b) {
      const std::int64_t count = (n - b + k - 1) / k;
      is_right = is_right &&
                 sums[static_cast<std::size_t>(b)] == count * b + k * (count * (count - 1) / 2);
    }
    CHECK(is_right);
  }
}
