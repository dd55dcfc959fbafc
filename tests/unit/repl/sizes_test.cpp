// Sizes are no reason to compile again: the whole way, down to the code of the kernels.
#include "repl/session/session.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstdlib>

using namespace sinter;

namespace {

/// What of a program has been compiled so far.
struct Compiled {
  std::size_t regions = 0, kernels = 0, versions = 0;
  friend bool operator==(const Compiled&, const Compiled&) = default;
};

Compiled compiled(repl::Session& session) {
  Compiled counts;
  for (const jit::RegionReport& region : session.report().regions) {
    CHECK_MESSAGE(region.state == jit::RegionReport::State::Compiled, region.name << region.reason);
    ++counts.regions;
    counts.kernels += region.kernels.size();
    for (const jit::KernelReport& kernel : region.kernels) {
      CHECK(kernel.not_compiled == "");
      counts.versions += kernel.versions;
    }
  }
  return counts;
}

struct Program {
  const char* name;
  const char* text;                   ///< of `main (n: i64) : i64`
  std::array<std::int64_t, 5> wanted; ///< for the sizes below
};
constexpr std::array<std::int64_t, 5> sizes = {10, 1'000, 1'000'000, 1, 0};

constexpr Program programs[] = {
    {"map",
     "let xs = map (\\i -> i * 3) (iota n) in if n > 0 then (xs with [0] = -7)[n - 1] else -1",
     {27, 2'997, 2'999'997, -7, -1}},
    {"reduce", "i64.sum (map (% 10) (iota n))", {45, 4'500, 4'500'000, 0, 0}},
    {"scan",
     "let xs = scan (+) 0 (iota n) in if n > 0 then xs[n - 1] else -1",
     {45, 499'500, 499'999'500'000, 0, -1}},
    {"filter", "length (filter (\\i -> i % 5 == 0) (iota n))", {2, 200, 200'000, 1, 0}},
    {"nested map and reduce",
     "i64.maximum (map (\\i -> i64.sum (map (\\j -> (i + j) % 10) (iota 10))) (iota n))",
     {45, 45, 45, 45, INT64_MIN}},
    {"nest of two sizes",
     "let m = i64.min n 100 in i64.sum (map (\\i -> i64.sum (map (\\j -> i - j) (iota m))) (iota "
     "n))",
     {0, 45'000'000, 49'995'000'000'000, 0, 0}},
    {"histogram",
     "let h = hist (+) 0 8 (map (% 8) (iota n)) (replicate n 1) in h[0] * 10 + h[7]",
     {21, 1'375, 1'375'000, 10, 0}},
};

} // namespace

TEST_CASE("a program is compiled once for all sizes") {
  setenv("SINTER_CACHE", "off", 1);
  for (const Program& program : programs) {
    INFO(std::string(program.name));
    const tests::TemporaryFolder folder;
    repl::SessionOptions options;
    options.acceleration.mode = jit::Mode::Jit;
    repl::Session session(options);
    REQUIRE(session
                .load(folder.write("sizes.fut", std::string("entry main (n: i64) : i64 = ") +
                                                    program.text + "\n"))
                .ok());
    const core::EntryPoint entry = session.specialiser().entry_point(*session.loaded(), "main");
    Compiled first;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      CAPTURE(sizes[i]);
      const Value result = session.evaluator().call(*entry.function, {Value(Scalar::of(sizes[i]))});
      CHECK(result.scalar().as<std::int64_t>() == program.wanted[i]);
      if (i == 0) first = compiled(session);
      CHECK(compiled(session) == first);
    }
    CHECK(first.regions == 1);
    CHECK(first.versions >= 1);
    CHECK(first.versions == first.kernels);
  }
}
