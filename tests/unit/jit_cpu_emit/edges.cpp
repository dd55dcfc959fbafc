// Stencils with clamped indices: neighbours that are vectors moved by one element, and lanes whose
// indices follow each other up to a bound.
#include "jit/emit/edge_reads.h"
#include "jit/ir/parse.h"
#include "jit/ir/verify.h"
#include "kernel_runner.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <limits>
#include <random>
#include <string>
#include <variant>

using namespace sinter;
using namespace sinter::jit;
using Processor = RunnerOptions::Processor;

namespace {

const ir::Soac& stencil_soac(const ir::Function& function) {
  return std::get<ir::Soac>(function.body.statements.back().operation);
}

/// The statements of `always` are those of the branch that may be taken for all elements.
std::string clamped_stencil(const std::string& element, const std::string& always,
                            const std::string& condition = "    p: bool = lt j 0i64\n") {
  return "fn stencil(n: i64, last: i64, low: i64, inside: bool, xs: [n]" + element + ", ys: [n]" +
         element + ") -> [n]" + element + " {\n  r: [n]" + element +
         " = soac n () { (j: i64)\n    a: i64 = add j -1i64\n    b: i64 = add j 1i64\n" +
         condition + "    z: " + element + " = if p {\n      q: " + element +
         " = index xs[j]\n      yield q\n    } else always {\n" + always +
         "      yield s\n    }\n    yield z\n  } map\n  ret r\n}\n";
}

const std::string west = "      w: i64 = max a 0i64\n      x: f32 = index xs[w]\n";
const std::string east = "      e: i64 = min last b\n      y: f32 = index xs[e]\n";
const std::string centre = "      c: f32 = index xs[j]\n";
const std::string west_and_east = "      s: f32 = add x y\n";

std::optional<EdgeReads> edge_reads_of(const std::string& text) {
  const ir::Function function = ir::parse(text);
  CHECK(ir::verify(function).value_or("") == "");
  return edge_reads(function, stencil_soac(function));
}

} // namespace

TEST_CASE("which reads are a vector moved by one element") {
  const auto both = edge_reads_of(clamped_stencil("f32", centre + west + east + west_and_east));
  REQUIRE(both);
  REQUIRE(both->rows.size() == 1);
  CHECK(both->rows[0].at.size() == 1);
  CHECK(both->rows[0].before.size() == 1);
  CHECK(both->rows[0].after.size() == 1);
  CHECK(both->clamps.size() == 2);
  CHECK(both->preconditions.empty());
  // What lies between two that are read is there; beside one it need not be.
  CHECK(edge_reads_of(clamped_stencil("f32", west + east + west_and_east)));
  CHECK(!edge_reads_of(clamped_stencil("f32", west + "      s: f32 = add x x\n")));
  CHECK(edge_reads_of(clamped_stencil("f32", centre + west + "      s: f32 = add x c\n")));
  CHECK(!edge_reads_of(
      clamped_stencil("f32", west + "      y: f32 = index ys[j]\n" + west_and_east)));
  // Farther neighbours, indices that are read, and small elements.
  CHECK(!edge_reads_of(
      clamped_stencil("f32", centre + "      d: i64 = add j 3i64\n      e: i64 = min last d\n"
                                      "      y: f32 = index xs[e]\n      s: f32 = add c y\n")));
  CHECK(!edge_reads_of(
      clamped_stencil("i64", "      d: i64 = index ys[j]\n      s: i64 = index xs[d]\n")));
  CHECK(
      !edge_reads_of(clamped_stencil("u8", "      w: i64 = max a 0i64\n      x: u8 = index xs[w]\n"
                                           "      c: u8 = index xs[j]\n      s: u8 = add x c\n")));
  // Branches of which one is for its elements alone.
  std::string other = clamped_stencil("f32", centre + west + east + west_and_east);
  other.erase(other.find("always"), 6);
  CHECK(!edge_reads_of(other));
}

