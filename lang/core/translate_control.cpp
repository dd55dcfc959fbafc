// Control: branches, matches, loops, attributes, assertions and coercions.
#include "lang/core/translator.h"
#include "lang/syntax/print.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace sinter::core {

const Expr* Translator::branch(const syntax::Expr& source) {
  const std::size_t mark = frame_.mark();
  const Expr* result = expr(source);
  frame_.release(mark);
  return result;
}

const Expr* Translator::translate(const syntax::IfExpr& node, const syntax::Expr& source) {
  const Expr* condition = expr(*node.condition);
  const Expr* then_branch = branch(*node.then_branch);
  const Expr* else_branch = branch(*node.else_branch);
  return make(concrete(source.type)->representation, source.span,
              If{condition, then_branch, else_branch});
}

const Expr* Translator::translate(const syntax::MatchExpr& match, const syntax::Expr& source) {
  Match result{.scrutinee = expr(*match.scrutinee)};
  for (const syntax::MatchCase& one : match.cases) {
    const std::size_t mark = frame_.mark();
    const Pattern* matched = pattern(*one.pattern);
    result.cases.push_back({matched, expr(*one.body)});
    frame_.release(mark);
  }
  return make(concrete(source.type)->representation, source.span, std::move(result));
}

/// `loop (a, b) for …`: the outer variables of these names, in the pattern's shape.
const Expr* Translator::implicit_initial(const syntax::Pattern& source,
                                         const std::vector<types::Variable*>& sources,
                                         std::size_t& next) {
  const ConcreteType& shape = *concrete(source.type);
  const Representation* type = shape.representation;
  auto outer = [&](Span span) -> const Expr* {
    if (next >= sources.size()) throw std::logic_error("a loop parameter has no initial value");
    const types::Variable* found = sources[next++];
    const syntax::QualifiedName name{.name = found->name, .span = span};
    const ConcreteType* found_type = concrete(found->scheme.type);
    return apply({&name, 0, found, found_type, span}, {}, found_type, span, frame_.size());
  };
  if (std::holds_alternative<syntax::NamePattern>(source.node)) return outer(source.span);
  if (const auto* inner = std::get_if<syntax::ParenthesizedPattern>(&source.node))
    return implicit_initial(*inner->inner, sources, next);
  if (const auto* inner = std::get_if<syntax::AscribePattern>(&source.node))
    return implicit_initial(*inner->pattern, sources, next);
  if (const auto* inner = std::get_if<syntax::AttributedPattern>(&source.node))
    return implicit_initial(*inner->pattern, sources, next);
  if (const auto* tuple = std::get_if<syntax::TuplePattern>(&source.node)) {
    Record record;
    for (const syntax::Pattern* element : tuple->elements)
      record.fields.push_back(implicit_initial(*element, sources, next));
    return make(type, source.span, std::move(record));
  }
  if (const auto* fields = std::get_if<syntax::RecordPattern>(&source.node)) {
    Record record;
    record.fields.resize(shape.parts.size());
    for (const syntax::FieldPattern& field : fields->fields)
      record.fields[field_position(shape, field.name)] =
          field.pattern ? implicit_initial(*field.pattern, sources, next) : outer(field.name_span);
    return make(type, source.span, std::move(record));
  }
  throw std::logic_error("a loop parameter has no initial value");
}

/// The variables that a pattern binds, by their slots.
void Translator::name_slots(const syntax::Pattern& pattern,
                            std::vector<std::pair<Slot, std::string>>& names) {
  const auto note = [&](const types::Variable* variable) {
    if (const auto place = frame_.find(variable))
      names.emplace_back(place->index, std::string(variable->name));
  };
  if (const auto* name = std::get_if<syntax::NamePattern>(&pattern.node)) note(name->variable);
  if (const auto* inner = std::get_if<syntax::ParenthesizedPattern>(&pattern.node))
    name_slots(*inner->inner, names);
  if (const auto* inner = std::get_if<syntax::AscribePattern>(&pattern.node))
    name_slots(*inner->pattern, names);
  if (const auto* inner = std::get_if<syntax::AttributedPattern>(&pattern.node))
    name_slots(*inner->pattern, names);
  if (const auto* tuple = std::get_if<syntax::TuplePattern>(&pattern.node))
    for (const syntax::Pattern* element : tuple->elements)
      name_slots(*element, names);
  if (const auto* record = std::get_if<syntax::RecordPattern>(&pattern.node)) {
    for (const syntax::FieldPattern& field : record->fields)
      if (field.pattern)
        name_slots(*field.pattern, names);
      else
        note(field.variable);
  }
}

