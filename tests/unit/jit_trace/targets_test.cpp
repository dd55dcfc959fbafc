// Regions that are not whole functions: the rest of a loop, and a lone array operation.
#include "jit/ir/print.h"
#include "jit/trace/symbolic_values.h"
#include "tests/unit/jit_trace/tracing.h"

#include <doctest/doctest.h>

namespace {

using namespace sinter;

std::string show(const Value& value, const Representation* type) {
  return print_value(value, type);
}
Value number(std::int64_t value) {
  return Scalar::of(value);
}

/// Traces a target over values and runs the trace.
Value run(repl::Session& session, const jit::Target& target, std::vector<Value> values,
          const std::vector<const Representation*>& types) {
  std::vector<jit::Layout> layouts;
  std::vector<jit::Datum> places;
  for (std::size_t i = 0; i < values.size(); ++i) {
    layouts.push_back(jit::layout_of(values[i], types[i], session.representations()));
    jit::take_apart(std::move(values[i]), layouts.back(), places);
  }
  auto traced = jit::trace(target, layouts, session.representations());
  if (auto* refusal = std::get_if<jit::Untraceable>(&traced)) FAIL(refusal->reason);
  jit::Trace& trace = std::get<jit::TracedRegion>(traced).trace;
  CAPTURE(ir::print(trace.function));
  const std::optional<std::string> problem = ir::verify(trace.function);
  REQUIRE_MESSAGE(!problem, problem.value_or(""));
  std::vector<ir::DenseValue> inputs;
  for (const jit::Datum& place : places)
    inputs.push_back(test::to_ir(place));
  ir::Evaluation evaluation = ir::evaluate(trace.function, std::move(inputs));
  REQUIRE(std::holds_alternative<std::vector<ir::DenseValue>>(evaluation));
  std::vector<jit::Datum> outputs;
  for (const ir::DenseValue& datum : std::get<std::vector<ir::DenseValue>>(evaluation))
    outputs.push_back(test::from_ir(session.memory(), session.representations(), datum));
  std::size_t next = 0;
  return jit::put_together(trace.result, outputs, next);
}

/// The function that an expression evaluates to.
Value evaluate(repl::Session& session, const std::string& text) {
  const repl::Outcome outcome = session.submit(text);
  REQUIRE_MESSAGE(outcome.ok(), outcome.messages);
  return outcome.value;
}

/// The loop that is the body of a function, and its parameters' slots.
struct LoopFunction {
  const core::Function* function = nullptr;
  jit::LoopTarget target;
  std::vector<const Representation*> types; ///< of the parameters

  explicit LoopFunction(const Value& value) : function(value.function().function) {
    target.loop = function->body;
    while (const auto* sizes = std::get_if<core::BindSizes>(&target.loop->node))
      target.loop = sizes->value;
    REQUIRE(std::holds_alternative<core::Loop>(target.loop->node));
    target.frame_size = function->frame_size;
    for (const core::Pattern* parameter : function->parameters) {
      target.free_slots.push_back(std::get<core::SlotPattern>(parameter->node).slot);
      types.push_back(parameter->type);
    }
  }
};

} // namespace

TEST_CASE("the rest of a for loop begins at any index") {
  repl::Session session;
  const LoopFunction loop(
      evaluate(session, "\\(n: i64) (k: i64) -> loop s = 0i64 for i < n do s * k + i"));
  auto* i64 = session.representations().scalar(ElementType::I64);
  std::vector<const Representation*> types = loop.types;
  types.insert(types.end(), {i64, i64, i64}); // state, first, bound
  // After three iterations: ((0*10 + 0)*10 + 1)*10 + 2 = 12.
  const Value result =
      run(session, loop.target, {number(6), number(10), number(12), number(3), number(6)}, types);
  CHECK(show(result, i64) == "12345i64");
}

TEST_CASE("the rest of a loop over elements") {
  repl::Session session;
  const LoopFunction loop(
      evaluate(session, "\\(xs: [4]i64) -> loop s = 0i64 for x in xs do s * 10 + x"));
  auto* i64 = session.representations().scalar(ElementType::I64);
  const Value all = evaluate(session, "[1i64, 2, 3, 4]");
  const Value rest = evaluate(session, "[3i64, 4]");
  std::vector<const Representation*> types = loop.types;
  types.insert(types.end(), {i64, types[0]});
  CHECK(show(run(session, loop.target, {all, number(12), rest}, types), i64) == "1234i64");
}

