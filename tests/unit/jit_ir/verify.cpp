// Each rule of the verifier, with functions that break it.
#include "jit/ir/verify.h"
#include "jit/ir/parse.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::ir;

namespace {

/// What the verifier says of a text that is well-formed otherwise; empty if nothing.
std::string verdict(const std::string& text) {
  try {
    parse(text);
  } catch (const ParseError& error) {
    const std::string what = error.what();
    const std::string mark = "breaks a rule: ";
    const std::size_t begin = what.find(mark);
    CHECK_MESSAGE(begin != std::string::npos, what);
    if (begin == std::string::npos) return what;
    return what.substr(begin + mark.size(), what.find('\n') - begin - mark.size());
  }
  return "";
}
/// The same for statements over a few parameters.
std::string body(const std::string& statements) {
  return verdict("fn f(n: i64, m: i64, k: i32, x: f32, c: bool, xs: [n]f32, ys: [m]f32, "
                 "zs: [n][m]f32, is: [n]i64) -> () {\n" +
                 statements + "\nret }");
}

} // namespace

TEST_CASE("scalars have the types that the table says") {
  CHECK(body("r: f32 = add x x") == "");
  CHECK(body("r: f32 = add x 1i32") == "1i32 has type i32, not f32");
  CHECK(body("r: f32 = add xs xs") == "xs has type [n]f32, not f32");
  CHECK(body("r: i64 = add x x") == "the result has type i64, not f32");
  CHECK(body("r: f32, q: f32 = add x x") == "the operation has 1 results, not 2");
  CHECK(body("r: f32 = ldexp x n") == "n has type i64, not i32");
  CHECK(body("r: f32 = select k x x") == "k has type i32, not bool");
  CHECK(body("r: f32 = select c x k") == "k has type i32, not f32");
  CHECK(body("r: [n]f32 = select c xs xs") == "select chooses between scalars only");
}

TEST_CASE("streams are the host's, and carry a state") {
  const auto stream = [](const std::string& unit, const std::string& state) {
    return "r: f32 = stream n by " + unit + " bytes 4 (x) { (b: i64, l: i64, s: f32) yield " +
           state + " }";
  };
  CHECK(body(stream("1", "s")) == "");
  CHECK(body("o: bool = le n m q: f32 = if o { " + stream("64", "s") +
             " yield r } else { yield x }") == "");
  CHECK(body(stream("0", "s")) == "the unit is not positive");
  CHECK(body(stream("1", "l")) == "l has type i64, not f32");
  CHECK(body("r: f32 = stream k by 1 bytes 4 (x) { (b: i64, l: i64, s: f32) yield s }") ==
        "k has type i32, not i64");
  CHECK(body("r: f32 = stream n by 1 bytes 4 (x) { (b: i64, s: f32) yield s }") ==
        "the stream's body has 2 parameters, not 3");
  CHECK(body("q: [n]f32 = soac n () { (j: i64) " + stream("1", "s") + " yield r } map") ==
        "a stream is on the host's level only");
  CHECK(body("q: f32 = soac n (xs) { (j: i64, y: f32) yield y } reduce (0f32) "
             "{ (d: f32, e: f32) " +
             stream("1", "s") + " f: f32 = add d r yield f }") ==
        "a stream is on the host's level only");
}

TEST_CASE("values are in scope where they are used, and defined once") {
  CHECK(body("r: f32 = add r x") == "r is not in scope");
  CHECK(body("soac n () { (j: i64) yield } r: [j]f32 = slice xs[0i64:1i64]") ==
        "j is not in scope");
  CHECK(body("if c { a: f32 = add x x yield } else { b: f32 = add x a yield }") ==
        "a is not in scope");
  Function function = parse("fn f(x: i64) -> i64 { y: i64 = add x x ret y }");
  function.body.statements.push_back(function.body.statements[0]);
  CHECK(verify(function)->starts_with("y is defined twice"));
  function = parse("fn f(x: i64) -> i64 { y: i64 = add x x ret y }");
  function.body.results[0] = ValueId{17};
  CHECK(verify(function) == "there is no value 17");
}