TEST_CASE("what has to hold for all checks to") {
  const auto checked = edge_reads_of(
      clamped_stencil("f32", centre + west +
                                 "      check inside, \"row\"\n      e: i64 = min last b\n"
                                 "      t: bool = lt e n\n      check t, \"column\"\n"
                                 "      y: f32 = index xs[e]\n" +
                                 west_and_east));
  REQUIRE(checked);
  CHECK(checked->checked_outside.size() == 1);
  CHECK(checked->checked.size() == 1);
  REQUIRE(checked->preconditions.size() == 1);
  CHECK(checked->preconditions[0].order == primitives::Operation::Less);
  // (The index is not clamped from there; a condition of other values.)
  CHECK(
      !edge_reads_of(clamped_stencil("f32", centre + west +
                                                "      t: bool = lt w last\n      check t, \"no\"\n"
                                                "      s: f32 = add x c\n")));
  CHECK(!edge_reads_of(clamped_stencil("f32", centre + west +
                                                  "      t: bool = lt x c\n      check t, \"no\"\n"
                                                  "      s: f32 = add x c\n")));
}

namespace {

/// A stencil of some rows, with reads in any order.  Where indices are clamped twice, the bounds
/// may be in the wrong order.
std::string random_clamped_stencil(std::mt19937& random, bool has_checks) {
  const auto one_of = [&](std::initializer_list<const char*> words) {
    return std::string(words.begin()[random() % words.size()]);
  };
  std::string reads, sum;
  int count = 0;
  const auto add = [&](const std::string& name) {
    ++count;
    const std::string number = std::to_string(count);
    reads += "      s" + number +
             ": f32 = " + (sum.empty() ? "add 1.0f32 " : one_of({"sub ", "add "}) + sum + " ") +
             name + "\n";
    sum = "s" + number;
  };
  for (const std::string array : {"xs", "ys"}) {
    const int kinds = 1 + static_cast<int>(random() % 7);
    const int rotation = static_cast<int>(random() % 3);
    const std::string distance = one_of({"1i64", "1i64", "2i64"});
    for (int shift = 0; shift < 3; ++shift) {
      const int kind = (shift + rotation) % 3;
      if (!(kinds >> kind & 1)) continue;
      const std::string id = array + std::to_string(shift);
      const std::string from = kind == 0 ? "j" : "n" + id;
      if (kind != 0)
        reads += "      n" + id + ": i64 = add j " + (kind == 1 ? "-" : "") + distance + "\n";
      const bool is_clamped = kind != 0 || random() % 4 == 0;
      if (is_clamped)
        reads += "      l" + id + ": i64 = max " + from + " " + one_of({"0i64", "low", "low"}) +
                 "\n      m" + id + ": i64 = min last l" + id + "\n";
      if (has_checks && is_clamped)
        reads += "      t" + id + ": bool = lt m" + id + " n\n      check t" + id + ", \"" + id +
                 "\"\n      u" + id + ": bool = le 0i64 m" + id + "\n      check u" + id +
                 ", \"low" + id + "\"\n";
      reads +=
          "      x" + id + ": f32 = index " + array + "[" + (is_clamped ? "m" + id : from) + "]\n";
      add("x" + id);
    }
  }
  if (has_checks) reads += "      check inside, \"row\"\n";
  // (No element may take the faster branch.)
  return clamped_stencil("f32", reads + "      s: f32 = mul " + sum + " 1.5f32\n",
                         "    p: bool = ge a n\n");
}

} // namespace

