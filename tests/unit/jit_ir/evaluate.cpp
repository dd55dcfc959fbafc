// Each operation's meaning, by the reference evaluator.
#include "jit/ir/evaluate.h"
#include "jit/ir/parse.h"
#include "lang/base/interruptible.h"
#include "lang/base/runtime_error.h"
#include "lang/primitives/fold_order.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::ir;

namespace {

template <typename T>
DenseArray dense(std::vector<std::int64_t> extents, const std::vector<T>& elements) {
  DenseArray array{element_type_of<T>, std::move(extents), {}};
  for (T element : elements)
    array.elements.push_back(Scalar::of(element));
  return array;
}
DenseValue number(std::int64_t value) {
  return Scalar::of(value);
}
DenseValue vector(const std::vector<std::int64_t>& elements) {
  return dense<std::int64_t>({static_cast<std::int64_t>(elements.size())}, elements);
}
DenseValue matrix(std::int64_t rows, std::int64_t columns,
                  const std::vector<std::int64_t>& elements) {
  return dense<std::int64_t>({rows, columns}, elements);
}
std::vector<DenseValue> results(const std::string& text, std::vector<DenseValue> arguments) {
  const Evaluation evaluation = evaluate(parse(text), std::move(arguments));
  REQUIRE(std::holds_alternative<std::vector<DenseValue>>(evaluation));
  return std::get<std::vector<DenseValue>>(evaluation);
}
using Data = std::vector<DenseValue>;

} // namespace

TEST_CASE("an interruption ends a loop that takes hours") {
  const std::string text = "fn f(n: i64) -> i64 { s: i64 = for n (0i64) { (i: i64, a: i64) "
                           "b: i64 = add a i yield b } ret s }";
  CHECK(results(text, {number(5)}) == Data{number(10)});
  const Function function = parse(text);
  InterruptSource source;
  const Interruptible here(source);
  source.raise(InterruptSource::Reason::Interrupt);
  try {
    (void)evaluate(function, {number(std::int64_t{1} << 40)});
    FAIL("it has ended");
  } catch (const RuntimeError& error) {
    CHECK(error.kind == FailureKind::Interrupted);
  }
}

TEST_CASE("a stream goes through all indices, in pieces of whole units") {
  const Function function =
      parse("fn f(n: i64, xs: [n]i64) -> (i64, i64, [n]i64) { ys: [n]i64 = copy xs "
            "sum: i64, pieces: i64, all: [n]i64 = stream n by 2 bytes 8 (0i64, 0i64, ys) "
            "{ (b: i64, c: i64, s: i64, k: i64, zs: [n]i64) "
            "part: [c]i64 = slice xs[b:1i64] "
            "t: i64 = soac c (part) { (i: i64, x: i64) yield x } reduce (0i64) "
            "{ (d: i64, e: i64) f: i64 = add d e yield f } "
            "s2: i64 = add s t k2: i64 = add k 1i64 "
            "twice: [c]i64 = soac c (part) { (j: i64, y: i64) z: i64 = add y y yield z } map "
            "zs2: [n]i64 = update_slice zs[b:1i64] = twice yield s2, k2, zs2 } "
            "ret sum, pieces, all }");
  const Data arguments = {number(5), vector({1, 2, 3, 4, 5})};
  const DenseValue twice = vector({2, 4, 6, 8, 10});
  CHECK(std::get<Data>(evaluate(function, arguments)) == Data{number(15), number(3), twice});
  CHECK(std::get<Data>(evaluate(function, arguments, 2)) == Data{number(15), number(2), twice});
  CHECK(std::get<Data>(evaluate(function, arguments, 9)) == Data{number(15), number(1), twice});
  CHECK(std::get<Data>(evaluate(function, {number(0), vector({})})) ==
        Data{number(0), number(0), vector({})});
}

TEST_CASE("scalars") {
  CHECK(results("fn f(a: i64, b: i64) -> (i64, i64, bool) { s: i64 = sub a b d: i64 = div a b "
                "c: bool = lt a b t: i64 = select c a b ret s, t, c }",
                {number(7), number(9)}) == Data{number(-2), number(7), Scalar::of(true)});
}

