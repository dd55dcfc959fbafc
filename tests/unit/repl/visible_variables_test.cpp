#include "repl/observing/visible_variables.h"

#include "lang/values/format.h"
#include "repl/session/session.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace sinter;

namespace {

/// What is visible at each step of the calls that were there when it was taken.
class Looker final : public StepObserver {
public:
  explicit Looker(repl::Session& session) : session_(session) {}

  bool stops_at(const core::Expr&) override { return true; }
  void stop(const BreakPlace& place) override {
    std::string text(session_.sources().text(place.span));
    for (std::size_t i = 0; i < place.calls.size(); ++i)
      text += " |" + visible_at(place.calls[i], place.frames[i].span);
    seen.push_back(text);
  }
  bool has_seen(const std::string& text) const {
    return std::find(seen.begin(), seen.end(), text) != seen.end();
  }
  std::vector<std::string> seen;

private:
  std::string visible_at(const RunningCall& call, Span place) {
    const repl::VisibleVariables visible =
        repl::visible_variables(session_.sources(), session_.representations(), call, place);
    std::string text;
    for (std::size_t i = 0; i < visible.type->record().fields.size(); ++i)
      text += " " + visible.type->record().fields[i].name + "=" +
              print_value(visible.variables.fields()[i], visible.type->record().fields[i].type, 20);
    for (const std::string& name : visible.lost)
      text += " -" + name;
    return text;
  }
  repl::Session& session_;
};

/// The steps of an expression, after definitions.
struct Steps {
  repl::Session session;
  Looker looker{session};

  Steps(const std::vector<std::string>& definitions, const std::string& expression) {
    for (const std::string& definition : definitions)
      CHECK(session.submit(definition).ok());
    session.go_by_steps(&looker);
    CHECK(session.submit(expression).ok());
    session.go_by_steps(nullptr);
  }
  /// Whether one of the steps is this text, with these variables in each call, innermost first.
  bool has(const std::string& step) const { return looker.has_seen(step); }
  std::string all() const {
    std::string text;
    for (const std::string& step : looker.seen)
      text += step + "\n";
    return text;
  }
};

} // namespace

TEST_CASE("a `let` is in reach after its value, not before") {
  const Steps steps({}, "let a = 1i64 let b = a + 1 in a * b");
  CAPTURE(steps.all());
  CHECK(steps.has("a + 1 | a=1i64 |"));
  CHECK(steps.has("a * b | a=1i64 b=2i64 |"));
}

TEST_CASE("inner bindings hide outer ones") {
  const Steps steps({}, "let a = 1i64 let a = a + 1 in a * 3");
  CAPTURE(steps.all());
  CHECK(steps.has("a + 1 | a=1i64 |"));
  CHECK(steps.has("a * 3 | a=2i64 |"));
}

TEST_CASE("parameters, branches of matches and loops bind") {
  const Steps steps({"def f (x: i64) (y: i64, z: i64) = x + y * z",
                     "def g (s: #a i64 | #b) = match s case #a v -> v + 1 case #b -> 0i64"},
                    "loop (s, t) = (0i64, 1i64) for i < 1i64 do (s + f 2 (3, 4) + g (#a 5), t)");
  CAPTURE(steps.all());
  CHECK(steps.has("x + y * z | x=2i64 y=3i64 z=4i64 | i=0i64 s=0i64 t=1i64 |"));
  CHECK(steps.has("v + 1 | v=5i64 -s | i=0i64 s=0i64 t=1i64 |"));
}

TEST_CASE("what a function captures is in reach, and so are the callers' variables") {
  const Steps steps({"def apply (f: i64 -> i64) (x: i64) = f (x + 1)"},
                    "let k = 10i64 in apply (\\v -> v * k) 1");
  CAPTURE(steps.all());
  CHECK(steps.all().find("v * k | k=10i64 v=2i64 |") != std::string::npos);
  CHECK(steps.all().find(" x=1i64 | k=10i64 |") != std::string::npos);
}

TEST_CASE("sizes with names are in reach") {
  const Steps steps({"def f [n][m] (xss: *[n][m]i64) = let xs = xss[0] in (xs, n * 10 + m)",
                     "def g (xs: []i64) = let [k] (ys: [k]i64) = filter (> 1) xs in (ys, k)"},
                    "(f [[1, 2, 3]], g [1, 2, 3])");
  CAPTURE(steps.all());
  CHECK(steps.has("(xs, n * 10 + m) | m=3i64 n=1i64 xs=[1i64, 2i64, 3i64] -xss | |"));
  CHECK(steps.has("(ys, k) | k=2i64 ys=[2i64, 3i64] -xs | |"));
}

TEST_CASE("a consumed variable is no longer held, and so is nothing else") {
  const Steps steps({}, "let xs = replicate 2 1i64 let n = 0i64 "
                        "let ys = xs with [n] = 9 let m = 5i64 in ys[0] + m");
  CAPTURE(steps.all());
  CHECK(steps.has("ys[0] + m | m=5i64 n=0i64 ys=[9i64, 1i64] -xs |"));
}
