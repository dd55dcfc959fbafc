// What goes by pieces gives the bits of the whole, however it is cut.
#include "jit/passes/streams.h"

#include "jit/ir/evaluate.h"
#include "jit/ir/parse.h"
#include "jit/ir/print.h"
#include "jit/ir/verify.h"
#include "jit/ir/walk.h"
#include "jit/passes/pipeline.h"
#include "tests/generate/ir/ir_outcome.h"
#include "tests/generate/ir/soac_chain.h"
#include "tests/generate/random.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <string>
#include <variant>
#include <vector>

using namespace sinter;

namespace {

bool is_choice(const ir::Statement& statement) {
  const auto* choice = std::get_if<ir::If>(&statement.operation);
  return choice && choice->is_shortcut && choice->then_body.statements.size() == 1 &&
         std::holds_alternative<ir::Stream>(choice->then_body.statements[0].operation);
}

/// Takes the stream wherever there is the choice; how many there are.
int go_by_pieces(ir::Body& body) {
  int count = 0;
  for (ir::Statement& statement : body.statements) {
    if (is_choice(statement)) {
      ++count;
      std::get<ir::If>(statement.operation).condition =
          ir::Operand::constant(ElementType::Bool, Scalar::of(true));
    }
    ir::for_each_body(statement.operation, [&](ir::Body& inner) { count += go_by_pieces(inner); });
  }
  return count;
}

/// How many groups of the function go by pieces; checks that it is the same in any pieces.
int check_pieces(const ir::Function& before, const std::vector<ir::DenseValue>& arguments) {
  ir::Function after = before;
  jit::write_streams(after);
  const auto violation = ir::verify(after);
  REQUIRE_MESSAGE(!violation, *violation << "\n" << ir::print(before) << "\n" << ir::print(after));
  const ir::Evaluation expected = ir::evaluate(before, arguments);
  // (Small as they are, all are made as a whole.)
  REQUIRE(generate::same_outcome(before, expected, ir::evaluate(after, arguments)));
  const int count = go_by_pieces(after.body);
  for (const std::int64_t units : {1, 2, 3, 5, 8, 64, 100, 4096}) {
    CAPTURE(units);
    REQUIRE_MESSAGE(generate::same_outcome(before, expected, ir::evaluate(after, arguments, units)),
                    ir::print(before) << "\n"
                                      << ir::print(after));
  }
  return count;
}

ir::DenseValue some_numbers(std::int64_t count) {
  ir::DenseArray array{ElementType::I64, {count}, {}};
  for (std::int64_t i = 0; i < count; ++i)
    array.elements.push_back(Scalar::of(i * 7919 % 1001 - 400));
  return array;
}

const std::string by_adding = " { (a: i64, b: i64) c: i64 = add a b yield c } ";
const std::string by_maximum = " { (d: i64, e: i64) f: i64 = max d e yield f } ";
const std::string lowest = "-9223372036854775808i64";
const std::string keeps = "m: i64, ys: [m]i64 = soac n (xs) { (i: i64, x: i64) "
                          "q: i64 = mod x 3i64 p: bool = ne q 0i64 yield p, x } filter 1 ";

} // namespace

