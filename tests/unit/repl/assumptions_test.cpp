// Assumptions tested on the data at hand: what is broken is told, what only rounds is not.
#include "repl/comparing/ways.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

struct Debugged {
  repl::Session session{[] {
    repl::SessionOptions options;
    options.debugging = Debugging::On;
    options.trace = [](const std::string&) {};
    return options;
  }()};
  /// The first line of what is said of an entry; nothing if all is well.
  std::string said(const std::string& entry) {
    const std::string messages = session.submit(entry).messages;
    return messages.substr(0, messages.find('\n'));
  }
  /// Whether nothing is said but that its loop could not be looked at before.
  bool is_unchecked_only(const std::string& entry) {
    const std::string messages = session.submit(entry).messages;
    CAPTURE(messages);
    const bool is_only = messages.find("[accelerate-unchecked]") != std::string::npos &&
                         messages.find("rror") == std::string::npos;
    CHECK(is_only);
    return is_only;
  }
  bool is_told(const std::string& entry, const std::string& words) {
    const std::string messages = session.submit(entry).messages;
    CAPTURE(entry);
    CAPTURE(messages);
    const bool is_there = messages.find(words) != std::string::npos;
    CHECK(is_there);
    return is_there;
  }
};

} // namespace

TEST_CASE_FIXTURE(Debugged, "operators of reductions and scans are associative") {
  CHECK(said("reduce (-) 0 [0, 1, 2]") ==
        "<prompt>:1:1: Error: `reduce` at 1:1 may give anything: the operator is not associative: "
        "(0 - 1) - 2 = -3, 0 - (1 - 2) = 1 [not-associative]");
  CHECK(said("1 + reduce (\\a b -> 2 * a + b) 0 [1, 1, 1]") ==
        "<prompt>:1:5: Error: `reduce` at 1:5 may give anything: the operator is not associative: "
        "(1 ⊕ 1) ⊕ 1 = 7, 1 ⊕ (1 ⊕ 1) = 5 [not-associative]");
  REQUIRE(said("def f (a: i32) (b: i32) = a / 2 + b") == "");
  CHECK(said("scan f 0 [4, 2, 6]") ==
        "<prompt>:1:1: Error: `scan` at 1:1 may give anything: the operator is not associative: "
        "(4 `f` 2) `f` 6 = 8, 4 `f` (2 `f` 6) = 9 [not-associative]");
  CHECK(said("reduce (+) 0 (iota 1000)") == "");
  CHECK(said("reduce (-) 0 ([] : [0]i32)") == "");
}

TEST_CASE_FIXTURE(Debugged, "tuples and arrays are compared part by part") {
  is_told("reduce (\\(a, b) (c, d) -> (a + c, b - d)) (0, 0) [(1, 1), (2, 2), (3, 3)]",
          "((1, 1) ⊕ (2, 2)) ⊕ (3, 3) = (6, -4), (1, 1) ⊕ ((2, 2) ⊕ (3, 3)) = (6, 2)");
  is_told("reduce (\\a b -> map2 (-) a b) [0, 0] [[1, 2], [3, 4], [5, 6]]",
          "([1, 2] ⊕ [3, 4]) ⊕ [5, 6] = [-7, -8]");
  CHECK(said("reduce (\\a b -> map2 (+) a b) [0, 0] [[1, 2], [3, 4], [5, 6]]") == "");
  CHECK(said("reduce (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) "
             "[(1, 1), (2, 2), (3, 3)]") == "");
}

TEST_CASE_FIXTURE(Debugged, "neutral elements are neutral") {
  is_told("reduce (+) 1 [5i32, 6]", "`reduce` at 1:1 may give anything: 1 is not neutral: "
                                    "1 + 5 = 6 [not-neutral]");
  is_told("scan i32.max 3 [1, 7]", "3 is not neutral: 3 `max` 1 = 3");
  CHECK(said("scan i32.max i32.lowest [1, 7]") == "");
}

