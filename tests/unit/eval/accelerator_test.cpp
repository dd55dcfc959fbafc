// What the evaluator offers to an accelerator, and what it does with the answers.
#include "builder.h"

#include "lang/eval/accelerator.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <thread>
#include <utility>

using namespace sinter;
using namespace sinter::test;
using primitives::ArrayOperation;

namespace {

/// Writes down what is offered; takes what it is told to.
class Recorder final : public Accelerator {
public:
  std::vector<std::string> seen;
  std::int64_t ask_at = Watch::never; ///< of every operation
  std::int64_t fails_at = Watch::never;
  bool takes_rest = false; ///< of a map
  std::optional<ArrayOperation> takes_again;
  std::optional<Value> for_call, for_operation, for_loop, for_whole;
  std::int64_t take_loop_at = -1; ///< iterations
  std::vector<const void*> places;
  bool is_ready = false;                ///< has code for each function
  std::vector<std::thread::id> callers; ///< of calls, where they are offered

  std::optional<RuntimeError> error_of_call; ///< until an evaluation is repeated
  bool makes_candidates = false;             ///< of calls and expressions
  /// At the next operation: begins the candidate again that is so far out.
  std::optional<std::size_t> restart;
  std::size_t restarts = 0;           ///< how often `restart` is done
  std::optional<Value> for_candidate; ///< what one that begins again gives
  std::vector<std::size_t> depths;    ///< of candidates around each operation

  void begin_evaluation() override { seen.emplace_back("begin"); }
  void repeat_evaluation() override {
    seen.emplace_back("repeat");
    error_of_call.reset();
  }
  void enter(const core::Attributed& node) override {
    seen.push_back("enter " + std::string(core::text(node.attribute)));
  }
  void leave(const core::Attributed& node) noexcept override {
    seen.push_back("leave " + std::string(core::text(node.attribute)));
  }
  std::optional<Value> begin_again(Candidate& candidate) override {
    seen.push_back(candidate.function ? "again " + candidate.function->name + " of " +
                                            std::to_string(candidate.arguments.size())
                                      : "again expression");
    return for_candidate;
  }
  void ahead(const eval::Forecast& forecast, Candidate* around) override {
    seen.push_back("ahead " + std::to_string(forecast.bytes));
    restart_if_due(around);
  }
  std::optional<Value> expression(const eval::ExpressionPlace<Concrete>&, Watch& watch) override {
    watch.may_begin_again = makes_candidates;
    return std::nullopt;
  }
  bool stands_ready_for(const core::Function&) const override { return is_ready; }
  std::optional<Value> call(const core::Function& function, std::span<const Value>,
                            std::span<Value> arguments, Watch& watch) override {
    callers.push_back(std::this_thread::get_id());
    seen.push_back("call " + function.name + " of " + std::to_string(arguments.size()));
    if (error_of_call) throw *error_of_call;
    watch.site = this;
    watch.may_begin_again = makes_candidates;
    return for_call;
  }
  std::optional<Value> array_operation(ArrayOperation, eval::Site<Concrete>& site,
                                       std::span<Value> arguments, Watch& watch) override {
    places.push_back(site.place());
    restart_if_due(watch.around);
    seen.push_back("operation on " + std::to_string(arguments.back().array()->shape.front()));
    if (std::exchange(is_rest_, false)) return arguments.back(); // as if it mapped the identity
    if (std::exchange(is_whole_, false)) return for_whole;
    watch.site = this;
    watch.ask_at = ask_at;
    watch.fails_at = fails_at;
    return for_operation;
  }
  std::int64_t rest_from(ArrayOperation operation, eval::Site<Concrete>&, std::span<const Value>,
                         std::int64_t done, std::int64_t count, Watch&) override {
    seen.push_back("asked at " + std::to_string(done) + " of " + std::to_string(count));
    is_rest_ = takes_rest && operation == ArrayOperation::Map;
    is_whole_ = takes_again == operation;
    return is_rest_ || is_whole_ ? done : Watch::never;
  }
  void interpreted(const Watch&) noexcept override { seen.emplace_back("done"); }
  std::optional<Value> loop(const eval::LoopPlace<Concrete>&, Value&, Scalar, Scalar, const Value*,
                            std::int64_t iterations, Watch&) override {
    if (iterations == 0) seen.emplace_back("loop");
    return iterations == take_loop_at ? for_loop : std::nullopt;
  }

private:
  void restart_if_due(Candidate* candidate) {
    std::size_t depth = 0;
    for (const Candidate* at = candidate; at && !at->is_constant; at = at->around)
      ++depth;
    depths.push_back(depth);
    if (!restart || restarts == 0) return;
    for (std::size_t i = 0; candidate && i < *restart; ++i)
      candidate = candidate->around;
    if (!candidate) return;
    --restarts;
    throw Restart{candidate};
  }