TEST_CASE("extents are i64 and not negative") {
  CHECK(body("r: [k]f32 = slice xs[0i64:1i64]") == "the extent k is not an i64");
  CHECK(body("r: [-1]f32 = slice xs[0i64:1i64]") == "an extent is negative or too large");
  CHECK(body("r: [281474976710656]f32 = slice xs[0i64:1i64]") ==
        "an extent is negative or too large");
}

TEST_CASE("branches agree") {
  CHECK(body("r: f32 = if c { yield x } else { yield 1.0f32 }") == "");
  CHECK(body("r: f32 = if k { yield x } else { yield x }") == "k has type i32, not bool");
  CHECK(body("r: f32 = if c { yield x } else { yield k }") == "k has type i32, not f32");
  CHECK(body("r: f32 = if c { yield x } else { yield }") == "the branch has 0 results, not 1");
  CHECK(body("r: [n]f32 = if c { yield xs } else { yield ys }") ==
        "ys has type [m]f32, not [n]f32");
  // Extents that differ are results before the arrays.
  CHECK(body("q: i64, r: [q]f32 = if c { yield n, xs } else { yield m, ys }") == "");
  CHECK(body("q: i64, r: [q]f32 = if c { yield n, xs } else { yield n, ys }") ==
        "ys has type [m]f32, not [n]f32");
}

TEST_CASE("loops keep their state's types") {
  CHECK(body("r: f32 = for n (x) { (i: i64, s: f32) yield s }") == "");
  CHECK(body("r: f32 = for k (x) { (i: i32, s: f32) yield s }") == "");
  CHECK(body("r: f32 = for k (x) { (i: i64, s: f32) yield s }") == "i has type i64, not i32");
  CHECK(body("r: f32 = for x (x) { (i: i64, s: f32) yield s }") == "the index is not an integer");
  CHECK(body("r: f32 = for n (k) { (i: i64, s: f32) yield s }") == "k has type i32, not f32");
  CHECK(body("r: f32 = for n (x) { (i: i64, s: f32) yield i }") == "i has type i64, not f32");
  CHECK(body("r: f32 = for n (x) { (s: f32) yield s }") ==
        "the loop's body has 1 parameters, not 2");
  CHECK(body("r: i64 = for n (x) { (i: i64, s: f32) yield s }") == "r has type i64, not f32");
  CHECK(body("q: i64, r: [q]f32 = for n (m, ys) { (i: i64, l: i64, s: [l]f32) yield n, xs }") ==
        "");
  CHECK(body("q: i64, r: [q]f32 = for n (m, ys) { (i: i64, l: i64, s: [l]f32) yield m, xs }") ==
        "xs has type [n]f32, not [m]f32");
  CHECK(body("r: f32 = while (x) { (a: f32) yield c } do { (s: f32) yield s }") == "");
  CHECK(body("r: f32 = while (x) { (a: f32) yield a } do { (s: f32) yield s }") ==
        "a has type f32, not bool");
  CHECK(body("r: f32 = while (x) { (a: f32) yield c, c } do { (s: f32) yield s }") ==
        "the condition has 2 results, not 1");
  CHECK(body("r: f32 = while (x) { (a: i32) yield c } do { (s: f32) yield s }") ==
        "x has type f32, not i32");
}