TEST_CASE_FIXTURE(Debugged, "operators of histograms commute, within each bin") {
  is_told("hist (\\a b -> if a == 0 then b else a) 0 2 [0, 1, 0] [1, 2, 3]",
          "`hist` at 1:1 may give anything: the operator is not commutative: 1 ⊕ 3 = 1, "
          "3 ⊕ 1 = 3 [not-commutative]");
  // One value in each bin has nothing to commute with.
  CHECK(said("hist (\\a b -> if a == 0 then b else a) 0 3 [0, 1, 2] [1, 2, 3]") == "");
  is_told("reduce_comm (\\a b -> if a == 0 then b else a) 0 [1, 2]", "[not-commutative]");
  CHECK(said("reduce (\\a b -> if a == 0 then b else a) 0 [1, 2]") == "");
  is_told("reduce_by_index (replicate 2 0) (-) 0 [1, 1, 1, 5] [1, 2, 3, 4]",
          "`reduce_by_index` at 1:1");
}

TEST_CASE_FIXTURE(Debugged, "no place is written twice with different values") {
  is_told("scatter [0, 0, 0] [2, 0, 2] [7, 8, 9]",
          "`scatter` at 1:1 may give anything: elements 0 and 2 write different values, 7 and 9, "
          "at index 2 [scatter-twice]");
  CHECK(said("scatter [0, 0, 0] [2, 0, 2] [7, 8, 7]") == "");
  CHECK(said("scatter [0, 0, 0] [5, 0, 5] [7, 8, 9]") == "");
  CHECK(said("scatter (replicate 100000 0f32) [3, 3] [f32.nan, f32.nan]") == "");
  CHECK(said("scatter (replicate 100000 0f32) [3, 3] [0, -0]") == "");
  is_told("scatter (replicate 100000 0f32) [3, 3] [0, f32.nan]", "0.0 and f32.nan");
  is_told("scatter_2d (replicate 2 [0, 0]) [(1, 1), (0, 0), (1, 1)] [1, 2, 3]", "at index [1, 1]");
}

TEST_CASE_FIXTURE(Debugged, "rounding is no violation") {
  for (const char* sound :
       {"f64.sum (map (\\i -> 1 / f64.i64 (i + 1)) (iota 1000))",
        "reduce (\\a b -> a + b) 0 [1e20f64, 1, -1e20, 0.1, 1e-300, -1e10]",
        "reduce (\\a b -> a * b) 1 [1e200f64, 1e200, 1e-300, 3]",
        "reduce (\\(a, b) (c, d) -> (a * c - b * d, a * d + b * c)) (1f32, 0) "
        "(map (\\i -> (f32.cos (f32.i64 i), f32.sin (f32.i64 i))) (iota 200))",
        "let m = \\a b -> (let h = f32.max a b in if h == -f32.inf then h else "
        "h + f32.log (f32.exp (a - h) + f32.exp (b - h))) "
        "in reduce m (-f32.inf) (map (\\i -> 10 * f32.sin (f32.i64 i)) (iota 200))",
        // Means and squared deviations of parts; of no elements they are nothing.
        "let op = \\(n, mean, m2) (k, mean', m2') -> (let t = n + k in if t == 0f64 "
        "then (0, 0, 0) else let d = mean' - mean in "
        "(t, mean + d * k / t, m2 + m2' + d * d * n * k / t)) "
        "in reduce op (0, 0, 0) (map (\\i -> (1f64, f64.sin (f64.i64 i) * 1e6, 0)) (iota 300))",
        "reduce f32.max (-f32.inf) [1, f32.nan, 3]", "reduce f32.min f32.inf [0, -0f32, 3]",
        "f32.maximum [f32.nan, 2]", "reduce (+) 0 [f64.inf, 1, -f64.inf]",
        "reduce (\\a b -> a + b) 0 [f64.inf, 1, -f64.inf, f64.nan]",
        "reduce (\\a b -> a + b) 0 [1f16, 1000, 0.001, -1000]"}) {
    CAPTURE(sound);
    CHECK(said(sound) == "");
  }
}

