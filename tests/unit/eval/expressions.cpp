// Control, functions, patterns, errors: the walk itself.
#include "builder.h"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

using namespace sinter;
using namespace sinter::test;
using primitives::ArrayOperation;

TEST_CASE("scalars: arithmetic, conditions, short circuits") {
  Builder b;
  CHECK(integer_of(b.run(b.call("+", {b.integer(2), b.call("*", {b.integer(3), b.integer(4)})}))) ==
        14);
  CHECK(integer_of(b.run(b.conditional(b.call("<", {b.integer(1), b.integer(2)}), b.integer(10),
                                       b.integer(20)))) == 10);
  const core::Expr* trap = b.call("==", {b.call("/", {b.integer(1), b.integer(0)}), b.integer(1)});
  CHECK_FALSE(b.run(b.node(core::And{b.truth(false), trap}, b.boolean)).scalar().as<bool>());
  CHECK(b.run(b.node(core::Or{b.truth(true), trap}, b.boolean)).scalar().as<bool>());
  CHECK(b.error(b.node(core::And{b.truth(true), trap}, b.boolean)).message.find("zero") !=
        std::string::npos);
}

TEST_CASE("loops: for, for-in, while") {
  Builder b;
  // loop s = 0 for i < 10 do s + i
  const core::Expr* body = b.call("+", {b.local(0, b.i64), b.local(1, b.i64)});
  auto sum_below = [&](const core::Expr* bound) {
    return b.node(
        core::Loop{{}, b.slot(0), b.integer(0), core::ForLess{1, ElementType::I64, bound}, body},
        b.i64);
  };
  CHECK(integer_of(b.run(sum_below(b.integer(10)))) == 45);
  CHECK(integer_of(b.run(sum_below(b.integer(-3)))) == 0);
  const core::Expr* over = b.node(
      core::Loop{{}, b.slot(0), b.integer(0), core::ForIn{b.slot(1), b.integers({4, 5, 6})}, body},
      b.i64);
  CHECK(integer_of(b.run(over)) == 15);
  const core::Expr* doubling =
      b.node(core::Loop{{},
                        b.slot(0),
                        b.integer(1),
                        core::While{b.call("<", {b.local(0, b.i64), b.integer(100)})},
                        b.call("*", {b.local(0, b.i64), b.integer(2)})},
             b.i64);
  CHECK(integer_of(b.run(doubling)) == 128);
}

TEST_CASE("a while loop owns its state alone, so its updates are in place") {
  Builder b;
  // loop (i, xs) = (0, iota 8) while i < 8 do (i + 1, xs with [i] = 0)
  b.memory.set_limit(b.memory.in_use() + 100000);
  const core::Expr* updated = b.update(b.local(1, b.i64s, true),
                                       {core::IndexStep{{b.at(b.local(0, b.i64))}}}, b.integer(7));
  const core::Expr* loop =
      b.node(core::Loop{{},
                        b.fields({b.slot(0), b.slot(1)}),
                        b.record({b.integer(0), b.iota(b.integer(8000))}),
                        core::While{b.call("<", {b.local(0, b.i64), b.integer(8000)})},
                        b.record({b.call("+", {b.local(0, b.i64), b.integer(1)}), updated})},
             b.representations.tuple({b.i64, b.i64s}));
  // A copy beside the original would exceed the limit.
  CHECK(integers_of(b.run(loop).fields()[1]) == std::vector<std::int64_t>(8000, 7));
}

TEST_CASE("partial and over-application, closures") {
  Builder b;
  // \x -> \y -> x + y as a function that returns a closure
  core::Function* inner =
      b.function("lambda", 1, b.call("+", {b.captured(0, b.i64), b.local(0, b.i64)}));
  inner->capture_count = 1;
  core::Function* outer = b.function(
      "adder", 1, b.node(core::Closure{inner, {b.local(0, b.i64)}}, b.representations.function()));
  CHECK(integer_of(b.run(b.apply(b.value_of(outer), {b.integer(2), b.integer(40)}, b.i64))) == 42);
  core::Function* two = b.function("minus", 2, b.call("-", {b.local(0, b.i64), b.local(1, b.i64)}));
  const core::Expr* partial =
      b.apply(b.value_of(two), {b.integer(50)}, b.representations.function());
  CHECK(integer_of(b.run(b.apply(partial, {b.integer(8)}, b.i64))) == 42);
  const core::Expr* direct =
      b.let(b.slot(3), b.integer(1),
            b.apply(b.node(core::Closure{inner, {b.local(3, b.i64)}}, b.representations.function()),
                    {b.integer(41)}, b.i64));
  CHECK(integer_of(b.run(direct)) == 42);
}