const Expr* Translator::translate(const syntax::LoopExpr& loop, const syntax::Expr& source) {
  Loop result;
  if (loop.initial) {
    result.initial = expr(*loop.initial);
  } else {
    std::size_t next = 0;
    result.initial = implicit_initial(*loop.pattern, loop.implicit_initial, next);
  }
  const auto* less = std::get_if<syntax::ForLess>(&loop.form);
  const auto* in = std::get_if<syntax::ForIn>(&loop.form);
  const Expr* bound = less ? expr(*less->bound) : nullptr;
  const Expr* array = in ? expr(*in->array) : nullptr;

  const std::size_t mark = frame_.mark();
  result.sizes = bind_sizes(*concrete(loop.pattern->type));
  result.pattern = pattern(*loop.pattern);
  if (loop.parallel_mark.is_known()) {
    result.parallel = ParallelMark{loop.parallel_mark, {}};
    name_slots(*loop.pattern, result.parallel->names);
  }
  if (less)
    result.form = ForLess{frame_.bind(less->variable, bound->type), bound->type->scalar(), bound};
  else if (in)
    result.form = ForIn{pattern(*in->pattern), array};
  else
    result.form = While{expr(*std::get<syntax::While>(loop.form).condition)};
  result.body = expr(*loop.body);
  frame_.release(mark);
  return make(concrete(source.type)->representation, source.span, std::move(result));
}

const Expr* Translator::translate(const syntax::AttributedExpr& attributed, const syntax::Expr&) {
  const std::optional<Attribute> attribute = attribute_called(attributed.attribute.name);
  if (!attribute) return expr(*attributed.body);
  if (*attribute == Attribute::Blank || *attribute == Attribute::Scratch) {
    const Expr* any = blank(*concrete(attributed.body->type), attributed.body->span);
    return any ? any : expr(*attributed.body);
  }
  const Expr* reach =
      *attribute == Attribute::Break ? variables_in_reach(attributed.body->span) : nullptr;
  const Expr* body = expr(*attributed.body);
  const Span span = body->span;
  if (reach)
    body = make(body->type, span,
                Let{definitions_.make_pattern(span, reach->type, WildcardPattern{}), reach, body});
  const std::vector<syntax::Attribute>& arguments = attributed.attribute.arguments;
  std::string tag = arguments.size() == 1 ? std::string(arguments[0].name) : std::string();
  return make(
      body->type, span,
      Attributed{*attribute, std::move(tag), attributed.mark, attributed.attribute.span, body});
}

/// Some value of a type, the same wherever it stands; null where none can be had without the
/// expression that the type is of.
const Expr* Translator::blank(const ConcreteType& type, Span span) {
  const auto blanks = [&](const std::vector<const ConcreteType*>& types) {
    std::optional<Arguments> values(std::in_place);
    for (const ConcreteType* one : types) {
      const Expr* value = blank(*one, span);
      if (!value) return std::optional<Arguments>();
      values->push_back(value);
    }
    return values;
  };
  switch (type.kind) {
  case ConcreteType::Kind::Scalar:
    return make(type.representation, span, Constant{Scalar{}});
  case ConcreteType::Kind::Array: {
    const Expr* extent = size(type.size, span, SizeUse::Value);
    const Expr* element = extent ? blank(type.element(), span) : nullptr;
    if (!element) return nullptr;
    return make(
        type.representation, span,
        ArrayCall{primitives::ArrayOperation::Replicate, {extent, element}, sized(type, span)});
  }
  case ConcreteType::Kind::Record:
    if (std::optional<Arguments> fields = blanks(type.parts))
      return make(type.representation, span, Record{std::move(*fields)});
    return nullptr;
  case ConcreteType::Kind::Sum:
    for (std::uint32_t tag = 0; tag < type.payloads.size(); ++tag)
      if (std::optional<Arguments> payload = blanks(type.payloads[tag]))
        return make(type.representation, span, Sum{tag, std::move(*payload)});
    return nullptr;
  case ConcreteType::Kind::Function:
  case ConcreteType::Kind::Accumulator:
    return nullptr;
  }
  __builtin_unreachable();
}

/// A record of the variables that can be named at a place, for who stops there.
const Expr* Translator::variables_in_reach(Span span) {
  Record record;
  std::vector<FieldRepresentation> fields;
  std::vector<const types::Variable*> variables = frame_.in_reach();
  std::ranges::stable_sort(variables, {}, &types::Variable::name);
  for (const types::Variable* variable : variables) {
    if (variable->name.empty() || variable->name.find('#') != Name::npos) continue;
    if (!fields.empty() && fields.back().name == variable->name) continue; // hidden by an inner one
    const Representation* type = frame_.find(variable)->type;
    if (!type) continue;
    fields.push_back({std::string(variable->name), type});
    record.fields.push_back(this->variable(variable, type, span));
  }
  return make(definitions_.types.representations().record(std::move(fields)), span,
              std::move(record));
}

const Expr* Translator::translate(const syntax::AssertExpr& assertion, const syntax::Expr& source) {
  const Expr* condition = expr(*assertion.condition);
  const Expr* body = expr(*assertion.body);
  return make(body->type, source.span,
              Assert{condition, syntax::print(*assertion.condition), body});
}

const Expr* Translator::translate(const syntax::AscribeExpr& ascribed, const syntax::Expr&) {
  return expr(*ascribed.value);
}

const Expr* Translator::translate(const syntax::CoerceExpr& coerced, const syntax::Expr& source) {
  const Expr* value = expr(*coerced.value);
  if (!coerced.type->type) return value;
  std::vector<SizeCheck> checks = size_checks(*concrete(coerced.type->type), source.span);
  if (checks.empty()) return value;
  return make(value->type, source.span, Coerce{value, std::move(checks)});
}

} // namespace sinter::core