TEST_CASE_FIXTURE(Debugged, "floats break laws, too") {
  is_told("reduce (-) 0 [0.5, 1, 2]",
          "the operator is not associative: (0.5 - 1.0) - 2.0 = -2.5, 0.5 - (1.0 - 2.0) = 1.5");
  is_told("reduce (\\a b -> (a + b) / 2) 0 [1f32, 2, 3]", "[not-associative]");
  is_told("reduce (\\(a, n) (b, k) -> (a + b * 2, n + k)) (0f32, 0i64) "
          "(map (\\i -> (f32.i64 i, 1)) (iota 100))",
          "[not-associative]");
  is_told("let c = 0.001f64 in reduce (\\a b -> a + b + c * a) 0 [1, 2, 3]", "[not-associative]");
  is_told("reduce (\\a b -> (a + b) / 2) 0 [1f16, 2, 3]", "[not-associative]");
  is_told("reduce (+) 0.1 [1f64, 2]", "0.1 is not neutral: 0.1 + 1.0 = 1.1");
}

TEST_CASE_FIXTURE(Debugged, "operators that fail on what never meets are let be") {
  CHECK(said("reduce (\\a b -> if b == 7i32 then 1 / (a - a) else a + b) 0 [1, 2]") == "");
}

TEST_CASE_FIXTURE(Debugged, "`#[unsafe]` has no effect") {
  is_told("let xs = filter (> 1) [1, 2, 3] in #[unsafe] (xs :> [3]i32)", "[shape-mismatch]");
  session.debug(Debugging::Off);
  CHECK(session.submit("let xs = filter (> 1) [1, 2, 3] in #[unsafe] (xs :> [3]i32)").ok());
}

TEST_CASE("tests are not traced") {
  repl::SessionOptions options;
  options.debugging = Debugging::On;
  int traced = 0;
  options.trace = [&](const std::string&) { ++traced; };
  repl::Session session(std::move(options));
  CHECK(session.submit("reduce (\\a b -> #[trace] (a + b)) 0 [1i32, 2, 3]").ok());
  CHECK(traced == 3);
}

TEST_CASE_FIXTURE(Debugged, "warnings are told once for each place") {
  session.debug(Debugging::Warn);
  const repl::Outcome outcome = session.submit("map (\\x -> reduce (-) 0 [x, 1, 2]) [1, 2, 3]");
  CHECK(outcome.ok());
  CHECK(outcome.messages.starts_with("<prompt>:1:12: warning: `reduce` at 1:12 may give anything"));
  CHECK(outcome.messages.find("warning", 30) == std::string::npos);
}

TEST_CASE_FIXTURE(Debugged, "the first number that is none is found") {
  session.debug(Debugging::Nan);
  is_told("map (\\x -> 1 / x) [1, 0f64]", "1.0 / 0.0 is f64.inf [not-finite]");
  is_told("f64.log (-1)", "log (-1.0) is f64.nan [not-finite]");
  is_told("f64.sum [1e308, 1e308]", "1.0e308 + 1.0e308 is f64.inf [not-finite]");
  is_told("f32.inf - f32.inf", "f32.inf - f32.inf is f32.nan");
  CHECK(said("f32.inf + 1") == "");
  CHECK(said("f32.maximum [1, 2]") == "");
  CHECK(said("f32.nan + 1") == "");
}