TEST_CASE("sums and matching: literals, tags, nested payloads") {
  Builder b;
  const Representation* shape = b.representations.sum({{"none", {}}, {"pair", {b.i64, b.i64}}});
  auto classify = [&](const core::Expr* value) {
    core::Case zero{b.pattern(core::SumPattern{1,
                                               {b.pattern(core::LiteralPattern{
                                                    ElementType::I64, Scalar::of(std::int64_t{0})}),
                                                b.slot(0)}}),
                    b.call("*", {b.local(0, b.i64), b.integer(100)})};
    core::Case any{b.pattern(core::SumPattern{1, {b.slot(0), b.slot(1)}}),
                   b.call("+", {b.local(0, b.i64), b.local(1, b.i64)})};
    core::Case none{b.pattern(core::WildcardPattern{}), b.integer(-1)};
    return b.node(core::Match{value, {zero, any, none}}, b.i64);
  };
  auto pair = [&](std::int64_t x, std::int64_t y) {
    return b.node(core::Sum{1, {b.integer(x), b.integer(y)}}, shape);
  };
  CHECK(integer_of(b.run(classify(pair(0, 3)))) == 300);
  CHECK(integer_of(b.run(classify(pair(2, 3)))) == 5);
  CHECK(integer_of(b.run(classify(b.node(core::Sum{0, {}}, shape)))) == -1);
}

TEST_CASE("sizes are read off patterns and values") {
  Builder b;
  core::Function* length = b.function("length", 1, b.local(5, b.i64));
  length->parameters[0] = b.pattern(core::SlotPattern{0}, {{5, {{}, 0}}});
  CHECK(integer_of(b.run(b.apply(b.value_of(length), {b.iota(b.integer(9))}, b.i64))) == 9);
  const core::Expr* bound =
      b.let(b.slot(0), b.node(core::BindSizes{b.iota(b.integer(4)), {{7, {{}, 0}}}}, b.i64s),
            b.local(7, b.i64));
  CHECK(integer_of(b.run(bound)) == 4);
}

TEST_CASE("globals are computed once; an error leaves them unset") {
  Builder b;
  core::Global* global = b.program.arena.make<core::Global>();
  global->name = "table";
  const core::Expr* traced =
      b.node(core::Attributed{core::Attribute::Trace, "", {}, {}, b.integer(3)}, b.i64);
  global->body = traced;
  global->type = b.i64;
  const core::Expr* use = b.node(core::GlobalValue{global}, b.i64);
  Evaluator evaluator = b.evaluator();
  CHECK(integer_of(evaluator.evaluate({b.call("+", {use, use}), 4})) == 6);
  CHECK(b.traced.size() == 1);
  global = b.program.arena.make<core::Global>();
  global->name = "bad";
  global->index = 1;
  global->body = b.call("/", {b.integer(1), b.integer(0)});
  const core::Expr* bad = b.node(core::GlobalValue{global}, b.i64);
  CHECK_THROWS_AS(evaluator.evaluate({bad, 4}), RuntimeError);
  global->body = b.integer(5);
  CHECK(integer_of(evaluator.evaluate({bad, 4})) == 5);
}

TEST_CASE("what another thread has taken of a global stays when the global is forgotten") {
  Builder b;
  core::Global* global = b.program.arena.make<core::Global>();
  global->name = "table";
  global->body = b.iota(b.integer(9));
  global->type = b.i64s;
  Evaluator evaluator = b.evaluator();
  CHECK(!evaluator.shared_global(*global));
  evaluator.evaluate(*global);
  std::optional<Value> taken;
  std::thread([&] { taken = evaluator.shared_global(*global); }).join();
  evaluator.forget(*global);
  CHECK(!evaluator.global(*global));
  CHECK(!evaluator.shared_global(*global));
  REQUIRE(taken);
  CHECK(taken->array()->shape == Extents{9});
}