TEST_CASE("SOACs: inputs, bodies and groups fit") {
  CHECK(body("r: [n]f32 = soac n (xs) { (i: i64, a: f32) yield a } map") == "");
  CHECK(body("r: [n][m]f32 = soac n (zs) { (i: i64, a: [m]f32) yield a } map") == "");
  CHECK(body("r: [m]f32 = soac m (xs) { (i: i64, a: f32) yield a } map") ==
        "xs has extent n, not m");
  CHECK(body("r: [k]f32 = soac k (xs) { (i: i64, a: f32) yield a } map") ==
        "k has type i32, not i64");
  CHECK(body("r: [n]f32 = soac n (x) { (i: i64, a: f32) yield a } map") == "x is not an array");
  CHECK(body("r: [n]f32 = soac n (xs) { (i: i64) yield x } map") ==
        "the body has 1 parameters, not 2");
  CHECK(body("r: [n]f32 = soac n (xs) { (i: i64, a: i64) yield x } map") ==
        "a has type i64, not f32");
  CHECK(body("r: [n]f32 = soac n (xs) { (i: i32, a: f32) yield x } map") ==
        "i has type i32, not i64");
  CHECK(body("r: [m]f32 = soac n (xs) { (i: i64, a: f32) yield a } map") ==
        "the result has type [m]f32, not [n]f32");
  CHECK(body("r: [n]f32 = soac n (xs) { (i: i64, a: f32) yield } map") ==
        "the body has too few results");
  CHECK(body("r: [n]f32 = soac n (xs) { (i: i64, a: f32) yield a, a } map") ==
        "the body has 2 results, not 1");
  CHECK(body("soac n (xs) { (i: i64, a: f32) yield a } map") ==
        "the statement has too few results");
}

TEST_CASE("operators fit their elements") {
  const auto reduce = [](const std::string& type, const std::string& rest) {
    return body("r: " + type + " = soac n (xs) { (i: i64, a: f32) yield a } " + rest);
  };
  const std::string plus = "{ (p: f32, q: f32) s: f32 = add p q yield s }";
  CHECK(reduce("f32", "reduce (0.0f32) " + plus) == "");
  CHECK(reduce("[n]f32", "scan (0.0f32) " + plus) == "");
  CHECK(reduce("f32", "scan (0.0f32) " + plus) == "the result has type f32, not [n]f32");
  CHECK(reduce("[n]f32", "reduce (0.0f32) " + plus) == "the result has type [n]f32, not f32");
  CHECK(reduce("f32", "reduce (0i32) " + plus) == "a has type f32, not i32");
  CHECK(reduce("f32", "reduce (0.0f32) { (p: f32) yield p }") ==
        "the operator has 1 parameters, not 2");
  CHECK(reduce("f32", "reduce (0.0f32) { (p: f32, q: i32) yield p }") == "q has type i32, not f32");
  CHECK(reduce("f32", "reduce (0.0f32) { (p: f32, q: f32) yield 1i32 }") ==
        "1i32 has type i32, not f32");
  CHECK(reduce("f32", "reduce (0.0f32) { (p: f32, q: f32) yield p, q }") ==
        "the operator has 2 results, not 1");
}

TEST_CASE("posts fit their scans") {
  const auto post = [](const std::string& rest) {
    return body("r: [n]f32 = soac n (xs) { (i: i64, a: f32) yield a, i } scan (0.0f32) "
                "{ (p: f32, q: f32) s: f32 = add p q yield s } post 1 " +
                rest);
  };
  CHECK(post("{ (j: i64, u: f32, v: i64) yield u } map end") == "");
  CHECK(post("{ (j: i64, u: f32) yield u } map end") == "the post has 2 parameters, not 3");
  CHECK(post("{ (j: i64, u: f32, v: f32) yield u } map end") == "v has type f32, not i64");
  CHECK(post("{ (j: i64, u: f32, v: i64) yield a } map end") == "a is not in scope");
  CHECK(post("{ (j: i64, u: f32, v: i64) yield u, u } map end") == "the post has 2 results, not 1");
  CHECK(post("{ (j: i64, u: f32, v: i64) yield v } map end") ==
        "the result has type [n]f32, not [n]i64");
  CHECK(post("{ (j: i64, u: f32, v: i64) yield j, u } scatter 1 xs end") ==
        "the groups of a post are maps and reductions");
  CHECK(post("{ (j: i64, u: f32, v: i64) check c, \"never\" yield u } map end") ==
        "a post does not fail");
}

