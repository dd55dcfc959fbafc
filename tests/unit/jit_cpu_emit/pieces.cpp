// Conditions on the index of a SOAC: where they change, which are found, and kernels that run the
// ranges between the changes apart.
#include "jit/emit/index_predicates.h"
#include "jit/ir/parse.h"
#include "jit/ir/verify.h"
#include "kernel_runner.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <ostream>
#include <random>
#include <string>

using namespace sinter;
using namespace sinter::jit;
using primitives::Operation;

namespace {

constexpr Operation comparisons[] = {Operation::Less,    Operation::LessEqual,
                                     Operation::Greater, Operation::GreaterEqual,
                                     Operation::Equal,   Operation::NotEqual};

bool holds(Operation order, int left, int right) {
  switch (order) {
  case Operation::Less:
    return left < right;
  case Operation::LessEqual:
    return left <= right;
  case Operation::Greater:
    return left > right;
  case Operation::GreaterEqual:
    return left >= right;
  case Operation::Equal:
    return left == right;
  default:
    return left != right;
  }
}

/// Wrapping numbers of eight bits: all of them can be tried.
struct Small {
  int value = 0;
  static Small of(int number) { return {static_cast<signed char>(number & 0xff)}; }
  friend Small operator+(Small a, Small b) { return of(a.value + b.value); }
  friend Small operator-(Small a, Small b) { return of(a.value - b.value); }
};

const ir::Soac& only_soac(const ir::Function& function) {
  return std::get<ir::Soac>(function.body.statements.back().operation);
}

std::vector<IndexPredicate> predicates_of(const std::string& body) {
  return index_predicates(
      only_soac(ir::parse("fn f(n: i64, k: i64, xs: [n]i32, ks: [n]i64) -> [n]i32 {\n"
                          "  r: [n]i32 = soac n (ks) { (j: i64, w: i64)\n" +
                          body + "    yield z\n  } map\n  ret r\n}\n")));
}

/// A branch that reads an array is worth a jump.
const std::string branch = "    z: i32 = if p {\n      x: i32 = index xs[j]\n      yield x\n"
                           "    } else {\n      yield 0i32\n    }\n";

} // namespace

TEST_CASE("a comparison with the index changes where it is said to, wrapping numbers included") {
  for (const Operation order : comparisons)
    for (int offset = -128; offset < 128; ++offset)
      for (int bound = -128; bound < 128; bound += 1 + (offset & 3)) {
        std::vector<int> changes;
        for_each_change(order, Small{offset}, Small{bound}, Small{1}, Small{-128},
                        [&](Small change) { changes.push_back(change.value); });
        int surprises = 0;
        for (int index = 1; index < 128; ++index) {
          const auto value = [&](int at) {
            return holds(order, (Small{at} + Small{offset}).value, bound);
          };
          const bool is_told = std::find(changes.begin(), changes.end(), index) != changes.end();
          surprises += value(index) != value(index - 1) && !is_told;
        }
        CAPTURE(static_cast<int>(order));
        CAPTURE(offset);
        CAPTURE(bound);
        REQUIRE(surprises == 0);
      }
}

TEST_CASE("conditions on the index are found") {
  const auto one = predicates_of("    p: bool = lt j k\n" + branch);
  REQUIRE(one.size() == 1);
  CHECK(one[0].order == Operation::Less);
  CHECK(one[0].constant == 0);
  CHECK(one[0].terms.empty());

  // With the index on the right, behind sums and differences.
  const auto far = predicates_of("    a: i64 = add 2i64 j\n"
                                 "    b: i64 = sub a k\n"
                                 "    c: i64 = add b n\n"
                                 "    d: i64 = sub c 5i64\n"
                                 "    p: bool = le n d\n" +
                                 branch);
  REQUIRE(far.size() == 1);
  CHECK(far[0].order == Operation::GreaterEqual);
  CHECK(far[0].constant == -3);
  REQUIRE(far[0].terms.size() == 2);
  CHECK(far[0].terms[0].is_subtracted);
  CHECK(!far[0].terms[1].is_subtracted);

  // Together, and inside of branches.
  CHECK(predicates_of("    q: bool = eq j 0i64\n"
                      "    s: bool = ge j k\n"
                      "    p: bool = or q s\n"
                      "    z: i32 = if p {\n"
                      "      yield 1i32\n"
                      "    } else {\n"
                      "      a: i64 = add j -1i64\n"
                      "      t: bool = ge a 0i64\n"
                      "      x: i32 = index xs[a]\n"
                      "      y: i32 = select t x 2i32\n"
                      "      yield y\n"
                      "    }\n")
            .size() == 3);
}