TEST_CASE("the rest of a while loop, with an array that grows") {
  repl::Session session;
  const LoopFunction loop(
      evaluate(session, "\\(n: i64) -> loop xs = [1i64] while length xs < n do xs ++ [length xs]"));
  auto* type = loop.function->result;
  std::vector<const Representation*> types = loop.types;
  types.push_back(type);
  const Value state = evaluate(session, "[1i64, 1]");
  CHECK(show(run(session, loop.target, {number(5), state}, types), type) ==
        "[1i64, 1i64, 2i64, 3i64, 4i64]");
}

TEST_CASE("a global that the session forgets while a function is traced stays an input") {
  repl::Session session;
  evaluate(session, "def table = map (* 3) (iota 65)"); // (small ones become literals)
  const Value function = evaluate(session, "\\(i: i64) -> table[i]");
  auto* i64 = session.representations().scalar(ElementType::I64);
  bool is_forgotten = false;
  jit::TraceOptions options;
  options.global = [&](const core::Global& global) -> std::optional<Value> {
    if (std::exchange(is_forgotten, true)) return std::nullopt;
    return session.evaluator().shared_global(global);
  };
  auto traced = jit::trace(jit::CallTarget{function.function().function, 0},
                           {jit::layout_of(number(1), i64, session.representations())},
                           session.representations(), options);
  REQUIRE(std::holds_alternative<jit::TracedRegion>(traced));
  const jit::TracedRegion& region = std::get<jit::TracedRegion>(traced);
  REQUIRE(region.globals.size() == 1);
  CHECK(region.globals[0].layout.kind == jit::Layout::Kind::Array);
}

TEST_CASE("a small table of numbers is a literal, and the extent of any is a number") {
  for (const int count : {3, 64, 65}) {
    CAPTURE(count);
    repl::Session session;
    evaluate(session, "def table = map (* 3) (iota " + std::to_string(count) + ")");
    const Value function = evaluate(session, "\\(i: i64) -> table[i] + length table");
    auto* i64 = session.representations().scalar(ElementType::I64);
    jit::TraceOptions options;
    options.global = [&](const core::Global& global) -> std::optional<Value> {
      return session.evaluator().shared_global(global);
    };
    auto traced = jit::trace(jit::CallTarget{function.function().function, 0},
                             {jit::layout_of(number(1), i64, session.representations())},
                             session.representations(), options);
    REQUIRE(std::holds_alternative<jit::TracedRegion>(traced));
    const jit::TracedRegion& region = std::get<jit::TracedRegion>(traced);
    CHECK(region.globals.size() == (count > 64 ? 1 : 0));
    const std::string text = ir::print(region.trace.function);
    CHECK((text.find("array (0i64, 3i64, 6i64") != std::string::npos) == (count <= 64));
    CHECK(text.find(" " + std::to_string(count) + "i64") != std::string::npos);
  }
}

TEST_CASE("a global is wanted if every run needs it, and awaited if only some do") {
  repl::Session session;
  evaluate(session, "module m = { def table = map (+ 1) (iota 10) }");
  auto* i64 = session.representations().scalar(ElementType::I64);
  jit::TraceOptions options;
  options.can_await = [](const core::Global&) { return true; };
  auto trace = [&](const std::string& text) {
    const Value function = evaluate(session, text);
    return jit::trace(jit::CallTarget{function.function().function, 0},
                      {jit::layout_of(number(1), i64, session.representations())},
                      session.representations(), options);
  };
  const jit::TraceOutcome always = trace("\\(i: i64) -> m.table[i]");
  REQUIRE(std::holds_alternative<jit::WantedGlobal>(always));
  CHECK(std::get<jit::WantedGlobal>(always).global->name == "table");

  const jit::TraceOutcome sometimes = trace("\\(i: i64) -> if i > 3 then m.table[i] else i");
  REQUIRE(std::holds_alternative<jit::TracedRegion>(sometimes));
  const jit::TracedRegion& region = std::get<jit::TracedRegion>(sometimes);
  REQUIRE(region.awaited.size() == 1);
  REQUIRE(region.trace.function.failures.size() == 1);
  CHECK(region.trace.function.failures[0].kind == FailureKind::Deferred);
  CHECK(region.trace.function.failures[0].message == region.awaited[0].message);
}

TEST_CASE("a lone map with what its function closes over") {
  repl::Session session;
  auto* i64 = session.representations().scalar(ElementType::I64);
  auto* array = session.representations().array(1, i64);
  evaluate(session, "def add_to (k: i64) = \\(x: i64) -> x + k");
  const Value function = evaluate(session, "add_to 10");
  const Value xs = evaluate(session, "[1i64, 2, 3]");
  const jit::OperationTarget target{primitives::ArrayOperation::Map,
                                    array,
                                    {session.representations().function(), array},
                                    {true}};
  // The site's extents come last.
  CHECK(show(run(session, target, {function, xs, number(3)}, {nullptr, array, i64}), array) ==
        "[11i64, 12i64, 13i64]");
}