TEST_CASE("scatters, histograms and filters fit") {
  CHECK(body("r: [n]f32 = soac m (ys) { (i: i64, a: f32) yield i, a } scatter 1 xs") == "");
  CHECK(body("r: [n]f32 = soac m (ys) { (i: i64, a: f32) yield k, a } scatter 1 xs") ==
        "k has type i32, not i64");
  CHECK(body("r: [n]f32 = soac m (ys) { (i: i64, a: f32) yield i, i } scatter 1 xs") ==
        "i has type i64, not f32");
  CHECK(body("r: [n]f32 = soac m (ys) { (i: i64, a: f32) yield i, i, a } scatter 2 xs") ==
        "the destination's rank is less than the number of indices");
  const std::string plus = "{ (p: f32, q: f32) s: f32 = add p q yield s }";
  CHECK(body("r: [n]f32 = soac m () { (i: i64) yield i, x } histogram 1 (xs) (0.0f32) " + plus) ==
        "");
  CHECK(body("r: [n]f32 = soac m () { (i: i64) yield i, x } histogram 1 (xs) (0i32) " + plus) ==
        "0i32 has type i32, not f32");
  CHECK(body("r: [n]f32 = soac m () { (i: i64) yield i, x } histogram 1 (xs) () " + plus) ==
        "a histogram has as many neutral elements as destinations");
  CHECK(body("r: [n]f32, t: [m]f32 = soac m () { (i: i64) yield i, x, x } "
             "histogram 1 (xs, ys) (0.0f32, 0.0f32) "
             "{ (p: f32, p2: f32, q: f32, q2: f32) yield p, q }") ==
        "a histogram's destinations have the same bins");
  CHECK(body("q: i64, r: [q]f32 = soac n (xs) { (i: i64, a: f32) yield c, a } filter 1") == "");
  CHECK(body("q: i64, r: [n]f32 = soac n (xs) { (i: i64, a: f32) yield c, a } filter 1") ==
        "the result has type [n]f32, not [q]f32");
  CHECK(body("q: i64, r: [q]f32 = soac n (xs) { (i: i64, a: f32) yield a, a } filter 1") ==
        "a has type f32, not bool");
}

TEST_CASE("partitions fit") {
  CHECK(body("q: [m]i64, r: [n]f32 = soac n (xs) { (i: i64, a: f32) yield k, a } partition m 1") ==
        "");
  CHECK(body("q: [4]i64 = soac n (xs) { (i: i64, a: f32) yield k } partition 4i64 0") == "");
  CHECK(body("q: [m]i64, r: [n]f32 = soac n (xs) { (i: i64, a: f32) yield i, a } partition m 1") ==
        "i has type i64, not i32");
  CHECK(body("q: [n]i64, r: [n]f32 = soac n (xs) { (i: i64, a: f32) yield k, a } partition m 1") ==
        "the result has type [n]i64, not [m]i64");
  CHECK(body("q: [m]i64, r: [m]f32 = soac n (xs) { (i: i64, a: f32) yield k, a } partition m 1") ==
        "the result has type [m]f32, not [n]f32");
  CHECK(body("q: [0]i64 = soac n (xs) { (i: i64, a: f32) yield k } partition 0i64 0") ==
        "that is no number of kinds");
  CHECK(body("q: [65537]i64 = soac n (xs) { (i: i64, a: f32) yield k } partition 65537i64 0") ==
        "that is no number of kinds");
  CHECK(body("q: [m]i64 = soac n (xs) { (i: i64, a: f32) yield k } partition k 0") ==
        "k has type i32, not i64");
}