  bool is_rest_ = false, is_whole_ = false;
};

/// Evaluates with a recorder; an error counts as the number -1.
std::int64_t run(Builder& b, Recorder& recorder, const core::Expr* body) {
  EvaluationContext context = b.context();
  context.accelerator = &recorder;
  Evaluator evaluator(b.program, std::move(context));
  try {
    return integer_of(evaluator.evaluate({body, 16}));
  } catch (const RuntimeError&) {
    return -1;
  }
}

const core::Expr* sum_of(Builder& b, const core::Expr* array) {
  core::Function* plus = b.function("plus", 2, b.call("+", {b.local(0, b.i64), b.local(1, b.i64)}));
  return b.array_call(ArrayOperation::Reduce, {b.value_of(plus), b.integer(0), array}, b.i64);
}

} // namespace

TEST_CASE("calls are offered with all of their arguments, and told when they are done") {
  Builder b;
  core::Function* f = b.function("f", 2, b.call("-", {b.local(0, b.i64), b.local(1, b.i64)}));
  const core::Expr* call = b.apply(b.value_of(f), {b.integer(50), b.integer(8)}, b.i64);
  Recorder declines, takes;
  CHECK(run(b, declines, call) == 42);
  CHECK(declines.seen == std::vector<std::string>{"begin", "call f of 2", "done"});
  takes.for_call = Value(Scalar::of(std::int64_t{7}));
  CHECK(run(b, takes, call) == 7);
  CHECK(takes.seen == std::vector<std::string>{"begin", "call f of 2"});
}

TEST_CASE("a call that code stands ready for is offered where it is made, and again if declined") {
  Builder b;
  core::Function* f = b.function("f", 2, b.call("-", {b.local(0, b.i64), b.local(1, b.i64)}));
  const std::vector<Value> arguments = {Value(Scalar::of(std::int64_t{50})),
                                        Value(Scalar::of(std::int64_t{8}))};
  Recorder recorder;
  EvaluationContext context = b.context();
  context.accelerator = &recorder;
  Evaluator evaluator(b.program, std::move(context));
  const std::thread::id here = std::this_thread::get_id();
  const auto offers = [&] {
    std::vector<bool> are_here;
    for (std::thread::id caller : std::exchange(recorder.callers, {}))
      are_here.push_back(caller == here);
    return are_here;
  };
  CHECK(integer_of(evaluator.call(*f, arguments)) == 42);
  CHECK(offers() == std::vector{false});
  recorder.is_ready = true;
  CHECK(integer_of(evaluator.call(*f, arguments)) == 42);
  CHECK(offers() == std::vector{true, false});
  recorder.for_call = Value(Scalar::of(std::int64_t{7}));
  CHECK(integer_of(evaluator.call(*f, arguments)) == 7);
  CHECK(offers() == std::vector{true});

  // What it fails with there is completed as elsewhere, and an interruption is looked at.
  recorder.error_of_call = RuntimeError(FailureKind::Program, "no");
  try {
    evaluator.call(*f, arguments);
    FAIL("no error");
  } catch (const RuntimeError& error) {
    REQUIRE(error.frames.size() == 1);
    CHECK(error.frames[0].function == "f");
  }
  CHECK(offers() == std::vector{true});
  recorder.error_of_call.reset();
  b.interrupt.raise(InterruptSource::Reason::Interrupt);
  CHECK_THROWS_AS(evaluator.call(*f, arguments), RuntimeError);
  CHECK(offers().empty());
}

TEST_CASE("a call that fails is not told to be done") {
  Builder b;
  core::Function* f = b.function("f", 1, b.call("/", {b.integer(1), b.local(0, b.i64)}));
  Recorder recorder;
  CHECK(run(b, recorder, b.apply(b.value_of(f), {b.integer(0)}, b.i64)) == -1);
  CHECK(recorder.seen == std::vector<std::string>{"begin", "call f of 1"});
}

