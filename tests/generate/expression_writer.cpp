// The choice of a form for an expression, leaves, types and names.
#include "tests/generate/expression_writer.h"

#include "tests/generate/join.h"

#include <array>

namespace sinter::generate {

void ExpressionWriter::begin_declaration() {
  left_ = options.size;
  depth_ = 0;
  cost_ = 1;
  multiplier_ = 1;
  sizes.clear();
}

// No prefix with a number is the name of a primitive type, which is a module too.
std::string ExpressionWriter::fresh(std::string_view prefix) {
  return std::string(prefix) + std::to_string(names_++);
}

std::string ExpressionWriter::expression(const TypeRef& type) {
  std::size_t number = written_++;
  cost_ += multiplier_;
  if (left_ > 0) --left_;
  ++depth_;
  bool small = left_ == 0 || depth_ > 7 || random.chance(5 * depth_);
  std::string text = small ? leaf(type) : compound(type);
  if (options.marks && !small && random.chance(10)) text = accelerated(text);
  --depth_;
  if (fault_ && fault_->expression && number == fault_at_)
    return fault_->expression(*this, type->text, text);
  return text;
}

std::string ExpressionWriter::compound(const TypeRef& type) {
  using Form = std::string (ExpressionWriter::*)(const TypeRef&);
  static const std::vector<Form> general = {&ExpressionWriter::conditional,
                                            &ExpressionWriter::binding,
                                            &ExpressionWriter::pattern_binding,
                                            &ExpressionWriter::filter_binding,
                                            &ExpressionWriter::local_function,
                                            &ExpressionWriter::match,
                                            &ExpressionWriter::for_loop,
                                            &ExpressionWriter::while_loop,
                                            &ExpressionWriter::call,
                                            &ExpressionWriter::call,
                                            &ExpressionWriter::projection,
                                            &ExpressionWriter::indexing,
                                            &ExpressionWriter::polymorphic_call,
                                            &ExpressionWriter::of_hidden_rows};
  static const std::vector<Form> scalar = {
      &ExpressionWriter::arithmetic, &ExpressionWriter::conversion, &ExpressionWriter::reduction};
  // A form that does not apply gives "".
  for (int attempt = 0; attempt < 6; ++attempt) {
    std::string text;
    if (options.marks && random.chance(15))
      text = parallel_loop(type);
    else if (random.chance(45))
      text = (this->*random.pick(general))(type);
    else
      switch (type->kind) {
      case TypeKind::Primitive:
        text = (this->*random.pick(scalar))(type);
        break;
      case TypeKind::Record:
        text = random.chance(25) ? record_update(type) : constructed(type);
        break;
      case TypeKind::Sum:
        text = constructed(type);
        break;
      case TypeKind::Array:
        text = array_expression(type);
        break;
      }
    if (!text.empty()) return text;
  }
  return leaf(type);
}

std::string ExpressionWriter::leaf(const TypeRef& type) {
  if (!random.chance(20)) {
    std::vector<std::string> candidates;
    for (const Variable& variable : variables)
      if (same(variable.type, type)) candidates.push_back(variable.name);
    if (type->text == "i64") candidates.insert(candidates.end(), sizes.begin(), sizes.end());
    if (!candidates.empty()) return random.pick(candidates);
    if (options.computes)
      if (std::string text = derived_leaf(type); !text.empty()) return text;
  }
  switch (type->kind) {
  case TypeKind::Primitive:
    return literal(*type);
  case TypeKind::Record:
  case TypeKind::Sum:
    return constructed(type);
  case TypeKind::Array:
    return join({"(replicate ", type->size, " ", leaf(type->element), ")"});
  }
  __builtin_unreachable();
}

std::string ExpressionWriter::derived_leaf(const TypeRef& type) {
  if (type->kind == TypeKind::Array && type->element->kind == TypeKind::Primitive) {
    std::string index = fresh("at");
    std::size_t before = variables.size();
    variables.push_back({index, primitive("i64")});
    std::string text =
        join({"(tabulate ", type->size, " (\\", index, " -> ", leaf(type->element), "))"});
    forget(before);
    return text;
  }
  if (type->kind != TypeKind::Primitive) return "";
  std::vector<Variable> candidates;
  for (const Variable& variable : variables)
    if (variable.type->kind == TypeKind::Primitive &&
        !(type->primitive == PrimitiveKind::Bool && is_float(*variable.type)))
      candidates.push_back(variable);
  if (candidates.empty()) return "";
  Variable chosen = random.pick(candidates);
  return "(" + type->text + "." + chosen.type->text + " " + chosen.name + ")";
}

std::string ExpressionWriter::constructed(const TypeRef& type) {
  if (type->kind == TypeKind::Sum) {
    const Constructor& constructor = random.pick(type->constructors);
    std::string text = "((#" + constructor.name;
    for (const TypeRef& payload : constructor.payload)
      text += " " + expression(payload);
    return text + ") : " + type->text + ")";
  }
  std::string text(1, type->is_tuple ? '(' : '{');
  for (std::size_t i = 0; i < type->fields.size(); ++i) {
    const Field& field = type->fields[i];
    if (i) text += ", ";
    if (!type->is_tuple) text += field.name + " = ";
    text += expression(field.type);
  }
  return text + (type->is_tuple ? ')' : '}');
}

std::string ExpressionWriter::literal(const Type& type) {
  static const std::array<const char*, 6> fractions = {"0.0", "1.5", "0.25", "3.0", "100.5", "1e3"};
  std::string negative = random.chance(25) ? "-" : "";
  std::string number;
  switch (type.primitive) {
  case PrimitiveKind::Bool:
    return random.chance(50) ? "true" : "false";
  case PrimitiveKind::Float:
    number = fractions[random.below(fractions.size())];
    break;
  case PrimitiveKind::Unsigned:
    return suffixed(random.below(random.chance(20) ? 256 : 10), type.text);
  case PrimitiveKind::Signed:
    number = std::to_string(random.below(random.chance(20) ? 128 : 10));
    break;
  }
  number += type.text;
  return negative.empty() ? number : "(-" + number + ")";
}

TypeRef ExpressionWriter::random_primitive() {
  // The common types come first and are chosen more often.
  return primitives()[random.chance(60) ? random.below(5) : random.below(primitives().size())];
}

std::string ExpressionWriter::random_size() {
  if (!sizes.empty() && random.chance(50)) return random.pick(sizes);
  return std::to_string(random.between(1, 5));
}

TypeRef ExpressionWriter::random_value_type() {
  TypeRef type = random_primitive();
  for (std::size_t rank = random.chance(50) ? 0 : random.between(1, 2); rank > 0; --rank)
    type = array(std::to_string(random.between(1, 4)), type);
  return type;
}

TypeRef ExpressionWriter::random_type(unsigned depth) {
  if (!variables.empty() && random.chance(30)) {
    TypeRef type = variables[random.below(variables.size())].type;
    if (type->kind != TypeKind::Array || !may_be_empty(*type)) return type;
  }
  if (depth == 0 || random.chance(40)) return random_primitive();
  switch (random.below(5)) {
  case 0: {
    std::vector<TypeRef> elements;
    for (std::size_t count = random.between(2, 3); count > 0; --count)
      elements.push_back(random_type(depth - 1));
    return tuple(std::move(elements));
  }
  case 1: {
    static const std::vector<std::string> names = {"a", "b", "len", "x'"};
    std::vector<Field> fields;
    std::size_t count = random.between(1, 4);
    for (std::size_t i = 0; i < count; ++i)
      fields.push_back({names[i], random_type(depth - 1)});
    return record(std::move(fields));
  }
  case 2:
    if (!sums.empty()) return random.pick(sums);
    break;
  }
  std::string size = random_size();
  return array(std::move(size), random_type(depth - 1));
}

std::string ExpressionWriter::annotation(const TypeRef& type) {
  if (random.chance(40))
    for (const Abbreviation& abbreviation : abbreviations)
      if (abbreviation.meaning == type->text) return abbreviation.name;
  if (type->kind == TypeKind::Array && random.chance(20))
    return "vector [" + type->size + "] (" + type->element->text + ")";
  if (type->is_tuple && type->fields.size() == 2 && random.chance(20))
    return "pair (" + type->fields[0].type->text + ") (" + type->fields[1].type->text + ")";
  return type->text;
}

std::string ExpressionWriter::lambda(std::initializer_list<TypeRef> parameters,
                                     const TypeRef& result) {
  std::size_t before = variables.size();
  std::string text = "(\\";
  std::vector<Variable> bound;
  for (const TypeRef& type : parameters) {
    bound.push_back({fresh("p"), type});
    text += (bound.size() > 1 ? " (" : "(") + bound.back().name + ": " + annotation(type) + ")";
  }
  variables.insert(variables.end(), bound.begin(), bound.end());
  text += " -> " + expression(result) + ")";
  forget(before);
  return text;
}

} // namespace sinter::generate