TEST_CASE("where results differ it is told why") {
  repl::Session session;
  REQUIRE(session.submit("def difference (xs: []i32) = reduce (-) 0 xs").ok());
  const repl::Session::Prepared prepared = session.prepare("difference [1, 2, 3]");
  REQUIRE(prepared.outcome.ok());
  comparing::Computation computation;
  computation.evaluate = [&] { // as if the compiler took another order
    const Value value = session.evaluator().evaluate(prepared.toplevel);
    const bool is_compiled = session.options().acceleration.mode == jit::Mode::Jit;
    return std::vector<Value>{is_compiled ? Value(Scalar::of(std::int32_t{2})) : value};
  };
  computation.types = [&](const std::vector<Value>&) {
    return std::vector<comparing::ResultType>{{"i32", "i32", prepared.representation}};
  };
  const comparing::Compared compared = comparing::compare(session, computation, 0);
  REQUIRE(compared.comparison);
  CHECK(compared.comparison->has_real_difference());
  CHECK(compared.comparison->text().ends_with(
      "because `reduce` at 1:30 may give anything: the operator is not associative: "
      "(1 - 2) - 3 = -4, 1 - (2 - 3) = 2\n"));
  CHECK(compared.comparison->json("main").find("\"reasons\"") != std::string::npos);
}

TEST_CASE_FIXTURE(Debugged, "iterations of a marked loop write places of their own") {
  const auto loop = [](const std::string& places, const std::string& body) {
    return "#[parallel] loop xs = [5i64, 6, 7] for p in " + places + " do " + body;
  };
  CHECK(said(loop("[0i64, 2, 2]", "xs with [p] = xs[p] * 2 + 1")) ==
        "<prompt>:1:13: Error: `loop` at 1:13 may give anything: iteration 2 reads `xs[2]`, which "
        "iteration 1 has written [dependent-iterations]");
  CHECK(said(loop("[0i64, 2, 1]", "xs with [p] = xs[p] * 2 + 1")) == "");
  CHECK(said("#[parallel] loop xs = [5i64, 6, 7] for i < 4 do xs with [i % 2] = i") ==
        "<prompt>:1:13: Error: `loop` at 1:13 may give anything: iterations 0 and 2 write "
        "different values, 0 and 2, to `xs[0]` [dependent-iterations]");
  CHECK(said("#[parallel] loop xs = [5i64, 6, 7] for i < 4 do xs with [i % 2] = i % 2") == "");
  CHECK(said("loop xs = [5i64, 6, 7] for i < 4 do xs with [i % 2] = i") == "");
}

TEST_CASE_FIXTURE(Debugged, "loops that nobody could look at before are tried in other orders") {
  REQUIRE(said("def f (n: i64): i64 = if n <= 0 then 1 else f (n - 1) + f (n - 2)") == "");
  is_told("#[parallel] loop s = 1i64 for i < 5i64 do f (s % 2) + 2 * s + i",
          "`loop` at 1:13 may give anything: with its iterations backwards `s` comes to ");
  is_told("#[parallel] loop s = 1i64 for i < 5i64 do f (s % 4) + i",
          "with its iterations in the order 0, 3, … `s` comes to 4, not to 5");
  is_told("#[parallel] loop s = 1 for x in [0.1, 1e16, f64.i64 (f 1)] do s * 0.5 + x",
          "[loop-carried]"); // the calls are outside of the loop
  is_told(
      "#[parallel] loop s = 0 for x in [1e16, 0.75, 0.75] do s + x * f64.i64 (f (i64.f64 x % 2))",
      "with its iterations backwards `s` comes to 1.0000000000000002e16, not to 1.0e16");
  // What a number decides about arrays.
  is_told("#[parallel] loop (s, ys) = (0, [7i64, 7, 7]) for i < 3 do (s ^ f i, ys with [i] = s)",
          "with its iterations backwards `ys[0]` comes to ");
  is_told("#[parallel] loop (k, ys) = (0, [[1i64, 2], [3, 4]]) for i < 2 do "
          "(k + f i, ys with [i, 1] = k)",
          "`ys[0, 1]` comes to 2, not to 0");
  // Another order may fail.
  is_told("#[parallel] loop s = 0i64 for i < 3i64 do if i == 2 then f s + 4 else "
          "10 / (if s == 5 then 0 else 1) - 10",
          "with its iterations backwards number 1 fails: division by zero");
  // Those that are folds are nobody's.
  is_unchecked_only("#[parallel] loop s = 1i64 for i < 5i64 do s + f i");
  is_unchecked_only("#[parallel] loop s = 1i64 for i < 5i64 do i64.max (f (4 - i)) s");
  is_unchecked_only("#[parallel] loop s = true for i < 5i64 do s && f i > 0");
  is_unchecked_only(
      "#[parallel] loop ys = [1i64, 2, 3] for i < 3 do ys with [2 - i] = ys[2 - i] + f i");
  is_unchecked_only("#[parallel] loop s = 1i64 for i < 1i64 do f s");
  is_unchecked_only("#[parallel] loop s = 1i64 for i < 0i64 do f s");
  // What was looked at before is a scan, in no other order.
  CHECK(
      said("#[parallel] loop (s, ys) = (0, [7i64, 7, 7]) for i < 3 do (s + i, ys with [i] = s)") ==
      "");
  // Nested, and without a mark.
  is_told("map (\\n -> #[parallel] loop s = 1i64 for i < n do f (s % 2) + 2 * s + i) [1, 3]",
          "[dependent-iterations]");
  CHECK(said("loop s = 1i64 for i < 5i64 do f (s % 2) + 2 * s + i") == "");
}

