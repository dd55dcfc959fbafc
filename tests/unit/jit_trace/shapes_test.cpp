// What traces look like where it matters: copies, branches, loops' states, and what is refused.
#include "tests/unit/jit_trace/tracing.h"

#include "jit/ir/walk.h"

#include <doctest/doctest.h>

#include <functional>

namespace {

using namespace sinter;

/// A function of the program on arguments, all as the prompt takes them.
struct Snippet {
  repl::Session session;
  std::string ir;
  std::size_t written = 0;
  std::string refusal;

  Snippet(const std::string& function, const std::vector<std::string>& arguments,
          const std::string& definitions = "",
          test::Uncomputed globals = test::Uncomputed::Awaited) {
    if (!definitions.empty()) REQUIRE(session.submit(definitions).ok());
    const core::Function* code = value(function).function().function;
    std::vector<Value> values;
    for (const std::string& argument : arguments)
      values.push_back(value(argument));
    std::vector<Value> kept;
    for (const Value& argument : values)
      kept.push_back(argument.is_array() ? Value(copy(session.memory(), argument.array()))
                                         : argument);
    const test::Traced traced = test::run_traced(session, *code, values, false, true, globals);
    ir = traced.ir;
    written = traced.written;
    if (traced.refusal) {
      refusal = traced.refusal->reason;
      return;
    }
    CHECK_MESSAGE(traced.problem.empty(), traced.problem << "\n" << ir);
    REQUIRE_MESSAGE(traced.value, traced.failure);
    const Value expected = session.evaluator().call(*code, std::move(kept));
    CHECK(print_value(*traced.value, code->result) == print_value(expected, code->result));
  }

  Value value(const std::string& text) {
    const repl::Outcome outcome = session.submit(text);
    REQUIRE_MESSAGE(outcome.ok(), outcome.messages);
    return outcome.value;
  }
  /// How often a word occurs.
  std::size_t count(const std::string& word) const {
    std::size_t found = 0;
    for (std::size_t at = ir.find(word); at != std::string::npos; at = ir.find(word, at + 1))
      ++found;
    return found;
  }
};

} // namespace

TEST_CASE("an update of a loop's own array copies nothing") {
  const Snippet snippet(
      "\\(n: i64) (xs: *[3]i64) -> loop ys = xs for i < n do ys with [i] = ys[i] + i",
      {"3i64", "[1i64, 2, 3]"});
  CHECK(snippet.count("copy") == 0);
  CHECK(snippet.count("update") == 1);
}

TEST_CASE("states that change places copy nothing") {
  const Snippet snippet(
      "\\(n: i64) -> loop (a, b) = (replicate n 0i64, replicate n 1i64) for i < n "
      "do (b with [i] = i, a)",
      {"3i64"});
  CHECK(snippet.count("copy") == 0);
}

TEST_CASE("one array as two states is copied before the loop") {
  const Snippet snippet(
      "\\(n: i64) -> let xs = iota n in loop (a, s) = (copy xs, 0i64) for i < n do "
      "let s = s + a[i] in (a with [i] = xs[n - 1 - i], s)",
      {"4i64"});
  CHECK(snippet.count("copy") == 1);
}

TEST_CASE("an update inside a map is of the map's own copy") {
  const Snippet snippet("\\(xss: [2][2]i64) -> map (\\(xs: [2]i64) -> copy xs with [0] = 7) xss",
                        {"[[1i64, 2], [3, 4]]"});
  CHECK(snippet.count("copy") == 1);
}

TEST_CASE("an update in one branch copies nothing") {
  const Snippet snippet("\\(b: bool) (xs: *[2]i64) -> if b then xs with [0] = 7 else xs",
                        {"true", "[1i64, 2]"});
  CHECK(snippet.count("copy") == 0);
  CHECK(snippet.count("if ") == 1);
}

TEST_CASE("short scalar branches become selections") {
  const Snippet snippet("\\(x: i64) -> if x > 3 then x * 2 else x + 1", {"5i64"});
  CHECK(snippet.count("select") == 1);
  CHECK(snippet.count("if ") == 0);
}

TEST_CASE("a branch that fails is a check before the other one") {
  const Snippet snippet("\\(x: i64) -> if x > 3 then x * 2 else assert false x", {"5i64"});
  CHECK(snippet.count("check") == 1);
  CHECK(snippet.count("if ") == 0);
  CHECK(snippet.count("select") == 0);
}

TEST_CASE("a map over iota has no input") {
  const Snippet snippet("\\(n: i64) (xs: [4]i64) -> map (\\i -> xs[i]) (iota 4)",
                        {"4i64", "[4i64, 3, 2, 1]"});
  CHECK(snippet.count("out of bounds") <= 1);
  CHECK(snippet.count("= soac 4i64 () {") == 2); // iota itself, and the map
}