TEST_CASE("an error knows its place and the calls around it, innermost first") {
  Builder b;
  core::Function* inner = b.function("inner", 1);
  inner->body =
      b.node(core::PrimitiveCall{b.row("/"), {b.integer(1), b.local(0, b.i64)}}, b.i64, 11);
  core::Function* outer =
      b.function("outer", 1, b.apply(b.value_of(inner), {b.local(0, b.i64)}, b.i64, 22));
  RuntimeError error = b.error(b.apply(b.value_of(outer), {b.integer(0)}, b.i64, 33));
  CHECK(error.kind == FailureKind::Program);
  CHECK(error.span.begin == 11);
  REQUIRE(error.frames.size() == 3);
  CHECK(error.frames[0].function == "inner");
  CHECK(error.frames[0].span.begin == 11);
  CHECK(error.frames[1].function == "outer");
  CHECK(error.frames[1].span.begin == 22);
  CHECK(error.frames[2].span.begin == 33);
}

TEST_CASE("assertions, holes, unsupported constructs") {
  Builder b;
  const core::Expr* assertion =
      b.node(core::Assert{b.truth(false), "x % 2 == 0", b.integer(1)}, b.i64);
  CHECK(b.error(assertion).message == "Assertion is false: x % 2 == 0");
  CHECK(integer_of(b.run(
            b.node(core::Attributed{core::Attribute::Unsafe, "", {}, {}, assertion}, b.i64))) == 1);
  // Only what stands below the attribute loses its assertions.
  const core::Expr* above = b.node(
      core::Assert{
          b.truth(false), "c",
          b.node(core::Attributed{core::Attribute::Unsafe, "", {}, {}, b.integer(1)}, b.i64)},
      b.i64);
  CHECK(b.error(above).message == "Assertion is false: c");
  CHECK(b.error(b.node(core::Hole{}, b.i64)).message == "reached a hole of type `i64`");
  CHECK(b.error(b.node(core::Unsupported{"no jvp"}, b.i64)).kind == FailureKind::Unsupported);
}

TEST_CASE("size coercions name both shapes") {
  Builder b;
  core::SizeCheck check{{{}, 0}, b.integer(1), "[n]"};
  RuntimeError error = b.error(b.node(core::Coerce{b.integers({1, 2, 3}), {check}}, b.i64s));
  CHECK(error.message ==
        "Value of shape \"[3]\" cannot match shape of type \"[n]i64\" (\"[1]i64\")");
  core::SizeCheck one{{{}, 0}, b.integer(1), "[a][b]"}, four{{{}, 1}, b.integer(4), "[a][b]"};
  const core::Expr* square =
      b.node(core::ArrayLiteral{{b.integers({1, 2}), b.integers({3, 4})}, {b.i64ss, {}}}, b.i64ss);
  CHECK(b.error(b.node(core::Coerce{square, {one, four}}, b.i64ss)).message ==
        "Value of shape \"[2][2]\" cannot match shape of type \"[a][b]i64\" (\"[1][4]i64\")");
  core::SizeCheck right{{{}, 0}, b.integer(3), "[n]"};
  CHECK(integers_of(b.run(b.node(core::Coerce{b.integers({1, 2, 3}), {right}}, b.i64s))).size() ==
        3);
}