TEST_CASE("iterations that are tried again are seen once") {
  repl::SessionOptions options;
  options.debugging = Debugging::On;
  int traced = 0;
  options.trace = [&](const std::string&) { ++traced; };
  repl::Session session(std::move(options));
  CHECK(session.submit("#[parallel] loop s = 0i64 for i < 4i64 do s + #[trace] i").ok());
  CHECK(traced == 4);
  const repl::Outcome outcome =
      session.submit("#[parallel] loop s = 0i64 for i < 4i64 do s * 2 + #[trace] i");
  CHECK(outcome.messages.find("[dependent-iterations]") != std::string::npos);
  CHECK(traced == 8);
}

TEST_CASE_FIXTURE(Debugged, "what iterations combine in any order is nobody's") {
  CHECK(said("#[parallel] loop hs = [0i64, 0] for b in [0i64, 1, 0] do hs with [b] = hs[b] + 1") ==
        "");
  CHECK(said("#[parallel] loop hs = [0i32, 0] for b in [0i64, 1, 0] do "
             "let old = hs[b] in hs with [b] = i32.max 3 old") == "");
  CHECK(said("let put (hs: *[2]i64) b = hs with [b] = 1 ^ hs[b] in "
             "#[parallel] loop hs = [0i64, 0] for b in [0i64, 1, 0] do put hs b") == "");
}

TEST_CASE_FIXTURE(Debugged, "arrays of marked loops are followed through copies, views and nests") {
  is_told(
      "let ys = [[1i64, 2], [3, 4]] in "
      "(ys, #[parallel] loop xs = ys for p in [0i64, 1, 1] do xs with [p, 0] = xs[p, 0] * 2 + 1)",
      "iteration 2 reads `xs[1, 0]`, which iteration 1 has written");
  is_told("#[parallel] loop xs = [[1i64, 2], [3, 4]] for p in [0i64, 1, 1] do "
          "let row = xs[p] in xs with [p] = [row[0] + 1, row[1]]",
          "iteration 2 reads `xs[1, 0]`, which iteration 1 has written");
  is_told("#[parallel] loop xs = [[1i64, 2], [3, 4]] for p in [0i64, 1, 1] do "
          "let row = map (+ 1) xs[p] in xs with [p] = row",
          "iteration 2 reads `xs[1, 0]`, which iteration 1 has written");
  CHECK(said("#[parallel] loop xs = [[1i64, 2], [3, 4]] for i < 2 do "
             "#[parallel] loop xs for j < 2 do xs with [i, j] = xs[i, j] * 2") == "");
  CHECK(said("#[parallel] loop zs = [(1i64, 2i64), (3, 4)] for p in [1i64, 0] do "
             "zs with [p] = (zs[p].1, zs[p].0)") == "");
}
