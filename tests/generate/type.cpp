#include "tests/generate/type.h"

#include <algorithm>
#include <utility>

namespace sinter::generate {

namespace {

TypeRef make_primitive(std::string text, PrimitiveKind kind) {
  auto type = std::make_shared<Type>();
  type->kind = TypeKind::Primitive;
  type->primitive = kind;
  type->text = std::move(text);
  return type;
}

} // namespace

const std::vector<TypeRef>& primitives() {
  static const std::vector<TypeRef> all = {make_primitive("i32", PrimitiveKind::Signed),
                                           make_primitive("i64", PrimitiveKind::Signed),
                                           make_primitive("f32", PrimitiveKind::Float),
                                           make_primitive("f64", PrimitiveKind::Float),
                                           make_primitive("bool", PrimitiveKind::Bool),
                                           make_primitive("i8", PrimitiveKind::Signed),
                                           make_primitive("i16", PrimitiveKind::Signed),
                                           make_primitive("u8", PrimitiveKind::Unsigned),
                                           make_primitive("u16", PrimitiveKind::Unsigned),
                                           make_primitive("u32", PrimitiveKind::Unsigned),
                                           make_primitive("u64", PrimitiveKind::Unsigned),
                                           make_primitive("f16", PrimitiveKind::Float)};
  return all;
}

TypeRef primitive(std::string_view name) {
  const std::vector<TypeRef>& all = primitives();
  return *std::find_if(all.begin(), all.end(),
                       [&](const TypeRef& type) { return type->text == name; });
}

TypeRef tuple(std::vector<TypeRef> elements) {
  auto type = std::make_shared<Type>();
  type->kind = TypeKind::Record;
  type->is_tuple = true;
  type->text = "(";
  for (std::size_t i = 0; i < elements.size(); ++i) {
    type->text += (i ? ", " : "") + elements[i]->text;
    type->fields.push_back({std::to_string(i), std::move(elements[i])});
  }
  type->text += ")";
  return type;
}

TypeRef record(std::vector<Field> fields) {
  auto type = std::make_shared<Type>();
  type->kind = TypeKind::Record;
  type->text = "{";
  for (const Field& field : fields)
    type->text += (type->text.size() > 1 ? ", " : "") + field.name + ": " + field.type->text;
  type->text += "}";
  type->fields = std::move(fields);
  return type;
}

TypeRef sum(std::string name, std::vector<Constructor> constructors) {
  auto type = std::make_shared<Type>();
  type->kind = TypeKind::Sum;
  type->text = std::move(name);
  type->constructors = std::move(constructors);
  return type;
}

TypeRef array(std::string size, TypeRef element) {
  auto type = std::make_shared<Type>();
  type->kind = TypeKind::Array;
  type->text = "[" + size + "]" + element->text;
  type->size = std::move(size);
  type->element = std::move(element);
  return type;
}

bool mentions_size(const Type& type) {
  switch (type.kind) {
  case TypeKind::Primitive:
  case TypeKind::Sum: // a definition knows no sizes
    return false;
  case TypeKind::Record:
    return std::any_of(type.fields.begin(), type.fields.end(),
                       [](const Field& field) { return mentions_size(*field.type); });
  case TypeKind::Array:
    return !has_constant_size(type) || mentions_size(*type.element);
  }
  __builtin_unreachable();
}

} // namespace sinter::generate