TEST_CASE("other conditions are not taken for such") {
  // Not the index itself; a bound or an offset that differs between elements; a negative index; a
  // condition with one that differs.
  CHECK(predicates_of("    p: bool = lt w k\n" + branch).empty());
  CHECK(predicates_of("    p: bool = lt j w\n" + branch).empty());
  CHECK(predicates_of("    a: i64 = add j w\n    p: bool = lt a k\n" + branch).empty());
  CHECK(predicates_of("    a: i64 = sub k j\n    p: bool = lt a k\n" + branch).empty());
  CHECK(predicates_of("    a: i64 = mul j k\n    p: bool = lt a k\n" + branch).empty());
  CHECK(
      predicates_of("    q: bool = lt j k\n    s: bool = lt w k\n    p: bool = and q s\n" + branch)
          .empty());
  // Branches that are cheaper than a jump.
  CHECK(predicates_of("    p: bool = lt j k\n    z: i32 = if p {\n      yield 1i32\n"
                      "    } else {\n      yield 0i32\n    }\n")
            .empty());
}

namespace {

/// A stencil with random conditions around reads that only they make legal.
std::string random_stencil(std::mt19937& random) {
  const auto one_of = [&](std::initializer_list<const char*> words) {
    return std::string(words.begin()[random() % words.size()]);
  };
  std::string conditions, reads, sum = "x";
  const int count = 1 + static_cast<int>(random() % 3);
  std::string all = "inside";
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    const std::string by = one_of({"-1i64", "1i64", "0i64", "-3i64", "7i64", "k", "-20i64"});
    const std::string at = "    a" + number + ": i64 = " + one_of({"add", "sub"}) + " j " + by;
    conditions += at + "\n    l" + number + ": bool = ge a" + number + " 0i64\n    h" + number +
                  ": bool = lt a" + number + " n\n    i" + number + ": bool = and l" + number +
                  " h" + number + "\n";
    conditions += "    all" + number + ": bool = and " + all + " i" + number + "\n";
    all = "all" + number;
    reads += "      x" + number + ": i32 = index xs[a" + number + "]\n      s" + number +
             ": i32 = add " + sum + " x" + number + "\n";
    sum = "s" + number;
  }
  return "fn stencil(n: i64, k: i64, xs: [n]i32) -> [n]i32 {\n"
         "  r: [n]i32 = soac n (xs) { (j: i64, x: i32)\n"
         "    inside: bool = " +
         one_of({"lt", "le", "gt", "ge", "eq", "ne"}) + " j " +
         one_of({"k", "n", "3i64", "0i64", "-1i64", "17i64"}) + "\n" + conditions +
         "    z: i32 = if " + all + " {\n" + reads + "      yield " + sum +
         "\n    } else {\n      y: i32 = mul x 100i32\n"
         "      few: bool = lt j 9i64\n"
         "      w: i32 = if few {\n        v: i32 = index xs[j]\n        u: i32 = add v y\n"
         "        yield u\n      } else {\n        yield y\n      }\n      yield w\n    }\n"
         "    yield z\n  } map\n  ret r\n}\n";
}

} // namespace