TEST_CASE("stencils with clamped indices") {
  std::mt19937 random(11);
  constexpr std::uint64_t rounds = some_of(16, 3);
  std::uint64_t moved = 0;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const std::string text = random_clamped_stencil(random, round % 2 == 0);
    CAPTURE(text);
    const ir::Function function = ir::parse(text);
    REQUIRE(ir::verify(function).value_or("") == "");
    moved += edge_reads(function, stencil_soac(function)).has_value();
    KernelRunner kernel(function);
    const std::int64_t lengths[] = {1, 2, 5, 15, 16, 17, 31, 32, 33, 64, 130, 200};
    for (int run = 0; run < 6; ++run) {
      const std::int64_t n = lengths[random() % std::size(lengths)];
      const std::int64_t lasts[] = {n - 1, n - 1, n - 1, n - 2, n / 2, 0, n};
      const std::int64_t lows[] = {0, 0, 1, n / 3, n - 1, -1};
      std::int64_t last = lasts[random() % (round % 2 == 0 ? 7 : 5)];
      std::int64_t low = lows[random() % (round % 2 == 0 ? 6 : 4)];
      if (round % 2 != 0) last = std::max<std::int64_t>(last, 0), low = std::min(low, n - 1);
      const bool inside = round % 2 != 0 || random() % 8 != 0;
      CAPTURE(n);
      CAPTURE(last);
      CAPTURE(low);
      CAPTURE(inside);
      const auto floats = [&] {
        ir::DenseArray result{ElementType::F32, {n}, {}};
        for (std::int64_t i = 0; i < n; ++i)
          result.elements.push_back(Scalar::of(static_cast<float>(random() % 1000) / 7));
        return result;
      };
      const std::vector<ir::DenseValue> arguments = {
          Scalar::of(n), Scalar::of(last), Scalar::of(low), Scalar::of(inside), floats(), floats()};
      const ir::Evaluation expected = ir::evaluate(function, arguments);
      for (const Processor processor : {Processor::Host, Processor::Avx2, Processor::Sse2}) {
        if (!can_run(processor)) continue;
        // (Each takes as long to compile as hundreds of runs: none that is another one.)
        if (processor == Processor::Host && !can_run(Processor::Avx512)) continue;
        for (const unsigned lanes : {4u, 16u}) {
          if (processor == Processor::Sse2 && lanes != 4) continue;
          for (const std::int64_t chunk : {std::int64_t{1} << 30, std::int64_t{37}})
            for (const bool streamed : {false, true}) {
              if (streamed && chunk == 37) continue;
              CAPTURE(lanes);
              CAPTURE(chunk);
              CAPTURE(streamed);
              const ir::Evaluation result = kernel.run(
                  arguments,
                  {.lanes = lanes, .chunk = chunk, .streamed = streamed, .processor = processor});
              // (Lanes meet a check together: which one it is the launcher finds out.)
              if (std::holds_alternative<std::uint32_t>(expected))
                CHECK(std::holds_alternative<std::uint32_t>(result));
              else
                CHECK(result == expected);
            }
        }
      }
    }
  }
  CHECK(moved * 4 >= rounds);
  CHECK(moved < rounds);
}

TEST_CASE("lanes on a line up to bounds, which may wrap") {
  // Farther neighbours, in both directions; of elements of each size.
  for (const std::string element : {"i8", "i16", "i32", "i64", "f64", "bool"}) {
    const std::string text = clamped_stencil(element,
                                             "      c: i64 = add j low\n      d: i64 = max c 0i64\n"
                                             "      e: i64 = min d last\n      s: " +
                                                 element + " = index xs[e]\n",
                                             "    f: i64 = add j low\n    g: i64 = max f 0i64\n"
                                             "    p: bool = lt g -1i64\n");
    const ir::Function function = ir::parse(text);
    REQUIRE(ir::verify(function).value_or("") == "");
    KernelRunner kernel(function);
    for (const std::int64_t n : {1, 7, 16, 40, 130})
      for (const std::int64_t low :
           {std::int64_t{-40}, std::int64_t{-3}, std::int64_t{2}, std::int64_t{100},
            std::numeric_limits<std::int64_t>::max() - 5,
            std::numeric_limits<std::int64_t>::min() + 3}) {
        CAPTURE(element);
        CAPTURE(n);
        CAPTURE(low);
        ir::DenseArray xs{ir::parse("fn f(x: " + element + ") -> " + element + " { ret x }")
                              .values[0]
                              .type.element,
                          {n},
                          {}};
        for (std::int64_t i = 0; i < n; ++i)
          xs.elements.push_back(element == "bool"  ? Scalar::of(i % 3 == 0)
                                : element == "f64" ? Scalar::of(static_cast<double>(i))
                                : element == "i8"  ? Scalar::of(static_cast<std::int8_t>(i))
                                : element == "i16" ? Scalar::of(static_cast<std::int16_t>(i))
                                : element == "i32" ? Scalar::of(static_cast<std::int32_t>(i))
                                                   : Scalar::of(i));
        const std::vector<ir::DenseValue> arguments = {
            Scalar::of(n), Scalar::of(n - 1), Scalar::of(low), Scalar::of(true), xs, xs};
        for (const unsigned lanes : {4u, 16u})
          CHECK(kernel.run(arguments, {.lanes = lanes}) == ir::evaluate(function, arguments));
      }
  }
}

TEST_CASE("a row is read once, its neighbours are moved") {
  const std::string text = kernel_text(
      ir::parse(clamped_stencil("f32", centre + west + east + west_and_east)), {.lanes = 16});
  CHECK(text.find("masked.gather") == std::string::npos);
  CHECK(text.find("shufflevector <16 x float>") != std::string::npos);
}
