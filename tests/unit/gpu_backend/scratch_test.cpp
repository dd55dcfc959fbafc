// Arrays inside of bodies: scratch memory of threads, whose parts lie between each other.
#include "gpu/ptx/lower.h"
#include "gpu/skeletons/entry_words.h"
#include "gpu/skeletons/skeletons.h"
#include "recorded.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <set>
#include <string>

using namespace sinter;
using namespace sinter::test;

namespace {

/// Neighbouring threads have arrays of i64 and of i16 at the same time, and of the other kind in
/// the next iteration.
constexpr std::string_view of_two_kinds = R"(fn f(n: i64, m: i64, k: i64, xs: [n]i64) -> [n]i64 {
  rs: [n]i64 = soac n (xs) { (i: i64, x: i64)
    s: i64 = for k (x) { (q: i64, state: i64)
      t: i64 = and state 1i64
      is_wide: bool = lt t 1i64
      u: i64 = if is_wide {
        as: [m]i64 = soac m () { (j: i64)
          v: i64 = add j state
          yield v
        } map
        bs: [m]i64 = soac m (as) { (j1: i64, a: i64)
          yield a
        } scan (0i64) { (c: i64, d: i64)
          e: i64 = add c d
          yield e
        }
        l: i64 = sub m 1i64
        w: i64 = index bs[l]
        h: i64 = index as[t]
        g: i64 = add w h
        yield g
      } else {
        narrow: i16 = convert state
        as1: [m]i16 = soac m () { (j2: i64)
          j3: i16 = convert j2
          v1: i16 = add j3 narrow
          yield v1
        } map
        bs1: [m]i16 = soac m (as1) { (j4: i64, a1: i16)
          yield a1
        } scan (0i16) { (c1: i16, d1: i16)
          e1: i16 = add c1 d1
          yield e1
        }
        l1: i64 = sub m 1i64
        w1: i16 = index bs1[l1]
        h1: i16 = index as1[0i64]
        g1: i16 = add w1 h1
        g2: i64 = convert g1
        yield g2
      }
      o: i64 = add u q
      yield o
    }
    yield s
  } map
  ret rs
})";

/// How long an array is follows from elements.
constexpr std::string_view by_elements = R"(fn f(n: i64, xs: [n]i64) -> [n]i64 {
  rs: [n]i64 = soac n (xs) { (i: i64, x: i64)
    as: [x]i64 = soac x () { (j: i64)
      v: i64 = mul j i
      yield v
    } map
    bs: [x]i64 = soac x (as) { (j1: i64, a: i64)
      yield a
    } scan (0i64) { (c: i64, d: i64)
      e: i64 = add c d
      yield e
    }
    l: i64 = sub x 1i64
    w: i64 = index bs[l]
    h: i64 = index as[l]
    r: i64 = add w h
    yield r
  } map
  ret rs
})";

/// How long an array is follows from how often a loop has gone round.
constexpr std::string_view grown = R"(fn f(n: i64, k: i64, xs: [n]i64) -> [n]i64 {
  rs: [n]i64 = soac n (xs) { (i: i64, x: i64)
    s: i64 = for k (1i64) { (q: i64, length: i64)
      longer: i64 = mul length 3i64
      yield longer
    }
    as: [s]i64 = soac s () { (j: i64)
      v: i64 = mul j i
      yield v
    } map
    bs: [s]i64 = soac s (as) { (j1: i64, a: i64)
      yield a
    } scan (0i64) { (c: i64, d: i64)
      e: i64 = add c d
      yield e
    }
    l: i64 = sub s 1i64
    w: i64 = index bs[l]
    r: i64 = add w x
    yield r
  } map
  ret rs
})";

gpu::KernelEntries entries_of(std::string_view text) {
  const ir::Function function = ir::parse(text);
  return gpu::make_entries(function, {ir::ArrayLayouts(function.body.parameters.size())});
}

/// By region, at such arguments' words.
std::array<std::optional<std::uint64_t>, gpu::scratch_regions>
sizes_at(std::string_view text, const std::vector<std::uint64_t>& arguments) {
  const gpu::KernelEntries entries = entries_of(text);
  REQUIRE(entries.uses_scratch);
  std::vector<std::uint64_t> words(static_cast<std::size_t>(gpu::Word::FirstOfLists));
  words.insert(words.end(), arguments.begin(), arguments.end());
  words.resize(gpu::most_entry_words);
  return entries.scratch.at(words);
}

} // namespace