TEST_CASE("groups that go by pieces") {
  const std::string head = "fn f(n: i64, xs: [n]i64, hs: [4]i64) -> ";
  const std::string scan_kept = "ss: [m]i64 = soac m (ys) { (j: i64, y: i64) yield y } scan (0i64)";
  for (const std::string& text :
       {head + "i64 { " + keeps + scan_kept + by_adding +
            "r: i64 = soac m (ys, ss) { (k: i64, z: i64, s: i64) t: i64 = xor z s "
            "u: i64 = mul t k yield u } reduce (" +
            lowest + ")" + by_maximum + "ret r }",
        // Two scans, one after the other, and positions.
        head +
            "(i64, i64) { ss: [n]i64 = soac n (xs) { (j: i64, y: i64) w: i64 = add y j yield w } "
            "scan (" +
            lowest + ")" + by_maximum +
            "ts: [n]i64 = soac n (ss) { (k: i64, z: i64) yield z } scan (0i64)" + by_adding +
            "r: i64, o: i64 = soac n (ts, ss, xs) { (l: i64, t: i64, s: i64, v: i64) "
            "g: i64 = sub t s h: i64 = mul v l yield g, h } reduce (0i64) "
            "{ (a2: i64, b2: i64) c2: i64 = xor a2 b2 yield c2 } reduce (0i64) "
            "{ (a3: i64, b3: i64) c3: i64 = add a3 b3 yield c3 } ret r, o }",
        // Filters of what filters keep, and what is written.
        head + "(i64, i64, [4]i64) { " + keeps +
            "k: i64, zs: [k]i64, sum: i64 = soac m (ys) { (j: i64, y: i64) o: bool = lt j y "
            "w: i64 = add j y yield o, w, y } filter 1 reduce (0i64)" +
            by_adding +
            "rs: [4]i64 = soac k (zs) { (l: i64, z: i64) b2: i64 = mod z 4i64 yield b2, l } "
            "scatter 1 hs ret m, sum, rs }",
        head + "[4]i64 { " + keeps +
            "rs: [4]i64 = soac m (ys) { (l: i64, z: i64) b2: i64 = mod z 4i64 yield b2, l } "
            "histogram 1 (hs) (0i64)" +
            by_adding + "ret rs }"}) {
    CAPTURE(text);
    const ir::Function function = ir::parse(text);
    for (const std::int64_t count : {0, 1, 2, 63, 64, 65, 300}) {
      CAPTURE(count);
      CHECK(check_pieces(function, {Scalar::of(count), some_numbers(count), some_numbers(4)}) == 1);
    }
  }
}

TEST_CASE("folds whose order shows go by pieces over the extent, in whole blocks") {
  const std::string head = "fn f(n: i64, xs: [n]i64) -> ";
  // Neither associative nor commutative, on two numbers and on one.
  const std::string by_mixing = " { (a: i64, b: i64) c: i64 = mul a 3i64 k: i64 = lshr b 7i64 "
                                "o: i64 = xor b k g: i64 = add c o yield g } ";
  const std::string by_composing = " { (p: i64, q: i64, r: i64, s: i64) t: i64 = mul p r "
                                   "u: i64 = mul q r v: i64 = add u s yield t, v } ";
  const std::string prefixes =
      "ss: [n]i64 = soac n (xs) { (i: i64, x: i64) y: i64 = add x i yield y } scan (5i64)" +
      by_mixing;
  for (const std::string& text :
       {head + "i64 { " + prefixes +
            "r2: i64 = soac n (ss, xs) { (j: i64, z: i64, w: i64) h: i64 = xor z w "
            "k2: i64 = mul h j yield k2 } reduce (1i64) { (a2: i64, b2: i64) c2: i64 = mul a2 5i64 "
            "d2: i64 = sub c2 b2 yield d2 } ret r2 }",
        // A scan of two numbers with a post, whose reduction's order shows as well.
        head + "(i64, i64) { " + prefixes +
            "ts: [n]i64, l: i64 = soac n (ss) { (j: i64, z: i64) yield z, j, z } "
            "scan (1i64, 0i64)" +
            by_composing +
            "post 1 { (m: i64, e1: i64, e2: i64, e3: i64) f1: i64 = xor e2 e3 f2: i64 = add f1 m "
            "yield f2, e1 } map reduce (3i64) { (a2: i64, b2: i64) c2: i64 = mul a2 5i64 "
            "d2: i64 = sub c2 b2 yield d2 } end "
            "r2: i64 = soac n (ts) { (j2: i64, z2: i64) yield z2 } reduce (" +
            lowest + ")" + by_maximum + "ret r2, l }"}) {
    CAPTURE(text);
    const ir::Function function = ir::parse(text);
    for (const std::int64_t count : {0, 1, 65, 4096, 4097, 9000}) {
      CAPTURE(count);
      CHECK(check_pieces(function, {Scalar::of(count), some_numbers(count)}) == 1);
    }
  }
}

