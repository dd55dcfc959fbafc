// Patterns: variables get slots, fields and constructors positions, sizes are read off shapes.
#include "lang/core/translator.h"

#include <stdexcept>

namespace sinter::core {

std::uint32_t field_position(const ConcreteType& record, Name name) {
  const auto& fields = std::get<RecordRepresentation>(record.representation->node).fields;
  for (std::uint32_t i = 0; i < fields.size(); ++i)
    if (fields[i].name == name) return i;
  throw std::logic_error("no such field");
}

namespace {

/// The value of a literal that stands in a pattern.
Scalar literal_value(const syntax::Expr& literal, ElementType type, bool negative) {
  Scalar value;
  if (const auto* integer = std::get_if<syntax::IntegerLiteral>(&literal.node))
    value = integer_literal(*integer, type);
  else if (const auto* number = std::get_if<syntax::FloatLiteral>(&literal.node))
    value = float_literal(*number, type);
  else if (const auto* truth = std::get_if<syntax::BoolLiteral>(&literal.node))
    value = Scalar::of(truth->value);
  else if (const auto* character = std::get_if<syntax::CharLiteral>(&literal.node))
    value = integer_literal({.value = character->code_point}, type);
  else
    throw std::logic_error("a pattern holds something else than a literal");
  return negative ? negate(value, type) : value;
}

} // namespace

Pattern* Translator::pattern(const syntax::Pattern& source) {
  const ConcreteType* type = source.type ? concrete(source.type) : nullptr;
  // Sizes first: they are read off the whole value, before its parts are bound.
  std::vector<SizeBinding> sizes;
  if (type) sizes = bind_sizes(*type);

  struct Visitor {
    Translator& translator;
    const syntax::Pattern& source;
    const ConcreteType* type;

    Pattern* make(decltype(Pattern::node) node) {
      return translator.definitions_.make_pattern(
          source.span, type ? type->representation : nullptr, std::move(node));
    }
    Pattern* make(const Representation* part, decltype(Pattern::node) node) {
      return translator.definitions_.make_pattern(source.span, part, std::move(node));
    }
    Pattern* bind(const types::Variable* variable, const Representation* representation) {
      if (!variable) return make(representation, WildcardPattern{});
      return make(representation, SlotPattern{translator.frame_.bind(variable, representation)});
    }
    Pattern* operator()(const syntax::NamePattern& name) {
      return bind(name.variable, type->representation);
    }
    Pattern* operator()(const syntax::WildcardPattern&) { return make(WildcardPattern{}); }
    Pattern* operator()(const syntax::LiteralPattern& literal) {
      const ElementType element = type->representation->scalar();
      return make(
          LiteralPattern{element, literal_value(*literal.literal, element, literal.negative)});
    }
    Pattern* operator()(const syntax::TuplePattern& tuple) {
      RecordPattern record;
      for (const syntax::Pattern* element : tuple.elements)
        record.fields.push_back(translator.pattern(*element));
      return make(std::move(record));
    }
    Pattern* operator()(const syntax::RecordPattern& fields) {
      RecordPattern record;
      record.fields.resize(type->parts.size());
      for (const syntax::FieldPattern& field : fields.fields) {
        const std::uint32_t position = field_position(*type, field.name);
        record.fields[position] = field.pattern
                                      ? translator.pattern(*field.pattern)
                                      : bind(field.variable, type->parts[position]->representation);
      }
      for (std::size_t i = 0; i < record.fields.size(); ++i)
        if (!record.fields[i])
          record.fields[i] = make(type->parts[i]->representation, WildcardPattern{});
      return make(std::move(record));
    }
    Pattern* operator()(const syntax::ConstructorPattern& constructor) {
      const auto& sum = std::get<SumRepresentation>(type->representation->node);
      SumPattern result;
      while (sum.constructors.at(result.tag).name != constructor.name)
        ++result.tag;
      for (const syntax::Pattern* argument : constructor.arguments)
        result.payload.push_back(translator.pattern(*argument));
      return make(std::move(result));
    }
    Pattern* operator()(const syntax::AscribePattern& ascribed) {
      std::vector<SizeBinding> written;
      if (ascribed.type->type)
        written = translator.bind_sizes(*translator.concrete(ascribed.type->type));
      Pattern* inner = translator.pattern(*ascribed.pattern);
      inner->sizes.insert(inner->sizes.begin(), written.begin(), written.end());
      return inner;
    }
    Pattern* operator()(const syntax::ParenthesizedPattern& parenthesized) {
      return translator.pattern(*parenthesized.inner);
    }
    Pattern* operator()(const syntax::AttributedPattern& attributed) {
      return translator.pattern(*attributed.pattern);
    }
  };
  Pattern* result = std::visit(Visitor{*this, source, type}, source.node);
  result->sizes.insert(result->sizes.begin(), sizes.begin(), sizes.end());
  return result;
}

} // namespace sinter::core