TEST_CASE("a sum of unknown constructor keeps every payload") {
  const Snippet snippet(
      "\\(x: i64) -> match f x case #a y -> y case #b y z -> y + z case #c -> 0", {"7i64"},
      "def f (x: i64) : #a i64 | #b i64 i64 | #c = if x < 3 then #a x else if x < 9 "
      "then #b x (x + 1) else #c");
  CHECK(snippet.refusal.empty());
}

TEST_CASE("a loop whose state changes constructor and size") {
  const Snippet snippet(
      "\\(n: i64) -> grow n", {"5i64"},
      "def flip (s: #start | #middle i64) (i: i64) : #start | #middle i64 = "
      "match s case #start -> #middle i case #middle _ -> #start\n"
      "def grow (n: i64) : []i64 = (loop (s, xs) = (#start : #start | #middle i64, [0i64]) "
      "for i < n do (flip s i, xs ++ [match s case #start -> 0 case #middle k -> k])).1");
  CHECK(snippet.refusal.empty());
}

TEST_CASE("inner sizes that the element computes from outside are named outside") {
  const Snippet snippet("\\(n: i64) -> map (\\i -> let m = n + 1 in replicate m i) (iota n)",
                        {"3i64"});
  CHECK(snippet.refusal.empty());
}

/// What `around` makes of `inside`, so many times over; `?` is where it stands.
std::string nested(const std::string& around, const std::string& inside, int depth) {
  std::string text = inside;
  const std::size_t gap = around.find('?');
  for (int i = 0; i < depth; ++i)
    text = around.substr(0, gap) + text + around.substr(gap + 1);
  return text;
}

TEST_CASE("each body is walked once, however deep it is nested") {
  struct Case {
    const char *around, *inside, *argument;
  };
  const Case cases[] = {// A size that nobody knows before the body does.
                        {"map (\\_ -> ?) (iota (n / 3))", "map (+ n) (iota (n / 3))", "3"},
                        {"if n > 1 then ? else assert false 0", "n * 2", "3"},
                        {"if n < 1 then assert false 0 else ?", "n * 2", "3"}};
  for (const Case& c : cases) {
    const auto written = [&](int depth) {
      const Snippet snippet("\\(n: i64) -> " + nested(c.around, c.inside, depth), {c.argument});
      return snippet.written;
    };
    const std::size_t two = written(2), four = written(4), eight = written(8);
    CAPTURE(c.around);
    CAPTURE(two);
    CAPTURE(four);
    CAPTURE(eight);
    CHECK(eight - four <= 2 * (four - two) + 4);
  }
}

TEST_CASE("what cannot be traced says why") {
  CHECK(Snippet("\\(x: i64) -> fact x", {"5i64"},
                "def fact (n: i64) : i64 = if n == 0 then 1 else n * fact (n - 1)")
            .refusal.find("recursion") == 0);
  CHECK(Snippet("\\(x: i64) -> #[trace] x", {"5i64"}).refusal ==
        "`#[trace]` is for the interpreter");
}

TEST_CASE("where all elements fail, there is a check that there are none") {
  const Snippet rows("\\(n: i64) -> map (\\i -> map (+ i) (0i64..<(-1i64))) (iota n)", {"0i64"});
  CHECK(rows.refusal.empty());
}

TEST_CASE("what always fails but need not run is a check that it does not") {
  const char* const fails = "def fails (x: i64) : i64 = assert (1i64 > 2i64) x";
  for (const char* program :
       {"\\(n: i64) -> loop x = n while x > 0 do fails x",
        "\\(n: i64) -> (flatmap (\\i -> (replicate (fails i) i, i)) (iota n))",
        "\\(n: i64) -> flatmap (\\i -> (map (\\_ -> [i, i]) (iota (fails i)), [i])) (iota n)",
        "\\(n: i64) -> hist (\\a b -> fails (a + b)) 0 2 (iota n) (iota n)",
        "\\(n: i64) -> hist (\\a b -> fails (a + b)) 0 2 (map (+ (2 + n)) (iota 4)) (iota 4)",
        "\\(n: i64) -> partition (\\x -> fails x > 2) (iota n)"}) {
    CAPTURE(program);
    const Snippet snippet(program, {"0i64"}, fails);
    CHECK(snippet.refusal.empty());
  }
  CHECK(Snippet("\\(n: i64) -> loop x = n while true do fails x", {"0i64"}, fails)
            .refusal.find("it always fails") == 0);
}

