// Builds resolved programs by hand, so that the walker is tested without parser and checker.
#pragma once

#include "lang/core/core.h"
#include "lang/eval/evaluator.h"
#include "lang/primitives/primitives.h"
#include "lang/values/elements.h"

#include <string>
#include <vector>

namespace sinter::test {

using Exprs = std::vector<const core::Expr*>;
using Patterns = std::vector<const core::Pattern*>;

/// A session's worth of state and shorthands for nodes; everything lives as long as the builder.
struct Builder {
  Representations representations;
  MemoryBudget memory;
  InterruptSource interrupt;
  SourceMap sources;
  core::Program program;
  FileId file = sources.add("test.fut", std::string(100, ' '));
  std::vector<std::string> traced;

  const Representation* i64 = representations.scalar(ElementType::I64);
  const Representation* i32 = representations.scalar(ElementType::I32);
  const Representation* f64 = representations.scalar(ElementType::F64);
  const Representation* boolean = representations.scalar(ElementType::Bool);
  const Representation* i64s = representations.array(1, i64);
  const Representation* i64ss = representations.array(2, i64);

  EvaluationContext context() {
    EvaluationContext result;
    result.representations = &representations;
    result.memory = &memory;
    result.interrupt = &interrupt;
    result.sources = &sources;
    result.trace = [this](const std::string& text) { traced.push_back(text); };
    return result;
  }
  Evaluator evaluator() { return Evaluator(program, context()); }
  Value run(const core::Expr* body, std::uint32_t frame_size = 16) {
    return evaluator().evaluate({body, frame_size});
  }
  /// The error of a run that must fail.
  RuntimeError error(const core::Expr* body, std::uint32_t frame_size = 16) {
    try {
      run(body, frame_size);
    } catch (const RuntimeError& error) {
      return error;
    }
    return RuntimeError(FailureKind::Program, "no error");
  }

  template <typename Node>
  const core::Expr* node(Node node, const Representation* type, std::uint32_t at = 0) {
    return program.arena.make<core::Expr>(std::move(node), Span{file, at, at + 1}, type);
  }
  const core::Expr* integer(std::int64_t value) {
    return node(core::Constant{Scalar::of(value)}, i64);
  }
  const core::Expr* truth(bool value) { return node(core::Constant{Scalar::of(value)}, boolean); }
  const core::Expr* local(core::Slot slot, const Representation* type, bool last = false) {
    return node(core::Local{slot, last}, type);
  }
  const core::Expr* captured(std::uint32_t index, const Representation* type) {
    return node(core::Captured{index}, type);
  }
  const core::Expr* let(const core::Pattern* pattern, const core::Expr* value,
                        const core::Expr* body) {
    return node(core::Let{pattern, value, body}, body->type);
  }
  const primitives::Primitive* row(std::string_view symbol, ElementType type = ElementType::I64) {
    return primitives::find_operator(symbol, type);
  }
  const core::Expr* call(std::string_view symbol, Exprs arguments) {
    const primitives::Primitive* primitive = row(symbol, arguments[0]->type->scalar());
    return node(core::PrimitiveCall{primitive, std::move(arguments)},
                representations.scalar(primitive->result));
  }
  const core::Expr* conditional(const core::Expr* condition, const core::Expr* yes,
                                const core::Expr* no) {
    return node(core::If{condition, yes, no}, yes->type);
  }
  const core::Expr* range(const core::Expr* first, const core::Expr* second, const core::Expr* end,
                          syntax::RangeEnd kind = syntax::RangeEnd::UpTo) {
    return node(core::Range{first->type->scalar(), first, second, kind, end},
                representations.array(1, first->type));
  }
  const core::Expr* iota(const core::Expr* count) { return range(integer(0), nullptr, count); }
  const core::Expr* record(Exprs fields) {
    std::vector<const Representation*> types;
    for (const core::Expr* field : fields)
      types.push_back(field->type);
    const Representation* type = representations.tuple(types);
    return node(core::Record{std::move(fields)}, type);
  }
  const core::Expr* project(const core::Expr* value, std::uint32_t field) {
    return node(core::Project{value, field}, value->type->record().fields[field].type);
  }
  const core::Expr* literal(Exprs elements) {
    const Representation* type = representations.array(1, elements[0]->type);
    return node(core::ArrayLiteral{std::move(elements), {type, {}}}, type);
  }
  const core::Expr* integers(std::vector<std::int64_t> values) {
    Exprs elements;
    for (std::int64_t value : values)
      elements.push_back(integer(value));
    return literal(std::move(elements));
  }
  core::IndexPart at(const core::Expr* index) { return {index}; }
  core::IndexPart slice(const core::Expr* begin, const core::Expr* end,
                        const core::Expr* stride = nullptr) {
    core::IndexPart part;
    part.begin = begin;
    part.end = end;
    part.stride = stride;
    part.is_slice = true;
    return part;
  }
  const core::Expr* index(const core::Expr* array, std::vector<core::IndexPart> parts) {
    std::uint32_t fixed = 0;
    for (const core::IndexPart& part : parts)
      fixed += !part.is_slice;
    return node(core::Index{array, std::move(parts)},
                fixed ? indexed(representations, array->type, fixed) : array->type);
  }
  const core::Expr* update(const core::Expr* value,
                           std::vector<std::variant<core::FieldStep, core::IndexStep>> path,
                           const core::Expr* replacement) {
    return node(core::Update{value, std::move(path), replacement}, value->type);
  }
  const core::Expr* array_call(primitives::ArrayOperation operation, Exprs arguments,
                               const Representation* type, Exprs extents = {}) {
    return node(core::ArrayCall{operation, std::move(arguments), {type, std::move(extents)}}, type,
                50);
  }

