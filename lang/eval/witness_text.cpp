#include "lang/eval/witness_text.h"

#include "lang/core/core.h"
#include "lang/values/elements.h"
#include "lang/values/number_text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace sinter::eval {

namespace {

constexpr std::int64_t shown_elements = 8;

std::string scalar_text(ElementType type, Scalar scalar) {
  std::array<char, longest_scalar_text> text;
  return {text.data(), write_scalar(text.data(), type, scalar, false)};
}

std::string array_text(const ArrayRef& array, const Representation* element) {
  const std::int64_t count = array->shape.front();
  std::string text = "[";
  for (std::int64_t i = 0; i < count; ++i) {
    if (i > 0) text += ", ";
    if (count > shown_elements && i == shown_elements - 2) {
      text += "…, ";
      i = count - 1;
    }
    const Value part = get_element(array, i);
    text += part.is_array() ? array_text(part.array(), element) : witness_text(part, element);
  }
  return text + "]";
}

std::string record_text(const Value& value, const RecordRepresentation& record) {
  const bool has_names = !is_tuple(record);
  std::string text;
  for (std::size_t i = 0; i < record.fields.size(); ++i) {
    if (i > 0) text += ", ";
    if (has_names) text += record.fields[i].name + " = ";
    text += witness_text(value.fields()[i], record.fields[i].type);
  }
  return has_names ? "{" + text + "}" : "(" + text + ")";
}

} // namespace

std::string witness_text(const Value& value, const Representation* type) {
  if (type->is_scalar()) return scalar_text(type->scalar(), value.scalar());
  if (type->is_array()) return array_text(value.array(), type->array().element);
  if (type->is_record()) return record_text(value, type->record());
  if (!type->is_sum()) return "<function>";
  const ConstructorRepresentation& constructor = type->sum().constructors[value.tag()];
  std::string text = "#" + constructor.name;
  for (std::size_t i = 0; i < constructor.payload.size(); ++i)
    text += " " + operand_text(witness_text(value.fields()[i], constructor.payload[i]));
  return text;
}

std::string_view operator_symbol(const primitives::Primitive& primitive) {
  if (primitive.arity != 2) return {};
  for (const primitives::OverloadedOperator& row : primitives::all_operators())
    if (primitives::find_operator(row.symbol, primitive.operand) == &primitive) return row.symbol;
  return {};
}

std::string infix_text(const Value& function) {
  const FunctionObject<Concrete>& object = function.function();
  if (object.function->primitive && object.arguments.empty())
    if (const std::string_view symbol = operator_symbol(*object.function->primitive);
        !symbol.empty())
      return std::string(symbol);
  const std::string& name = object.function->name;
  const auto is_word = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '\''; };
  if (name.empty() || name == "lambda") return "⊕";
  if (!is_word(static_cast<unsigned char>(name.front()))) return name;
  return "`" + name + "`";
}

std::string operand_text(std::string_view text) {
  const bool is_open = text.starts_with('-') || text.starts_with('#');
  return is_open ? "(" + std::string(text) + ")" : std::string(text);
}

} // namespace sinter::eval