TEST_CASE("views and copies fit") {
  CHECK(body("r: [m]f32 = index zs[n]") == "");
  CHECK(body("r: f32 = index zs[n]") == "the result has type f32, not [m]f32");
  CHECK(body("r: f32 = index xs[k]") == "k has type i32, not i64");
  CHECK(body("r: f32 = index xs[n, n]") == "the number of indices is not between 1 and the rank");
  CHECK(body("r: f32 = index x[n]") == "x is not an array");
  CHECK(body("r: [m]f32 = slice zs[n:n]") == "a slice has a part for each dimension");
  CHECK(body("r: [m]f32 = slice xs[k:n]") == "k has type i32, not i64");
  CHECK(body("r: [m]i32 = slice xs[n:n]") == "the result has another element type");
  CHECK(body("r: [m][m]f32 = slice xs[n:n]") == "the result has another rank");
  CHECK(body("r: [m][n]f32 = transpose zs (1, 0)") == "");
  CHECK(body("r: [n][m]f32 = transpose zs (1, 0)") ==
        "the result has type [n][m]f32, not [m][n]f32");
  CHECK(body("r: [n][m]f32 = transpose zs (0, 0)") == "that is no permutation");
  CHECK(body("r: [n][m]f32 = transpose zs (0)") == "the permutation has another rank");
  CHECK(body("r: [m]i32 = reshape xs") == "the result has another element type");
  CHECK(body("r: f32 = reshape xs") == "the result is not an array");
  CHECK(body("a: [2][3]f32 = reshape xs r: [5]f32 = reshape a") ==
        "the number of elements changes");
  CHECK(body("r: [m]f32 = copy xs") == "the result has type [m]f32, not [n]f32");
  CHECK(body("r: f32 = copy x") == "x is not an array");
}

TEST_CASE("updates, joins and literals fit") {
  CHECK(body("r: [n]f32 = update xs[n] = x") == "");
  CHECK(body("r: [n]f32 = update xs[n] = k") == "k has type i32, not f32");
  CHECK(body("r: [n]f32 = update xs[n, n] = x") ==
        "the number of indices is not between 1 and the rank");
  CHECK(body("r: [m]f32 = update xs[n] = x") == "the result has type [m]f32, not [n]f32");
  CHECK(body("r: [n]f32 = update_slice xs[n:m] = ys") == "");
  CHECK(body("r: [n]f32 = update_slice xs[n:m] = zs") == "the value is no slice of such an array");
  CHECK(body("r: [n]f32 = update_slice xs[n:m] = is") == "the value is no slice of such an array");
  CHECK(body("r: [n]f32 = update_slice xs[n:m, n:m] = ys") ==
        "a slice has a part for each dimension");
  CHECK(body("r: [n]f32 = concat (xs, ys)") == "");
  CHECK(body("r: [n]f32 = concat ()") == "there is nothing to join");
  CHECK(body("r: [n]f32 = concat (xs, zs)") == "an element of zs has type [m]f32, not f32");
  CHECK(body("a: [2]f32 = slice xs[n:n] r: [3]f32 = concat (a, a)") ==
        "the result has another number of elements");
  CHECK(body("r: [2]f32 = array (x, x)") == "");
  CHECK(body("r: [3]f32 = array (x, x)") == "the result has another number of elements");
  CHECK(body("r: [2]f32 = array (x, k)") == "k has type i32, not f32");
  CHECK(body("r: f32 = array ()") == "the result is not an array");
}

TEST_CASE("checks have a condition, a site and no results") {
  CHECK(body("check k, \"m\"") == "k has type i32, not bool");
  Function function = parse("fn f(c: bool) -> () { check c, \"m\" ret }");
  function.failures.clear();
  CHECK(verify(function)->starts_with("there is no such failure site"));
}

TEST_CASE("sizes are equal where a check or a branch says so") {
  const std::string map = "r: [n]f32 = soac n (xs, ys) { (i: i64, a: f32, b: f32) yield a } map ";
  CHECK(body(map) == "ys has extent m, not n");
  CHECK(body("e: bool = eq n m check e, \"sizes\" " + map) == "");
  CHECK(body("e: bool = eq n m d: bool = and c e check d, \"sizes\" " + map) == "");
  CHECK(body("e: bool = eq n m if e { " + map + "yield } else { yield }") == "");
  CHECK(body("e: bool = eq n m if e { yield } else { " + map + "yield }") ==
        "ys has extent m, not n");
  CHECK(body("e: bool = eq n m if e { yield } else { yield } " + map) == "ys has extent m, not n");
  CHECK(body("e: bool = eq n m if c { check e, \"sizes\" yield } else { yield } " + map) ==
        "ys has extent m, not n");
}