TEST_CASE("deep recursion works; endless recursion is an error that the evaluator survives") {
  Builder b;
  // f n = if n < 1 then 0 else 1 + f (n - 1)
  core::Function* f = b.function("f", 1);
  f->frame_size = 1;
  f->body = b.conditional(
      b.call("<", {b.local(0, b.i64), b.integer(1)}), b.integer(0),
      b.call("+",
             {b.integer(1),
              b.apply(b.value_of(f), {b.call("-", {b.local(0, b.i64), b.integer(1)})}, b.i64)}));
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  const std::int64_t depth = 3000; // their stacks are small
#else
  const std::int64_t depth = 100000;
#endif
  Evaluator evaluator = b.evaluator();
  CHECK(integer_of(evaluator.evaluate({b.apply(b.value_of(f), {b.integer(depth)}, b.i64), 1})) ==
        depth);
  core::Function* endless = b.function("endless", 1);
  endless->body =
      b.call("+", {b.integer(1), b.apply(b.value_of(endless), {b.local(0, b.i64)}, b.i64)});
  try {
    evaluator.evaluate({b.apply(b.value_of(endless), {b.integer(1)}, b.i64), 1});
    FAIL("no error");
  } catch (const RuntimeError& error) {
    CHECK(error.kind == FailureKind::StackLimit);
    CHECK(error.message.find("recursion is too deep: ") == 0);
    CHECK(error.frames.size() < 1000);
    CHECK(error.frames.front().function == "endless");
    CHECK(error.frames.back().function == "expression");
  }
  CHECK(integer_of(evaluator.evaluate({b.integer(1), 1})) == 1);
}

TEST_CASE("a raised epoch stops loops, calls and array operations") {
  Builder b;
  const core::Expr* forever =
      b.node(core::Loop{{}, b.slot(0), b.integer(0), core::While{b.truth(true)}, b.local(0, b.i64)},
             b.i64);
  for (auto [reason, kind] :
       {std::pair{InterruptSource::Reason::Interrupt, FailureKind::Interrupted},
        std::pair{InterruptSource::Reason::Timeout, FailureKind::TimedOut},
        std::pair{InterruptSource::Reason::MemoryLimit, FailureKind::OutOfMemory}}) {
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      b.interrupt.raise(reason);
    });
    CHECK(b.error(forever).kind == kind);
    other.join();
    CHECK(b.error(b.integer(1)).kind == kind); // until it is cleared nothing starts
    b.interrupt.clear();
  }
}

TEST_CASE("absurd sizes are errors at once") {
  Builder b;
  CHECK(b.error(b.iota(b.integer(std::int64_t{1} << 60))).kind == FailureKind::OutOfMemory);
  b.memory.set_limit(1 << 20);
  CHECK(b.error(b.iota(b.integer(1 << 20))).kind == FailureKind::OutOfMemory);
}

TEST_CASE("traces print the place or the tag, then the value") {
  Builder b;
  b.run(
      b.node(core::Attributed{core::Attribute::Trace, "", {}, {}, b.integers({1, 2})}, b.i64s, 5));
  REQUIRE(b.traced.size() == 1);
  CHECK(b.traced[0].find(b.sources.describe({b.file, 5, 6}) + ": ") == 0);
  b.run(b.node(core::Attributed{core::Attribute::Trace, "here", {}, {}, b.integer(5)}, b.i64));
  CHECK(b.traced[1].find("here: 5") == 0);
}

TEST_CASE("breakpoints are told the place and the calls") {
  Builder b;
  EvaluationContext context = b.context();
  std::size_t depth = 0;
  context.breakpoint = [&](const BreakPlace& place) { depth = place.frames.size(); };
  core::Function* f = b.function(
      "f", 1,
      b.node(core::Attributed{core::Attribute::Break, "", {}, {}, b.local(0, b.i64)}, b.i64));
  Evaluator evaluator(b.program, context);
  CHECK(integer_of(evaluator.evaluate({b.apply(b.value_of(f), {b.integer(6)}, b.i64), 1})) == 6);
  CHECK(depth == 2);
}

TEST_CASE("entry points check their arguments' sizes") {
  Builder b;
  core::Function* f = b.function("main", 2, b.local(0, b.i64));
  f->checks.push_back({1, {{{}, 0}, b.local(0, b.i64), "[n]"}});
  Evaluator evaluator = b.evaluator();
  auto array = [&](std::int64_t n) { return evaluator.evaluate({b.iota(b.integer(n)), 1}); };
  CHECK(integer_of(evaluator.call(*f, {Value(Scalar::of(std::int64_t{3})), array(3)})) == 3);
  CHECK_THROWS_WITH_AS(evaluator.call(*f, {Value(Scalar::of(std::int64_t{3})), array(2)}),
                       doctest::Contains("invalid sizes"), RuntimeError);
}