TEST_CASE("groups whose bits, or failures, would be others stay whole") {
  const std::string head = "fn f(n: i64, xs: [n]i64, hs: [n]i64) -> ";
  const std::string sum = "r: i64 = soac m (ys) { (j: i64, y: i64) z: i64 = mul y j yield z } ";
  const std::string of_checked = "soac m (ys) { (j: i64, y: i64) z: bool = lt y 9i64 "
                                 "check z, \"\" yield y } ";
  for (const std::string& text :
       {head + "i64 { " + keeps + sum + "reduce (1i64)" + by_adding +
            "ret r }", // one a row
                       // The order of composition shows.
        head + "(i64, i64) { " + keeps +
            "r: i64, s: i64 = soac m (ys) { (j: i64, y: i64) yield y, j } reduce (1i64, 0i64) "
            "{ (a: i64, b: i64, c: i64, d: i64) e: i64 = mul a c g: i64 = mul b c "
            "h: i64 = add g d yield e, h } ret r, s }",
        // Something is read that is written between.
        head + "i64 { " + keeps + "zs: [n]i64 = update xs[0i64] = 7i64 " + sum + "reduce (0i64)" +
            by_adding + "v: i64 = index zs[0i64] w: i64 = add v r ret w }",
        // A check stands before what it is about.
        head + "i64 { " + keeps + "o: bool = lt m n check o, \"\" " + sum + "reduce (0i64)" +
            by_adding + "ret r }"}) {
    CAPTURE(text);
    CHECK(check_pieces(ir::parse(text),
                       {Scalar::of(std::int64_t{9}), some_numbers(9), some_numbers(9)}) == 0);
  }
  const std::string one_fails =
      head + "i64 { " + keeps + "r: i64 = " + of_checked + "reduce (0i64)" + by_adding + "ret r }";
  CHECK(check_pieces(ir::parse(one_fails),
                     {Scalar::of(std::int64_t{9}), some_numbers(9), some_numbers(9)}) == 1);
}

TEST_CASE("chains of SOACs give the same in any pieces") {
  int groups = 0;
  for (std::uint64_t seed = 0; seed < some_of(600, 4); ++seed) {
    CAPTURE(seed);
    generate::Random random(seed);
    const std::string text = generate::random_soac_chain(random);
    CAPTURE(text);
    ir::Function function = ir::parse(text);
    if (seed % 2 != 0)
      jit::optimise(function, {.passes = {"fuse", "filters", "post", "dead-code"}});
    for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{70}}) {
      const ir::DenseValue xs = some_numbers(count);
      groups +=
          check_pieces(function, {Scalar::of(count), xs, some_numbers(count), some_numbers(5)});
    }
  }
  CHECK(groups > static_cast<int>(some_of(600, 4)));
}

TEST_CASE("chains with folds whose order shows give the same in any pieces") {
  int groups = 0;
  for (std::uint64_t seed = 0; seed < some_of(90, 9); ++seed) {
    CAPTURE(seed);
    generate::Random random(seed);
    const std::string text = generate::random_soac_chain(random, generate::FoldOrders::SomeShow);
    CAPTURE(text);
    ir::Function function = ir::parse(text);
    if (seed % 2 != 0)
      jit::optimise(function, {.passes = {"fuse", "filters", "post", "dead-code"}});
    for (const std::int64_t count : {std::int64_t{70}, std::int64_t{4096 + 1000}})
      groups += check_pieces(
          function, {Scalar::of(count), some_numbers(count), some_numbers(count), some_numbers(5)});
  }
  CHECK(groups > static_cast<int>(some_of(40, 9)));
}