TEST_CASE("branches and loops") {
  const std::string branch =
      "fn f(c: bool, n: i64, xs: [n]i64) -> [n]i64 { r: [n]i64 = if c { "
      "u: [n]i64 = update xs[1i64] = 9i64 yield u } else { yield xs } ret r }";
  CHECK(results(branch, {Scalar::of(true), number(2), vector({1, 2})}) == Data{vector({1, 9})});
  CHECK(results(branch, {Scalar::of(false), number(2), vector({1, 2})}) == Data{vector({1, 2})});
  const std::string power = "fn f(n: i8, x: i64) -> (i64, i64) { r: i64, k: i64 = for n (1i64, "
                            "0i64) { (i: i8, p: i64, s: i64) q: i64 = mul p x j: i64 = convert i "
                            "t: i64 = add s j yield q, t } ret r, k }";
  CHECK(results(power, {Scalar::of(std::int8_t{4}), number(3)}) == Data{number(81), number(6)});
  CHECK(results(power, {Scalar::of(std::int8_t{-4}), number(3)}) == Data{number(1), number(0)});
  CHECK(results("fn f(n: i64) -> i64 { r: i64 = while (1i64) { (a: i64) c: bool = lt a n yield c } "
                "do { (a1: i64) b: i64 = add a1 a1 yield b } ret r }",
                {number(100)}) == Data{number(128)});
  // A state whose size changes.
  CHECK(
      results("fn f(n: i64) -> [m]i64 { e: [1]i64 = array (n) m: i64, r: [m]i64 = for n (1i64, e) "
              "{ (i: i64, k: i64, s: [k]i64) one: [1]i64 = array (i) l: i64 = add k 1i64 "
              "t: [l]i64 = concat (s, one) yield l, t } ret r }",
              {number(3)}) == Data{vector({3, 0, 1, 2})});
}

TEST_CASE("maps, reductions and scans") {
  CHECK(results("fn f(n: i64, xs: [n]i64) -> ([n]i64, i64, [n]i64) { a: [n]i64, s: i64, p: [n]i64 "
                "= soac n (xs) { (i: i64, x: i64) y: i64 = mul x i yield y, x, x } map "
                "reduce (100i64) { (a0: i64, b0: i64) c0: i64 = add a0 b0 yield c0 } "
                "scan (0i64) { (a1: i64, b1: i64) c1: i64 = max a1 b1 yield c1 } ret a, s, p }",
                {number(4), vector({3, 1, 4, 1})}) ==
        Data{vector({0, 1, 8, 3}), number(109), vector({3, 3, 4, 4})});
  // Of nothing: the shape comes from the type.
  CHECK(
      results("fn f(n: i64, m: i64, xs: [n][m]i64) -> ([n][m]i64, [m]i64) { z: [m]i64 = soac m () "
              "{ (j: i64) yield 7i64 } map a: [n][m]i64, s: [m]i64 = soac n (xs) { (i: i64, x: "
              "[m]i64) yield x, x } map reduce (z) { (p: [m]i64, q: [m]i64) yield q } ret a, s }",
              {number(0), number(2), matrix(0, 2, {})}) == Data{matrix(0, 2, {}), vector({7, 7})});
  // Nested, with a row as an element; the operator is applied from left to right.
  CHECK(results("fn f(n: i64, m: i64, xs: [n][m]i64) -> ([n]i64, i64) { r: [n]i64, d: i64 = soac n "
                "(xs) { (i: i64, row: [m]i64) s: i64 = soac m (row) { (j: i64, x: i64) yield x } "
                "reduce (0i64) { (a: i64, b: i64) c: i64 = add a b yield c } yield s, s } map "
                "reduce (0i64) { (e: i64, g: i64) h: i64 = mul e 10i64 k: i64 = add h g yield k } "
                "ret r, d }",
                {number(2), number(3), matrix(2, 3, {1, 2, 1, 0, 1, 1})}) ==
        Data{vector({4, 2}), number(42)});
}

TEST_CASE("a post gets each prefix, with what goes by the scan") {
  CHECK(results("fn f(n: i64, xs: [n]i64) -> ([n]i64, i64, [n]i64) { d: [n]i64, s: i64, m: [n]i64 "
                "= soac n (xs) { (i: i64, x: i64) y: i64 = mul x 10i64 yield x, y, x } "
                "scan (0i64) { (a: i64, b: i64) c: i64 = add a b yield c } "
                "post 1 { (j: i64, p: i64, z: i64) e: i64 = add p z g: i64 = add e j yield g, p } "
                "map reduce (100i64) { (k: i64, l: i64) o: i64 = add k l yield o } end map "
                "ret d, s, m }",
                {number(3), vector({3, 1, 4})}) ==
        Data{vector({33, 15, 50}), number(115), vector({3, 1, 4})});
}