TEST_CASE("stencils with random conditions on the index") {
  std::mt19937 random(7);
  const std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  for (int round = 0; round < 24; ++round) {
    const std::string text = random_stencil(random);
    CAPTURE(text);
    const ir::Function function = ir::parse(text);
    REQUIRE(ir::verify(function).value_or("") == "");
    REQUIRE(!index_predicates(only_soac(function)).empty());
    KernelRunner kernel(function);
    const std::int64_t lengths[] = {0, 1, 2, 5, 15, 16, 17, 33, 48, 130};
    const std::int64_t numbers[] = {0, 1, 2, 5, -1, 16, 40, 129, greatest, -greatest - 1};
    for (int run = 0; run < 3; ++run) {
      const std::int64_t n = lengths[random() % std::size(lengths)];
      const std::int64_t k = numbers[random() % std::size(numbers)];
      CAPTURE(n);
      CAPTURE(k);
      ir::DenseArray xs{ElementType::I32, {n}, {}};
      for (std::int64_t i = 0; i < n; ++i)
        xs.elements.push_back(Scalar::of(static_cast<std::int32_t>(random() % 1000)));
      const std::vector<ir::DenseValue> arguments = {Scalar::of(n), Scalar::of(k), xs};
      const ir::Evaluation expected = ir::evaluate(function, arguments);
      for (const unsigned lanes : {4u, 16u})
        for (const std::int64_t chunk : {std::int64_t{1} << 30, std::int64_t{37}})
          for (const bool streamed : {false, true}) {
            if (streamed && chunk == 37) continue;
            CAPTURE(lanes);
            CAPTURE(chunk);
            CAPTURE(streamed);
            CHECK(kernel.run(arguments, {.lanes = lanes, .chunk = chunk, .streamed = streamed}) ==
                  expected);
          }
    }
  }
}

TEST_CASE("the first failing element is told, whichever range it is in") {
  // Elements below k fail in one way, those from k on in another; nothing before m.
  const ir::Function function = ir::parse(R"(fn f(n: i64, k: i64, m: i64, xs: [n]i32) -> [n]i32 {
    r: [n]i32 = soac n () { (j: i64)
      p: bool = lt j k
      q: bool = lt j m
      z: i32 = if p {
        check q, "low"
        x: i32 = index xs[j]
        yield x
      } else {
        check q, "high"
        v: i32 = index xs[j]
        w: i32 = add v 1i32
        yield w
      }
      yield z
    } map
    ret r
  })");
  KernelRunner kernel(function);
  const std::int64_t n = 100;
  ir::DenseArray xs{ElementType::I32, {n}, std::vector<Scalar>(n, Scalar::of(std::int32_t{5}))};
  for (const std::int64_t k : {0, 30, 64, 200})
    for (const std::int64_t m : {0, 31, 63, 64, 99})
      for (const unsigned lanes : {1u, 16u}) {
        CAPTURE(k);
        CAPTURE(m);
        CAPTURE(lanes);
        const std::vector<ir::DenseValue> arguments = {Scalar::of(n), Scalar::of(k), Scalar::of(m),
                                                       xs};
        CHECK(kernel.run(arguments, {.lanes = lanes}) == ir::evaluate(function, arguments));
      }
}

namespace {

/// LLVM's text of a stencil of two points, one of them `xs[j-1]`.
std::string stencil_text(const std::string& other) {
  return kernel_text(ir::parse(R"(fn f(n: i64, xs: [n]f32, ys: [n]f32) -> [n]f32 {
    r: [n]f32 = soac n () { (j: i64)
      a: i64 = add j -1i64
      p: bool = ge a 0i64
      z: f32 = if p {
        x: f32 = index xs[a]
        y: f32 = index )" + other +
                               R"(
        s: f32 = add x y
        yield s
      } else {
        w: f32 = index xs[j]
        yield w
      }
      yield z
    } map
    ret r
  })"),
                     {.lanes = 16});
}

} // namespace

TEST_CASE("the inner range of a stencil has neither masks nor gathered loads") {
  const std::string text = stencil_text("xs[j]");
  CHECK(text.find("masked.gather") == std::string::npos);
  CHECK(text.find("load <16 x float>") != std::string::npos);
}

TEST_CASE("what a stencil reads once is fetched ahead, its neighbours are not") {
  const auto fetches = [](const std::string& other) {
    return stencil_text(other).find("call void @llvm.prefetch") != std::string::npos;
  };
  CHECK(fetches("ys[j]"));
  CHECK(!fetches("xs[j]"));
}