TEST_CASE("arrays of elements of two sizes are each thread's own, given back and taken again") {
  for (const std::uint64_t seed : {0, 1, 2}) {
    const Recorded both(of_two_kinds, {.seed = seed});
    generate::Random random(seed);
    for (const std::int64_t m : {40, 333})
      for (const std::int64_t n : {1, 70, 300})
        both.check({Scalar::of(n), Scalar::of(m), Scalar::of(std::int64_t{6}),
                    array_of(ElementType::I64, {n}, random, below(1000))});
  }
}

TEST_CASE("few threads take no more scratch memory than they have neighbours") {
  // 6 MB a thread, where all threads of a launch have 16: as those of whole warps there is no room.
  const Both both(of_two_kinds);
  generate::Random random(5);
  for (const std::int64_t n : {1, 2})
    both.check({Scalar::of(n), Scalar::of(std::int64_t{300'000}), Scalar::of(std::int64_t{2}),
                array_of(ElementType::I64, {n}, random, below(1000))});
}

TEST_CASE("threads count their turns once, from the beginning to the end") {
  const std::string text = gpu::to_ptx(entries_of(of_two_kinds).module, 80).text;
  CAPTURE(text);
  const std::regex look(R"(and\.b32\s+%r\d+, (%r\d+), 1023;)");
  std::set<std::string> counters;
  for (std::sregex_iterator at(text.begin(), text.end(), look), end; at != end; ++at)
    counters.insert((*at)[1]);
  REQUIRE(counters.size() == 1);
  const std::regex zero("mov\\.(b|u)32\\s+" + *counters.begin() + ", (0|%r\\d+);");
  const std::ptrdiff_t zeros =
      std::distance(std::sregex_iterator(text.begin(), text.end(), zero), std::sregex_iterator());
  CHECK(zeros == 1);
}

TEST_CASE("scratch memory is what sizes say, and nobody waits for a launch to say more") {
  const Recorded both(of_two_kinds);
  generate::Random random(3);
  for (const std::int64_t m : {300, 5000, 40})
    CHECK(both.check({Scalar::of(std::int64_t{50}), Scalar::of(m), Scalar::of(std::int64_t{3}),
                      array_of(ElementType::I64, {50}, random, below(1000))})
              .size() == 1);
  const auto sizes = sizes_at(of_two_kinds, {50, 333, 3, 0, 1});
  CHECK(sizes[0] == 333 * 8 * 2);
  CHECK(sizes[1] == 0);
  CHECK(sizes[2] == (333 * 2 * 2 + 7) / 8 * 8);
  CHECK(sizes[3] == 0);
}

TEST_CASE("what follows from elements is not known before, and grows by launches") {
  const Recorded both(by_elements);
  const Element length = [](generate::Random& numbers, std::int64_t) {
    return Scalar::of(static_cast<std::int64_t>(1 + numbers.below(3000)));
  };
  generate::Random random(4);
  const auto launches = [&] {
    return both
        .check({Scalar::of(std::int64_t{60}), array_of(ElementType::I64, {60}, random, length)})
        .size();
  };
  CHECK(launches() > 1);
  CHECK(launches() <= 2);
  const auto sizes = sizes_at(by_elements, {60, 0, 1});
  CHECK(!sizes[0]);
  CHECK(sizes[1] == 0);
}

TEST_CASE("why launches are waited for is told: what the amount of scratch memory follows from") {
  const auto why = [](std::string_view text) {
    const DevicePlace emulated;
    const auto executable = emulated.executable(ir::parse(text));
    executable->compile_all();
    return executable->kernels(false).at(0).facts.why_waits;
  };
  CHECK(why(by_elements) ==
        "how much scratch memory a thread takes follows from elements of arrays");
  CHECK(why(of_two_kinds) == "");
  CHECK(entries_of(of_two_kinds).scratch.reason() == "");
  CHECK(entries_of(grown).scratch.reason() == "numbers that a loop changes");
}