TEST_CASE("reductions, scans and histograms combine in the order of fold_order.h") {
  const auto minus = [](std::int64_t a, std::int64_t b) { return a - b; };
  const std::string operation = "{ (a: i64, b: i64) c: i64 = sub a b yield c }";
  for (std::int64_t n : {0, 1, 64, 65, 200, 4096, 4097, 4200}) {
    CAPTURE(n);
    primitives::RunningFold fold(std::int64_t{3}, minus);
    primitives::RunningScan scan(std::int64_t{3}, minus);
    std::vector<std::int64_t> prefixes;
    for (std::int64_t i = 0; i < n; ++i) {
      fold.push(std::int64_t{i});
      prefixes.push_back(scan.push(std::int64_t{i}));
    }
    CHECK(results("fn f(n: i64) -> (i64, [n]i64) { s: i64, ps: [n]i64 = soac n () { (i: i64) yield "
                  "i, i } reduce (3i64) " +
                      operation +
                      " scan (3i64) { (e: i64, g: i64) h: i64 = sub e g yield h } ret s, ps }",
                  {number(n)}) == Data{number(std::move(fold).result()), vector(prefixes)});
  }
  // Two segments of two bins each: 5 - (0 - 0 - 2 - …) - (0 - 4096 - 4098 - …).
  std::vector<std::int64_t> bins = {5, 6};
  for (std::int64_t i = 0; i < 8192; ++i)
    bins[static_cast<std::size_t>(i % 2)] += i;
  CHECK(
      results("fn f(n: i64, d: [2]i64) -> [2]i64 { r: [2]i64 = soac n () { (i: i64) j: i64 = mod i "
              "2i64 yield j, i } histogram 1 (d) (0i64) " +
                  operation + " ret r }",
              {number(8192), vector({5, 6})}) == Data{vector(bins)});
}

TEST_CASE("scatters, histograms and filters") {
  CHECK(results("fn f(n: i64, xs: [n]i64, d: [3]i64) -> [3]i64 { r: [3]i64 = soac n (xs) { (i: "
                "i64, x: i64) yield x, i } scatter 1 d ret r }",
                {number(5), vector({1, -1, 2, 3, 1}), vector({7, 7, 7})}) ==
        Data{vector({7, 4, 2})});
  // Rows, and elements at two indices.
  CHECK(
      results("fn f(d: [2][2]i64, e: [2][2]i64) -> ([2][2]i64, [2][2]i64) { row: [2]i64 = array "
              "(5i64, 6i64) r: [2][2]i64, s: [2][2]i64 = soac 1i64 () { (i: i64) yield 1i64, row, "
              "i, 1i64, 8i64 } scatter 1 d scatter 2 e ret r, s }",
              {matrix(2, 2, {0, 0, 0, 0}), matrix(2, 2, {0, 0, 0, 0})}) ==
      Data{matrix(2, 2, {0, 0, 5, 6}), matrix(2, 2, {0, 8, 0, 0})});
  CHECK(results("fn f(n: i64, xs: [n]i64, d: [2]i64, e: [2]i64) -> ([2]i64, [2]i64) { r: [2]i64, "
                "s: [2]i64 = soac n (xs) { (i: i64, x: i64) yield x, i, 1i64 } histogram 1 (d, e) "
                "(0i64, 0i64) { (a: i64, b: i64, p: i64, q: i64) c: i64 = max a p t: i64 = add b q "
                "yield c, t } ret r, s }",
                {number(4), vector({1, 0, 1, 2}), vector({0, 0}), vector({0, 10})}) ==
        Data{vector({1, 2}), vector({1, 12})});
  CHECK(results("fn f(n: i64, xs: [n]i64) -> (i64, [k]i64, [k][1]i64) { k: i64, r: [k]i64, "
                "s: [k][1]i64 = soac n (xs) { (i: i64, x: i64) c: bool = gt x 1i64 "
                "o: [1]i64 = array (i) yield c, x, o } filter 2 ret k, r, s }",
                {number(4), vector({3, 1, 4, 1})}) ==
        Data{number(2), vector({3, 4}), matrix(2, 1, {0, 2})});
}