  // ---- patterns and functions ------------------------------------------------------------------

  template <typename Node>
  const core::Pattern* pattern(Node node, std::vector<core::SizeBinding> sizes = {}) {
    return program.arena.make<core::Pattern>(std::move(node), Span{}, nullptr, std::move(sizes));
  }
  const core::Pattern* slot(core::Slot slot) { return pattern(core::SlotPattern{slot}); }
  const core::Pattern* fields(Patterns parts) {
    return pattern(core::RecordPattern{std::move(parts)});
  }
  /// Parameters in slots 0, 1, …
  core::Function* function(std::string name, std::uint32_t parameters,
                           const core::Expr* body = nullptr) {
    core::Function* result = program.arena.make<core::Function>();
    result->name = std::move(name);
    for (std::uint32_t i = 0; i < parameters; ++i)
      result->parameters.push_back(slot(i));
    result->frame_size = 16;
    result->body = body;
    return result;
  }
  const core::Expr* value_of(const core::Function* function) {
    return node(core::FunctionValue{function}, representations.function());
  }
  const core::Expr* apply(const core::Expr* function, Exprs arguments, const Representation* type,
                          std::uint32_t at = 0) {
    return node(core::Apply{function, std::move(arguments)}, type, at);
  }
  /// A two-argument operator as a function, marked as the primitive that it is.
  const core::Expr* operation(std::string_view symbol) {
    core::Function* result =
        function(std::string(symbol), 2, call(symbol, {local(0, i64), local(1, i64)}));
    result->primitive = row(symbol);
    return value_of(result);
  }
};

inline std::int64_t integer_of(const Value& value) {
  return value.scalar().as<std::int64_t>();
}
/// All elements of an array of integers, of any rank.
inline std::vector<std::int64_t> integers_of(const Value& value) {
  if (value.is_scalar()) return {integer_of(value)};
  std::vector<std::int64_t> result;
  for (std::int64_t i = 0; i < value.array()->shape.front(); ++i)
    for (std::int64_t element : integers_of(get_element(value.array(), i)))
      result.push_back(element);
  return result;
}

} // namespace sinter::test