TEST_CASE("the middle of a map is asked for, and the rest may be taken") {
  Builder b;
  core::Function* same = b.function("same", 1, b.local(0, b.i64));
  const core::Expr* mapped =
      b.array_call(ArrayOperation::Map, {b.value_of(same), b.integers({5, 6, 7, 8})}, b.i64s);
  const core::Expr* sum = sum_of(b, mapped);
  for (bool takes_rest : {false, true}) {
    Recorder recorder;
    recorder.ask_at = 2;
    recorder.takes_rest = takes_rest;
    CHECK(run(b, recorder, sum) == 26);
    std::vector<std::string> operations;
    for (const std::string& line : recorder.seen)
      if (line.starts_with("operation") || line.starts_with("asked")) operations.push_back(line);
    REQUIRE(operations.size() >= 3);
    CHECK(operations[0] == "operation on 4");
    CHECK(operations[1] == "asked at 2 of 4");
    CHECK(operations[2] == (takes_rest ? "operation on 2" : "operation on 4"));
  }
}

TEST_CASE("a reduction, scan or histogram is offered again from its first element") {
  Builder b;
  core::Function* minus =
      b.function("minus", 2, b.call("-", {b.local(0, b.i64), b.local(1, b.i64)}));
  const core::Expr* xs = b.iota(b.integer(10'000));
  const core::Expr* zeros = b.array_call(
      ArrayOperation::Map, {b.value_of(b.function("zero", 1, b.integer(0))), xs}, b.i64s);
  const auto operation = [&](ArrayOperation which) {
    if (which == ArrayOperation::Histogram1d)
      return b.index(b.array_call(which,
                                  {b.integer(1), b.integers({5, 6}), b.value_of(minus),
                                   b.integer(0), zeros, xs},
                                  b.i64s),
                     {b.at(b.integer(1))});
    const std::vector<const core::Expr*> arguments = {b.value_of(minus), b.integer(0), xs};
    return which == ArrayOperation::Scan
               ? b.index(b.array_call(which, arguments, b.i64s), {b.at(b.integer(0))})
               : b.array_call(which, arguments, b.i64);
  };
  for (ArrayOperation which :
       {ArrayOperation::Reduce, ArrayOperation::Scan, ArrayOperation::Histogram1d}) {
    Recorder declines;
    declines.ask_at = 5000;
    const std::int64_t wanted = run(b, declines, operation(which));
    Recorder recorder;
    recorder.ask_at = 5000;
    recorder.takes_again = which;
    const Value pair = b.run(b.integers({77, 88}));
    recorder.for_whole =
        which == ArrayOperation::Reduce ? Value(Scalar::of(std::int64_t{77})) : pair;
    CHECK(run(b, recorder, operation(which)) == (which == ArrayOperation::Histogram1d ? 88 : 77));
    const auto asked =
        std::find(recorder.seen.rbegin(), recorder.seen.rend(), "asked at 5000 of 10000");
    CHECK(asked[-1] == "operation on 10000");
    // And if it is not taken after all, what has been done is not lost.
    recorder.for_whole = std::nullopt;
    CHECK(run(b, recorder, operation(which)) == wanted);
  }
}

TEST_CASE("two applications are two places, each the same every time") {
  Builder b;
  const core::Expr* xs = b.integers({1, 2});
  const core::Expr* both = b.call("+", {sum_of(b, xs), sum_of(b, xs)});
  Recorder recorder;
  CHECK(run(b, recorder, both) == 6);
  CHECK(run(b, recorder, both) == 6);
  REQUIRE(recorder.places.size() == 4);
  CHECK(recorder.places[0] != recorder.places[1]);
  CHECK(recorder.places[0] == recorder.places[2]);
  CHECK(recorder.places[1] == recorder.places[3]);
}

TEST_CASE("the element that is known to fail is evaluated first") {
  Builder b;
  core::Function* f = b.function("f", 1, b.call("/", {b.integer(12), b.local(0, b.i64)}));
  const core::Expr* mapped =
      b.array_call(ArrayOperation::Map, {b.value_of(f), b.integers({1, 2, 0, 4})}, b.i64s);
  Recorder recorder;
  recorder.fails_at = 2;
  CHECK(run(b, recorder, sum_of(b, mapped)) == -1);
  CHECK(std::count(recorder.seen.begin(), recorder.seen.end(), "call f of 1") == 1);
  // A wrong tip costs one evaluation, no more.
  Recorder misled;
  misled.fails_at = 1;
  const core::Expr* fine =
      b.array_call(ArrayOperation::Map, {b.value_of(f), b.integers({1, 2, 3, 4})}, b.i64s);
  CHECK(run(b, misled, sum_of(b, fine)) == 25);
  CHECK(std::count(misled.seen.begin(), misled.seen.end(), "call f of 1") == 5);
}

TEST_CASE("the rest of a loop may be taken between two iterations") {
  Builder b;
  const core::Expr* body = b.call("+", {b.local(0, b.i64), b.local(1, b.i64)});
  const core::Expr* loop = b.node(
      core::Loop{
          {}, b.slot(0), b.integer(0), core::ForLess{1, ElementType::I64, b.integer(10)}, body},
      b.i64);
  Recorder declines, takes;
  CHECK(run(b, declines, loop) == 45);
  CHECK(std::count(declines.seen.begin(), declines.seen.end(), "loop") == 1);
  takes.take_loop_at = 0;
  takes.for_loop = Value(Scalar::of(std::int64_t{1000}));
  CHECK(run(b, takes, loop) == 1000);
}

TEST_CASE("attributes are entered and left, also if what is inside fails") {
  Builder b;
  auto attributed = [&](const core::Expr* body) {
    return b.node(core::Attributed{core::Attribute::Interpret, "", {}, {}, body}, b.i64);
  };
  Recorder fine, fails;
  CHECK(run(b, fine, attributed(b.integer(3))) == 3);
  CHECK(run(b, fails, attributed(b.call("/", {b.integer(1), b.integer(0)}))) == -1);
  const std::vector<std::string> wanted = {"begin", "enter #[interpret]", "leave #[interpret]"};
  CHECK(fine.seen == wanted);
  CHECK(fails.seen == wanted);
}

namespace {

/// 12 / x in a function of its own, after a `#[trace]` of x.
struct Division {
  Builder b;
  core::Function* division = nullptr;
  const core::Expr* whole = nullptr;

  explicit Division(std::int64_t x) {
    division = b.function("division", 1, b.call("/", {b.integer(12), b.local(0, b.i64)}));
    whole = b.apply(
        b.value_of(division),
        {b.node(core::Attributed{core::Attribute::Trace, "", {}, {}, b.integer(x)}, b.i64)}, b.i64);
  }

  /// What it ends with: a number or a message.
  std::string end(Recorder& recorder) {
    EvaluationContext context = b.context();
    context.accelerator = &recorder;
    Evaluator evaluator(b.program, std::move(context));
    try {
      return std::to_string(integer_of(evaluator.evaluate({whole, 16})));
    } catch (const RuntimeError& error) {
      return error.message;
    }
  }
};

RuntimeError provisional() {
  RuntimeError error("division-by-zero", "12 / ?");
  error.is_provisional = true;
  return error;
}

} // namespace

TEST_CASE("a provisional error makes the evaluator evaluate again, and nothing is shown twice") {
  Division zero(0);
  Recorder recorder;
  recorder.error_of_call = provisional();
  CHECK(zero.end(recorder) == "division by zero");
  const std::vector<std::string> once = {"enter #[trace]", "leave #[trace]", "call division of 1"};
  std::vector<std::string> wanted = {"begin"};
  wanted.insert(wanted.end(), once.begin(), once.end());
  wanted.emplace_back("repeat");
  wanted.insert(wanted.end(), once.begin(), once.end());
  CHECK(recorder.seen == wanted);
  CHECK(zero.b.traced.size() == 1);
  // The evaluator is the judge, also of whether there is an error.
  Division three(3);
  recorder.error_of_call = provisional();
  CHECK(three.end(recorder) == "4");
  CHECK(three.b.traced.size() == 1);
  // Other errors stand.
  recorder.error_of_call = provisional();
  recorder.error_of_call->is_provisional = false;
  CHECK(zero.end(recorder) == "12 / ?");
}

TEST_CASE("a provisional error stands where the evaluation cannot come as far again") {
  Division zero(0);
  const std::vector<Value> zeros = {Value(Scalar::of(std::int64_t{0}))};
  auto end_of = [&](auto&& call) {
    Recorder recorder;
    recorder.error_of_call = provisional();
    EvaluationContext context = zero.b.context();
    context.accelerator = &recorder;
    Evaluator evaluator(zero.b.program, std::move(context));
    try {
      call(evaluator);
    } catch (const RuntimeError& error) {
      return error.message;
    }
    return std::string("no error");
  };
  auto end_with = [&](const Evaluator::Arguments& again) {
    return end_of(
        [&](Evaluator& evaluator) { evaluator.call(*zero.division, std::vector(zeros), again); });
  };
  CHECK(end_of([&](Evaluator& evaluator) { evaluator.call(*zero.division, zeros); }) ==
        "division by zero");
  CHECK(end_with([&] { return zeros; }) == "division by zero");
  CHECK(end_with({}) == "12 / ?");
  CHECK(end_with([]() -> std::vector<Value> {
          throw RuntimeError(FailureKind::OutOfMemory, "out of memory");
        }) == "12 / ?");
  CHECK(end_with([&] {
          zero.b.interrupt.raise(InterruptSource::Reason::Interrupt);
          return zeros;
        }) == "12 / ?");
}

namespace {

/// A call of `f 5` = the sum of an array, updated in place, that `f` is given: in an expression.
struct Nested {
  Builder b;
  core::Function* inner = nullptr;
  const core::Expr* whole = nullptr;

  Nested() {
    // inner xs = sum (xs with [0] = 10)
    const core::Expr* updated = b.node(core::Update{b.local(0, b.i64s, true),
                                                    {core::IndexStep{{b.at(b.integer(0))}}},
                                                    b.integer(10)},
                                       b.i64s);
    inner = b.function("inner", 1, sum_of(b, updated));
    whole = b.call("+", {b.integer(1), b.apply(b.value_of(inner), {b.integers({1, 2, 3})}, b.i64)});
  }
};

} // namespace

TEST_CASE("a candidate that begins again is evaluated from what it was given") {
  for (std::size_t out : {0u, 1u}) {
    Nested nested;
    Recorder recorder;
    recorder.makes_candidates = true;
    recorder.restart = out;
    recorder.restarts = 1;
    CHECK(run(nested.b, recorder, nested.whole) == 16);
    CHECK(std::count(recorder.seen.begin(), recorder.seen.end(),
                     out == 0 ? "again inner of 1" : "again expression") == 1);
    CHECK(recorder.depths == std::vector<std::size_t>{2, 2});
  }
}

TEST_CASE("a candidate that begins again may be taken as a whole") {
  Nested inner, outer;
  Recorder recorder;
  recorder.makes_candidates = true;
  recorder.restarts = 1;
  recorder.restart = 0;
  recorder.for_candidate = Value(Scalar::of(std::int64_t{41}));
  CHECK(run(inner.b, recorder, inner.whole) == 42);
  recorder.restarts = 1;
  recorder.restart = 1;
  CHECK(run(outer.b, recorder, outer.whole) == 41);
}

TEST_CASE("no candidates where the accelerator wants none, and while somebody looks on") {
  Nested nested;
  Recorder recorder;
  CHECK(run(nested.b, recorder, nested.whole) == 16);
  CHECK(recorder.depths == std::vector<std::size_t>{0});
  recorder.makes_candidates = true;
  recorder.depths.clear();
  class Passing final : public StepObserver {
  public:
    bool stops_at(const core::Expr&) override { return false; }
    void stop(const BreakPlace&) override {}
  } observer;
  EvaluationContext context = nested.b.context();
  context.accelerator = &recorder;
  Evaluator evaluator(nested.b.program, std::move(context));
  evaluator.set_steps(&observer);
  CHECK(integer_of(evaluator.evaluate({nested.whole, 16})) == 16);
  CHECK(recorder.depths == std::vector<std::size_t>{0});
  evaluator.set_steps(nullptr);
  CHECK(integer_of(evaluator.evaluate({nested.whole, 16})) == 16);
  CHECK(recorder.depths == std::vector<std::size_t>{0, 2});
}

TEST_CASE("a range tells how much memory it is about to fill") {
  Builder b;
  Recorder recorder;
  CHECK(run(b, recorder, sum_of(b, b.iota(b.integer(100)))) == 4950);
  CHECK(std::count(recorder.seen.begin(), recorder.seen.end(), "ahead 800") == 1);
}