TEST_CASE("a number becomes a size only where it can be one") {
  const Snippet rows("\\(n: i64) (k: i64) -> tabulate_2d n k (\\i j -> i + j)", {"0i64", "5i64"});
  CHECK(rows.count("out_of_memory") == 2); // one for each, however often it becomes one
}

TEST_CASE("recursion whose calls come last is a loop") {
  const Snippet snippet("\\(a: i64) (b: i64) -> gcd a b", {"12i64", "18i64"},
                        "def gcd (a: i64) (b: i64) : i64 = if b == 0 then a else gcd b (a % b)");
  CHECK(snippet.refusal.empty());
  CHECK(snippet.count("while") == 1);
}

TEST_CASE("recursion that hands arrays on is for the evaluator, which does it in place") {
  CHECK(Snippet("\\(n: i64) -> fill_from 0 (replicate n 0)", {"5i64"},
                "def fill_from [n] (i: i64) (xs: *[n]i64) : *[n]i64 = "
                "if i == n then xs else fill_from (i + 1) (xs with [i] = i * i)")
            .refusal.find("recursion") == 0);
}

TEST_CASE("recursion without an end is for the evaluator") {
  CHECK(Snippet("\\(x: i64) -> on x", {"5i64"}, "def on (n: i64) : i64 = on (n + 1)")
            .refusal.find("recursion without end") == 0);
}

TEST_CASE("a loop's sum gains a constructor with an array: it begins empty, before the loop") {
  const std::string found = "type found = #none | #pair ([2]i64)\n"
                            "def shown (f: found) : [2]i64 = match f case #none -> [0, 0] "
                            "case #pair xs -> xs";
  for (const char* count : {"0i64", "3i64"}) {
    const Snippet in_for(
        "\\(n: i64) -> shown (loop f: found = #none for i < n do #pair [i, i + 1])", {count},
        found);
    CHECK(in_for.refusal.empty());
    const Snippet in_while("\\(n: i64) -> shown (loop (i, f: found) = (0, #none) while i < n do "
                           "(i + 1, #pair [i, i + 1])).1",
                           {count}, found);
    CHECK(in_while.refusal.empty());
  }
}

TEST_CASE("flatmap of scalar code is a map over all positions") {
  const Snippet snippet(
      "\\(ks: [3]i64) -> flatmap (\\k -> (map (\\i -> i * k) (iota k), k + 1)) ks",
      {"[2i64, 0i64, 3i64]"});
  CHECK(snippet.refusal.empty());
  CHECK(snippet.count("for ") == 0);
}

TEST_CASE("flatmap of other code writes piece after piece in place") {
  const Snippet snippet("\\(ks: [3]i64) -> flatmap (\\k -> (filter (< 2) (iota k), ())) ks",
                        {"[2i64, 0i64, 3i64]"});
  CHECK(snippet.refusal.empty());
  CHECK(snippet.count("for ") == 1);
  CHECK(snippet.count("copy") == 0);
}

// Constants of modules: those at the prompt's own level are computed when they are defined.
const char* const looks_at_globals =
    "\\(xs: [3]i64) -> map (\\x -> if x > 3 then m.squares[x] + m.ones[x] else 0) xs";
const char* const globals_looked_at =
    "module m = { def squares = map (\\i -> i * i) (iota 10)\n"
    "def ones = map (\\i -> i / 100 + squares[i] / 50 + 1) (iota 10) }";

TEST_CASE("a global that only elements look at is computed once, before them") {
  // In place, each element that looks at the table would compute the whole table.
  const Snippet snippet(looks_at_globals, {"[1i64, 4, 7]"}, globals_looked_at,
                        test::Uncomputed::InPlace);
  INFO(snippet.ir);
  const std::size_t branch = snippet.ir.find(" = if ");
  REQUIRE(branch != std::string::npos);
  CHECK(snippet.ir.find(" = soac 10i64", branch) == std::string::npos);
  CHECK(snippet.count(" = soac 10i64") == 4); // iota and map of each
}

TEST_CASE("a global that is awaited is an input") {
  const Snippet snippet(looks_at_globals, {"[1i64, 4, 7]"}, globals_looked_at);
  INFO(snippet.ir);
  CHECK(snippet.count(" = soac 10i64") == 0);
  CHECK(snippet.count(" = index ") == 2);
}

TEST_CASE("a global that one side of a branch needs is computed there") {
  const Snippet snippet("\\(n: i64) -> if n > 3 then m.squares[n] else 0", {"4"},
                        "module m = { def squares = map (\\i -> i * i) (iota 10) }",
                        test::Uncomputed::InPlace);
  INFO(snippet.ir);
  const std::size_t branch = snippet.ir.find(" = if ");
  REQUIRE(branch != std::string::npos);
  CHECK(branch < snippet.ir.find(" = soac 10i64"));
}
