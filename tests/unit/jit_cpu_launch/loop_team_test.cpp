// Loops that a team of threads goes through: they give, and fail, as the reference evaluator says.
#include "lang/base/interrupt.h"
#include "tests/unit/jit_cpu_launch/launching.h"
#include "tests/unit/sanitized.h"

#include <chrono>
#include <string>
#include <thread>

using namespace sinter;
using namespace sinter::jit;
using namespace sinter::test;

namespace {

/// A sum of all elements, which goes into a map with the neighbours of each, whose result and its
/// neighbours go into the next state.  `at`, of an iteration and its numbers, may have checks for
/// elements: of the first map (x, i), of the second one (y, i), of the sum (x), and for numbers.
struct Checks {
  std::string sum = {}, numbers = {}, first = {}, second = {};
};
std::string diffusion(const Checks& checks = {}) {
  return R"(fn f(n: i64, m: i64, xs: [n][m]i32) -> ([n][m]i32, i32) {
  nm: i64 = mul n m
  last: i64 = add n -1i64
  r: [n][m]i32, q: i32 = for 90i64 (xs, 5i32) { (t: i64, a: [n][m]i32, q1: i32)
    t1: i64 = mul t 3i64
    flat: [nm]i32 = reshape a
    s: i32 = soac nm (flat) { (k: i64, x0: i32)
)" + checks.sum +
         R"(      yield x0
    } reduce (0i32) { (u: i32, v: i32)
      w: i32 = add u v
      yield w
    }
    q2: i32 = xor s q1
    t2: i32 = convert t1
    q3: i32 = add q2 t2
)" + checks.numbers +
         R"(    c: [n][m]i32 = soac n () { (i: i64)
      below: i64 = add i -1i64
      up: i64 = max below 0i64
      above: i64 = add i 1i64
      down: i64 = min above last
      row: [m]i32 = soac m () { (j: i64)
        x: i32 = index a[i, j]
        y: i32 = index a[up, j]
        z: i32 = index a[down, j]
)" + checks.first +
         R"(        p: i32 = mul x 3i32
        o: i32 = add p y
        l: i32 = sub o z
        d: i32 = rem l 1009i32
        e: i32 = xor d q3
        yield e
      } map
      yield row
    } map
    b: [n][m]i32 = soac n () { (i2: i64)
      above2: i64 = add i2 1i64
      down2: i64 = min above2 last
      row2: [m]i32 = soac m () { (j2: i64)
        x2: i32 = index a[i2, j2]
        y2: i32 = index c[i2, j2]
        z2: i32 = index c[down2, j2]
)" + checks.second +
         R"(        p2: i32 = add x2 y2
        o2: i32 = mul z2 5i32
        d2: i32 = rem o2 997i32
        e2: i32 = sub p2 d2
        g2: i32 = rem e2 100000i32
        yield g2
      } map
      yield row2
    } map
    yield b, q3
  }
  ret r, q
})";
}

/// What a run gives, or where it stopped.
std::string outcome_of(Executable& executable, std::int64_t n, std::int64_t m, unsigned threads) {
  MemoryBudget memory;
  const RunContext context{.memory = &memory, .threads = threads};
  const std::vector<ir::DenseValue> arguments =
      make_arguments(executable.function(), n, m, /*seed=*/1);
  const Outcome outcome = executable.run(
      to_leaves(executable.function(), arguments, memory, Arrangement::Dense), context);
  if (const auto* stopped = std::get_if<Stopped>(&outcome)) {
    CHECK(stopped->why == Stopped::Why::Failed);
    return "site " + std::to_string(stopped->site) + ", index " +
           std::to_string(stopped->first_index.value_or(-1));
  }
  std::string bytes;
  for (const Datum& datum : std::get<std::vector<Datum>>(outcome))
    if (const auto* leaf = std::get_if<Leaf>(&datum))
      append_dense(bytes, *leaf);
    else
      bytes += std::to_string(std::get<Scalar>(datum).bits);
  return bytes;
}