TEST_CASE("sizes are equal that come to the same") {
  const auto reshaped = [](const std::string& sizes) {
    return body(sizes + " v: [a]f32 = slice xs[0i64:1i64] "
                        "r: [b]f32 = soac b (v) { (i: i64, w: f32) yield w } map");
  };
  const std::string unequal = "v has extent a, not b";
  CHECK(reshaped("a: i64 = add n m b: i64 = add m n") == "");
  CHECK(reshaped("a: i64 = add n m b: i64 = sub n m") == unequal);
  CHECK(reshaped("p: i64 = add n 1i64 a: i64 = mul p m q: i64 = mul m n b: i64 = add q m") == "");
  CHECK(reshaped("p: i64 = add n 2i64 a: i64 = mul p m q: i64 = mul m n b: i64 = add q m") ==
        unequal);
  CHECK(reshaped("j: i64 = convert k a: i64 = add j 1i64 l: i64 = convert k "
                 "b: i64 = sub l -1i64") == "");
  // A sum in 32 bits is another number where it wraps around.
  CHECK(reshaped("j: i32 = add k 1i32 a: i64 = convert j l: i64 = convert k "
                 "b: i64 = add l 1i64") == unequal);
  CHECK(reshaped("a: i64 = select c n m b: i64 = add n 0i64") == unequal);
  CHECK(reshaped("a: i64 = select c n m b: i64 = add n 0i64 check c, \"c\"") == "");
  CHECK(reshaped("a: i64 = select c m n b: i64 = add n 0i64 d: bool = not c check d, \"c\"") == "");
  // By what several conditions say together.
  CHECK(reshaped("a: i64 = mul n m b: i64 = mul n n e: bool = eq n m check e, \"sizes\"") == "");
  CHECK(reshaped("a: i64 = mul n n b: i64 = mul m m e: bool = eq a b check e, \"squares\"") == "");
  const std::string map = "r: [n]f32 = soac n (xs, ys) { (i: i64, a: f32, b: f32) yield a } map ";
  CHECK(body("e: bool = ne n m if e { yield } else { " + map + "yield }") == "");
  CHECK(body("e: bool = ne n m if e { " + map + "yield } else { yield }") ==
        "ys has extent m, not n");
}

TEST_CASE("behind a check that cannot hold, sizes may be anything") {
  const std::string map = "r: [n]f32 = soac n (xs, ys) { (i: i64, a: f32, b: f32) yield a } map ";
  CHECK(body("check false, \"never\" " + map) == "");
  CHECK(body("e: bool = eq n 3i64 d: bool = eq n 4i64 check e, \"3\" check d, \"4\" " + map) == "");
  CHECK(body("check true, \"always\" " + map) == "ys has extent m, not n");
  // Numbers added to one size differ; and so do two numbers, whatever they are called.
  const std::string slice = "r: [-1]f32 = slice xs[0i64:1i64]";
  CHECK(body("o: i64 = add n -1i64 e: bool = eq n o check e, \"n\" " + slice) == "");
  CHECK(body("o: i64 = add n -1i64 p: i64 = add 2i64 o e: bool = eq o p check e, \"o\" " + slice) ==
        "");
  CHECK(body("o: i64 = add n -1i64 d: bool = eq n 0i64 check d, \"n\" "
             "e: bool = eq o 1i64 check e, \"o\" " +
             slice) == "");
  CHECK(body("o: i64 = add n -1i64 d: bool = eq n 2i64 check d, \"n\" "
             "e: bool = eq o 1i64 check e, \"o\" " +
             slice) == "an extent is negative or too large");
  CHECK(body("o: i64 = add n -1i64 p: i64 = add -1i64 n e: bool = eq o p check e, \"o\" " +
             slice) == "an extent is negative or too large");
  // Nor are sizes what their parts do not come to, whichever is known first.
  const std::string nine = "p: i64 = mul n n e: bool = eq p 3i64 ", three = "d: bool = eq n 3i64 ";
  const std::string checks[] = {"check e, \"p\" ", "check d, \"n\" "};
  CHECK(body(nine + three + checks[0] + checks[1] + slice) == "");
  CHECK(body(nine + three + checks[1] + checks[0] + slice) == "");
  CHECK(body(nine + three + checks[0] + slice) == "an extent is negative or too large");
  CHECK(body("p: i64 = mul n n e: bool = eq p 9i64 " + three + checks[0] + checks[1] + slice) ==
        "an extent is negative or too large");
  CHECK(body("if c { check false, \"never\" yield } else { yield } " + map) ==
        "ys has extent m, not n");
}