TEST_CASE("partitions") {
  const std::string f = "fn f(k: i64, n: i64, xs: [n]i64) -> ([k]i64, [n]i64, [n][1]i64) { c: "
                        "[k]i64, r: [n]i64, s: [n][1]i64 = soac n (xs) { (i: i64, x: i64) "
                        "q: i64 = mod x k kind: i32 = convert q o: [1]i64 = array (i) "
                        "yield kind, x, o } partition k 2 ret c, r, s }";
  CHECK(results(f, {number(3), number(5), vector({5, 3, 4, 2, 6})}) ==
        Data{vector({2, 1, 2}), vector({3, 6, 4, 5, 2}), matrix(5, 1, {1, 4, 2, 0, 3})});
  CHECK(results(f, {number(2), number(0), vector({})}) ==
        Data{vector({0, 0}), vector({}), matrix(0, 1, {})});
  CHECK(results(f, {number(1), number(2), vector({7, 6})}) ==
        Data{vector({2}), vector({7, 6}), matrix(2, 1, {0, 1})});
}

TEST_CASE("views") {
  const std::string f = "fn f(xs: [2][3]i64) -> ";
  const DenseValue xs = matrix(2, 3, {1, 2, 3, 4, 5, 6});
  CHECK(results(f + "([3]i64, i64) { r: [3]i64 = index xs[1i64] e: i64 = index xs[0i64, 2i64] "
                    "ret r, e }",
                {xs}) == Data{vector({4, 5, 6}), number(3)});
  CHECK(results(f + "[2][2]i64 { r: [2][2]i64 = slice xs[1i64:-1i64, 0i64:2i64] ret r }", {xs}) ==
        Data{matrix(2, 2, {4, 6, 1, 3})});
  CHECK(results(f + "[3][2]i64 { r: [3][2]i64 = transpose xs (1, 0) ret r }", {xs}) ==
        Data{matrix(3, 2, {1, 4, 2, 5, 3, 6})});
  CHECK(results("fn f(xs: [1][2][3]i64) -> [2][3][1]i64 { r: [2][3][1]i64 = transpose xs (1, 2, 0) "
                "ret r }",
                {dense<std::int64_t>({1, 2, 3}, {1, 2, 3, 4, 5, 6})}) ==
        Data{dense<std::int64_t>({2, 3, 1}, {1, 2, 3, 4, 5, 6})});
  CHECK(results(f + "[6]i64 { r: [6]i64 = reshape xs ret r }", {xs}) ==
        Data{vector({1, 2, 3, 4, 5, 6})});
}

TEST_CASE("updates, joins, literals and copies") {
  const std::string f = "fn f(xs: [2][3]i64, r: [3]i64) -> ";
  const DenseValue xs = matrix(2, 3, {1, 2, 3, 4, 5, 6}), row = vector({7, 8, 9});
  CHECK(results(f + "[2][3]i64 { u: [2][3]i64 = update xs[0i64] = r v: [2][3]i64 = update u[1i64, "
                    "1i64] = 0i64 ret v }",
                {xs, row}) == Data{matrix(2, 3, {7, 8, 9, 4, 0, 6})});
  CHECK(results(f + "[2][3]i64 { p: [1][3]i64 = reshape r u: [2][3]i64 = update_slice "
                    "xs[1i64:1i64, 2i64:-1i64] = p ret u }",
                {xs, row}) == Data{matrix(2, 3, {1, 2, 3, 9, 8, 7})});
  CHECK(results(f + "[3][3]i64 { p: [1][3]i64 = array (r) u: [3][3]i64 = concat (p, xs) ret u }",
                {xs, row}) == Data{matrix(3, 3, {7, 8, 9, 1, 2, 3, 4, 5, 6})});
  // Values are pure: a copy's update leaves the original.
  CHECK(results(f + "([3]i64, [3]i64) { c: [3]i64 = copy r u: [3]i64 = update c[0i64] = 0i64 "
                    "ret r, u }",
                {xs, row}) == Data{row, vector({0, 8, 9})});
}

TEST_CASE("a check that does not hold ends the function with its site") {
  const Function function =
      parse("fn f(n: i64) -> i64 { a: bool = lt n 10i64 check a, \"big\" r: i64 = soac n () { (i: "
            "i64) b: bool = lt i 5i64 check b, \"bigger\" yield i } reduce (0i64) { (p: i64, q: "
            "i64) s: i64 = add p q yield s } ret r }");
  CHECK(evaluate(function, {number(3)}) == Evaluation(Data{number(3)}));
  CHECK(evaluate(function, {number(6)}) == Evaluation(std::uint32_t{1}));
  CHECK(evaluate(function, {number(12)}) == Evaluation(std::uint32_t{0}));
}