/// Small loops against the evaluator; larger ones, which threads share, against one thread.
void check_loop(const std::string& text) {
  CAPTURE(text);
  const std::shared_ptr<Executable> executable = compile(text);
  for (const auto& [n, m] :
       {std::pair(96, 10), std::pair(61, 9), std::pair(3, 50), std::pair(0, 5)})
    if (!is_sanitized || n != 96) check_executable(*executable, n, m, 1);
  for (const auto& [n, m] : {std::pair(128, 128), std::pair(200, 77), std::pair(20'000, 1)}) {
    const std::string expected = outcome_of(*executable, n, m, 1);
    // (Whether threads share iterations is found out by and by.)
    for (std::uint64_t round = 0; round < some_of(12, 4); ++round)
      CHECK(outcome_of(*executable, n, m, 0) == expected);
  }
}

} // namespace

TEST_CASE("what a team makes of a loop") {
  check_loop(diffusion());
}

TEST_CASE("what fails in a loop of a team fails where it would have, and nothing before it") {
  // In the last rows alone, which are the last thread's, or in the first ones.
  const std::string late_last = R"(        far: bool = lt i 50i64
        soon: bool = lt t 71i64
        fine: bool = or far soon
        check fine, "first"
)";
  const std::string late_last2 = R"(        far2: bool = lt i2 50i64
        soon2: bool = lt t1 213i64
        fine2: bool = or far2 soon2
        check fine2, "second"
)";
  const std::string first2 = R"(        far2: bool = lt 2i64 i2
        soon2: bool = lt t1 213i64
        fine2: bool = or far2 soon2
        check fine2, "second"
)";
  SUBCASE("in the first map") {
    check_loop(diffusion({.first = late_last}));
  }
  SUBCASE("in the second one, before whose ends threads wait") {
    check_loop(diffusion({.second = late_last2}));
  }
  SUBCASE("in the first rows") {
    check_loop(diffusion({.second = first2}));
  }
  SUBCASE("in a sum, and the map before it, which nobody had waited for") {
    check_loop(diffusion({.sum = R"(      later: bool = lt t 72i64
      high: bool = lt 100i64 k
      fine3: bool = or later high
      check fine3, "sum"
)",
                          .second = late_last2}));
  }
  SUBCASE("between launches, and in the one before") {
    const std::string numbers = R"(    soon4: bool = lt t 72i64
    check soon4, "numbers"
)";
    check_loop(diffusion({.numbers = numbers}));
    check_loop(diffusion({.numbers = numbers, .second = late_last2}));
  }
}

TEST_CASE("arrays that change places in a loop of a team, that stay, and that nobody in it reads") {
  check_loop(
      R"(fn f(n: i64, m: i64, xs: [n]i32, ys: [n]i32, zs: [n][m]i32) -> ([n]i32, [n]i32, [n][m]i32, [n]i32) {
  a: [n]i32, b: [n]i32, c: [n][m]i32, u: [n]i32 = for 80i64 (xs, ys, zs, ys) { (t: i64, a1: [n]i32, b1: [n]i32, c1: [n][m]i32, u1: [n]i32)
    k: i32 = convert t
    d: [n]i32 = soac n (a1, b1) { (i: i64, x: i32, y: i32)
      p: i32 = mul x 7i32
      q: i32 = sub p y
      o: i32 = rem q 10007i32
      e: i32 = add o k
      yield e
    } map
    g: [n]i32 = soac n (d, ys) { (i2: i64, x2: i32, y2: i32)
      left: i64 = add i2 -3i64
      l: i64 = max left 0i64
      z: i32 = index d[l]
      p2: i32 = xor z x2
      o2: i32 = sub p2 y2
      yield o2
    } map
    yield g, a1, c1, d
  }
  ret a, b, c, u
})");
}

TEST_CASE("a thread of a team waits for neighbours that have more to do") {
  // The first row of the second one's, where there are two and 128 rows.
  check_loop(diffusion({.first = R"(        is_slow: bool = eq i 64i64
        count: i64 = select is_slow 200i64 0i64
        slow: i32 = for count (y) { (step: i64, y3: i32)
          y4: i32 = mul y3 7i32
          y5: i32 = xor y4 x
          y6: i32 = rem y5 10007i32
          yield y6
        }
        fine: bool = ne slow 1000000i32
        check fine, "slow"
)"}));
}

TEST_CASE("a loop of a team is interrupted") {
  const std::shared_ptr<Executable> executable = compile(R"(fn f(n: i64, count: i64) -> i64 {
  xs: [n]i64 = soac n () { (i: i64)
    yield i
  } map
  r: i64, as: [n]i64 = for count (0i64, xs) { (t: i64, r1: i64, as1: [n]i64)
    s: i64 = soac n (as1) { (j: i64, x: i64)
      yield x
    } reduce (0i64) { (a: i64, b: i64)
      c: i64 = add a b
      yield c
    }
    bs: [n]i64 = soac n (as1) { (k: i64, y: i64)
      z: i64 = xor y s
      yield z
    } map
    yield s, bs
  }
  ret r
})");
  for (const unsigned threads : {1u, 2u})
    for (const std::int64_t n : {10, 1000, 100'000}) {
      auto least = std::chrono::steady_clock::duration::max();
      for (int round = 0; round < 5 && least >= std::chrono::milliseconds(100); ++round) {
        MemoryBudget memory;
        InterruptSource interrupt;
        const RunContext context{.memory = &memory,
                                 .interrupt = &interrupt,
                                 .epoch = interrupt.epoch(),
                                 .threads = threads};
        std::chrono::steady_clock::time_point raised;
        std::thread stopper([&] {
          std::this_thread::sleep_for(std::chrono::milliseconds(30));
          raised = std::chrono::steady_clock::now();
          interrupt.raise(InterruptSource::Reason::Interrupt);
        });
        const Outcome outcome =
            executable->run({Scalar::of(n), Scalar::of(std::int64_t{1} << 40)}, context);
        const auto stopped = std::chrono::steady_clock::now();
        stopper.join();
        REQUIRE(std::holds_alternative<Stopped>(outcome));
        CHECK(std::get<Stopped>(outcome).why == Stopped::Why::Interrupted);
        CHECK(memory.in_use() == 0);
        least = std::min(least, stopped - raised);
      }
      CHECK(least < std::chrono::milliseconds(100));
    }
}