TEST_CASE("a lone map to rows whose size nothing names: what the function makes shows it") {
  repl::Session session;
  auto* i64 = session.representations().scalar(ElementType::I64);
  auto* rows = session.representations().array(2, i64);
  const Value function = evaluate(session, "\\(row: [2]i64) -> map (+ 1) row");
  const jit::OperationTarget target{primitives::ArrayOperation::Map,
                                    rows,
                                    {session.representations().function(), rows},
                                    {true, false}};
  const Value xss = evaluate(session, "[[1i64, 2], [3, 4], [5, 6]]");
  CHECK(show(run(session, target, {function, xss, number(3)}, {nullptr, rows, i64}), rows) ==
        "[[2i64, 3i64], [4i64, 5i64], [6i64, 7i64]]");
  // As in the evaluator, it is 0 where there is no element.
  const Value none = evaluate(session, "replicate 0 [1i64, 2]");
  CHECK(show(run(session, target, {function, none, number(0)}, {nullptr, rows, i64}), rows) ==
        "empty([0][0]i64)");
}

TEST_CASE("a lone reduction of rows") {
  repl::Session session;
  auto* i64 = session.representations().scalar(ElementType::I64);
  auto* row = session.representations().array(1, i64);
  auto* rows = session.representations().array(2, i64);
  const Value function = evaluate(session, "\\(a: [2]i64) (b: [2]i64) -> map2 (+) a b");
  const Value neutral = evaluate(session, "[0i64, 0]");
  const Value xss = evaluate(session, "[[1i64, 2], [3, 4], [5, 6]]");
  const jit::OperationTarget target{primitives::ArrayOperation::Reduce,
                                    row,
                                    {session.representations().function(), row, rows},
                                    {true}};
  CHECK(show(run(session, target, {function, neutral, xss, number(2)}, {nullptr, row, rows, i64}),
             row) == "[9i64, 12i64]");
}

TEST_CASE("inside of a payload that a value does not have, a tag may be anything") {
  using Kind = jit::Layout::Kind;
  const jit::Layout nothing, number_layout{.kind = Kind::Scalar, .scalar = ElementType::I32};
  const jit::Layout empty{.kind = Kind::Record},
      one{.kind = Kind::Record, .parts = {number_layout}};
  const jit::Layout inner{.kind = Kind::OpenSum, .parts = {nothing, empty, one}};
  const jit::Layout filled{.kind = Kind::Record, .parts = {inner}};
  const jit::Layout outer{.kind = Kind::OpenSum, .parts = {filled, empty}};
  const auto from = [&](std::uint32_t tag, std::uint32_t inner_tag) {
    std::vector<jit::Datum> places = {Scalar::of(tag), Scalar::of(inner_tag), Scalar::of(7)};
    std::size_t next = 0;
    Value value = jit::put_together(outer, places, next);
    CHECK(next == places.size());
    return value;
  };
  CHECK(from(1, 0).tag() == 1); // the inner one cannot be its constructor 0
  CHECK(from(1, 99).tag() == 1);
  const Value filled_value = from(0, 2);
  CHECK(filled_value.tag() == 0);
  REQUIRE(filled_value.fields().size() == 1);
  CHECK(filled_value.fields()[0].tag() == 2);
  CHECK(filled_value.fields()[0].fields()[0].scalar().as<std::int32_t>() == 7);
}

TEST_CASE("symbolic values have a text, for debuggers") {
  using jit::SymbolicScalar, jit::SymbolicValue;
  const SymbolicScalar three{SymbolicScalar::Kind::Value, 3};
  CHECK(jit::print(SymbolicValue(three)) == "v3");
  CHECK(jit::print(SymbolicValue::record({three, SymbolicValue()})) == "(v3, nothing)");
  CHECK(jit::print(SymbolicValue::sum(1, {three})) == "constructor 1 (v3)");
  CHECK(jit::print(SymbolicValue::sum(jit::open_tag, {three, SymbolicValue()})) ==
        "open sum (v3, nothing)");
  Representations table;
  const jit::SymbolicArray array{table.array(2, table.scalar(ElementType::F32)),
                                 {ir::Operand::i64(4), ir::ValueId{jit::first_placeholder + 1}},
                                 {ir::ValueId{7}}};
  CHECK(jit::print(SymbolicValue(jit::SymbolicArrayRef(&array))) ==
        "[][]f32 of (4i64, result 1) in v7");
}