TEST_CASE("what a verified function must not do while running is an error") {
  const auto throws = [](const std::string& text, std::vector<DenseValue> arguments) {
    CHECK_THROWS_AS(evaluate(parse(text), std::move(arguments)), EvaluationError);
  };
  throws("fn f(i: i64, xs: [2]i64) -> i64 { r: i64 = index xs[i] ret r }",
         {number(2), vector({1, 2})});
  throws("fn f(i: i64, xs: [2]i64) -> [2]i64 { r: [2]i64 = update xs[i] = 0i64 ret r }",
         {number(-1), vector({1, 2})});
  throws("fn f(n: i64, xs: [2]i64) -> [n]i64 { r: [n]i64 = slice xs[0i64:1i64] ret r }",
         {number(3), vector({1, 2})});
  throws("fn f(n: i64, xs: [2]i64) -> [n]i64 { r: [n]i64 = reshape xs ret r }",
         {number(3), vector({1, 2})});
  throws("fn f(n: i64, xs: [2]i64) -> [n]i64 { r: [n]i64 = concat (xs, xs) ret r }",
         {number(3), vector({1, 2})});
  throws("fn f(n: i64) -> [n]i64 { r: [n]i64 = soac n () { (i: i64) yield i } map ret r }",
         {number(-1)});
  throws("fn f(n: i64, xs: [n]i64) -> () { ret }", {number(3), vector({1, 2})});
}

TEST_CASE("an array that was consumed is not there any more, and no other value stands for it") {
  // (To parse a function is to check the rules: it breaks them afterwards.)
  const std::string text = "fn f(xs: [2]i64) -> ([2]i64, [2]i64) { c: [2]i64 = copy xs u: [2]i64 = "
                           "update c[0i64] = 0i64 d: [2]i64 = copy xs ret u, d }";
  const Function sound = parse(text);
  CHECK(results(text, {vector({1, 2})}) == Data{vector({0, 2}), vector({1, 2})});
  const ValueId consumed = sound.body.statements[0].results[0];
  Function returns = sound;
  returns.body.results[1] = consumed;
  CHECK_THROWS_AS(evaluate(returns, {vector({1, 2})}), EvaluationError);
  Function copies = sound;
  std::get<Copy>(copies.body.statements[2].operation).array = consumed;
  CHECK_THROWS_AS(evaluate(copies, {vector({1, 2})}), EvaluationError);
}

TEST_CASE("an array that a loop hands on is updated in place: it takes no time for each element") {
  const std::int64_t n = 200'000;
  const Data made =
      results("fn f(n: i64) -> ([n]i64, [n]i64) { first: [n]i64 = soac n () { (i: i64) yield i } "
              "map mine: [n]i64 = copy first "
              "all: [n]i64 = for n (mine) { (j: i64, xs: [n]i64) is_low: bool = lt j 100000i64 "
              "next: [n]i64 = if is_low { a: i64 = index xs[j] b: i64 = add a 1i64 "
              "ys: [n]i64 = update xs[j] = b yield ys } else { yield xs } yield next } "
              "ret first, all }",
              {number(n)});
  const auto& first = std::get<DenseArray>(made[0]).elements;
  const auto& all = std::get<DenseArray>(made[1]).elements;
  CHECK(first[0] == Scalar::of(std::int64_t{0}));
  CHECK(all[0] == Scalar::of(std::int64_t{1}));
  CHECK(first[99'999] == Scalar::of(std::int64_t{99'999}));
  CHECK(all[99'999] == Scalar::of(std::int64_t{100'000}));
  CHECK(all[100'000] == Scalar::of(std::int64_t{100'000}));
}

TEST_CASE("elements are shared until somebody writes") {
  DenseElements a{Scalar::of(1), Scalar::of(2)};
  const DenseElements b = a;
  CHECK(a.begin() == b.begin());
  a.own()[0] = Scalar::of(3);
  CHECK(a.begin() != b.begin());
  CHECK(b[0] == Scalar::of(1));
  CHECK(a[0] == Scalar::of(3));
  CHECK(a != b);
  const Scalar* const alone = &a[0];
  a.own()[0] = Scalar::of(1);
  CHECK(&a[0] == alone);
  CHECK(a == b);
  DenseElements none;
  CHECK(none.empty());
  CHECK(none == DenseElements(std::vector<Scalar>()));
  none.push_back(Scalar::of(7));
  CHECK(none.size() == 1);
}