TEST_CASE("what was consumed is not used again, nor what shares its memory") {
  const std::string update = "u: [n]f32 = update xs[0i64] = x ";
  CHECK(body(update) == "");
  CHECK(body(update + "v: [n]f32 = copy xs").ends_with("is used after its memory was consumed"));
  CHECK(body("v: [m]f32 = slice xs[0i64:1i64] " + update + "w: [m]f32 = copy v")
            .ends_with("is used after its memory was consumed"));
  CHECK(body("v: [m]f32 = slice xs[0i64:1i64] w: [m]f32 = update v[0i64] = x a: [n]f32 = copy xs")
            .ends_with("is used after its memory was consumed"));
  CHECK(body("v: [m]f32 = slice xs[0i64:1i64] u: [n]f32 = update_slice xs[0i64:1i64] = v")
            .find("is consumed while") != std::string::npos);
  // An element read before is a scalar of its own.
  CHECK(body("e: f32 = index xs[0i64] " + update + "v: f32 = add e e") == "");
  CHECK(verdict("fn f(n: i64, xs: [n]f32) -> ([n]f32, [n]f32) { u: [n]f32 = update xs[0i64] = "
                "1.0f32 ret u, xs }")
            .ends_with("is used after its memory was consumed"));
}

TEST_CASE("consumption on one path is consumption") {
  const std::string one = "r: [n]f32 = if c { u: [n]f32 = update xs[0i64] = x yield u } "
                          "else { yield xs } ";
  CHECK(body(one) == "");
  CHECK(body(one + "v: [n]f32 = copy r") == "");
  CHECK(body(one + "v: [n]f32 = update r[0i64] = x") == "");
  CHECK(body(one + "v: [n]f32 = copy xs").ends_with("is used after its memory was consumed"));
  // Both results may be what one branch handed on twice.
  CHECK(body("r: [n]f32, q: [n]f32 = if c { u: [n]f32 = update xs[0i64] = x d: [n]f32 = copy u "
             "yield u, d } else { yield xs, xs } v: [n]f32 = update r[0i64] = x w: [n]f32 = copy q")
            .ends_with("is used after its memory was consumed"));
  // A result may be either array.
  CHECK(body("e: [n]f32 = copy xs r: [n]f32 = if c { yield xs } else { yield e } "
             "u: [n]f32 = update r[0i64] = x v: [n]f32 = copy e")
            .ends_with("is used after its memory was consumed"));
}

TEST_CASE("loop bodies consume what is theirs") {
  CHECK(
      body("r: [n]f32 = for n (xs) { (i: i64, s: [n]f32) t: [n]f32 = update s[i] = x yield t }") ==
      "");
  CHECK(body("r: [n]f32 = for n (xs) { (i: i64, s: [n]f32) t: [n]f32 = update s[i] = x yield t } "
             "v: [n]f32 = copy xs")
            .ends_with("is used after its memory was consumed"));
  CHECK(body("r: [n]f32 = for n (xs) { (i: i64, s: [n]f32) yield s } v: [n]f32 = copy xs") == "");
  CHECK(body("r: [n]f32 = for n (xs) { (i: i64, s: [n]f32) yield s } "
             "u: [n]f32 = update r[0i64] = x v: [n]f32 = copy xs")
            .ends_with("is used after its memory was consumed"));
  CHECK(body("r: f32 = for n (x) { (i: i64, s: f32) t: [n]f32 = update xs[i] = x yield s }")
            .ends_with("is consumed by a body that does not own it"));
  CHECK(
      body("r: f32 = for n (x) { (i: i64, s: f32) d: [n]f32 = copy xs t: [n]f32 = update d[i] = x "
           "e: f32 = index t[i] yield e }") == "");
  // The next iteration's state would be an array from outside.
  CHECK(body("e: [n]f32 = copy xs r: [n]f32 = for n (xs) { (i: i64, s: [n]f32) t: [n]f32 = update "
             "s[i] = x yield e }")
            .find("may be an array from outside of the loop") != std::string::npos);
  // Two parts of the state share memory, at first or later.
  CHECK(body("r: [n]f32, q: [n]f32 = for n (xs, xs) { (i: i64, s: [n]f32, t: [n]f32) "
             "u: [n]f32 = update s[i] = x yield u, t }")
            .find("is consumed while") != std::string::npos);
  CHECK(body("e: [n]f32 = copy xs r: [n]f32, q: [n]f32 = for n (xs, e) { (i: i64, s: [n]f32, t: "
             "[n]f32) u: [n]f32 = update s[i] = x yield u, u }")
            .find("may share memory with another parameter's") != std::string::npos);
  // Double buffering.
  const std::string swap = "e: [n]f32 = copy xs r: [n]f32, q: [n]f32 = for n (xs, e) { (i: i64, s: "
                           "[n]f32, t: [n]f32) u: [n]f32 = update s[i] = x yield t, u } ";
  CHECK(body(swap) == "");
  CHECK(body(swap + "v: [n]f32 = copy e").ends_with("is used after its memory was consumed"));
  // The body looks at what the loop consumes.
  CHECK(body("r: [n]f32 = for n (xs) { (i: i64, s: [n]f32) a: f32 = index xs[i] t: [n]f32 = update "
             "s[i] = a yield t }")
            .find("is consumed while") != std::string::npos);
  CHECK(body("r: [n]f32 = while (xs) { (s0: [n]f32) t0: [n]f32 = update s0[0i64] = x yield c } do "
             "{ (s: [n]f32) yield s }")
            .find("parameters of a SOAC's body, an operator or a condition are not its own") !=
        std::string::npos);
}

TEST_CASE("SOAC bodies consume only what they make") {
  CHECK(body("r: [n]f32 = soac n () { (i: i64) d: [n]f32 = copy xs u: [n]f32 = update d[i] = x "
             "e: f32 = index u[i] yield e } map") == "");
  CHECK(body("r: [n]f32 = soac n () { (i: i64) u: [n]f32 = update xs[i] = x e: f32 = index u[i] "
             "yield e } map")
            .ends_with("is consumed by a body that does not own it"));
  CHECK(body("r: [n][m]f32 = soac n (zs) { (i: i64, a: [m]f32) u: [m]f32 = update a[i] = x yield "
             "u } map")
            .find("are not its own") != std::string::npos);
  CHECK(body("r: [n]f32 = soac n (xs) { (i: i64, a: f32) yield i, a } scatter 1 xs")
            .find("is consumed while") != std::string::npos);
  CHECK(body("r: [n]f32 = soac n () { (i: i64) a: f32 = index xs[i] yield i, a } scatter 1 xs")
            .find("is consumed while") != std::string::npos);
  CHECK(body("r: [n]f32 = soac m (ys) { (i: i64, a: f32) yield i, a } scatter 1 xs "
             "v: [n]f32 = copy xs")
            .ends_with("is used after its memory was consumed"));
}
