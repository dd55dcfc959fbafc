#include "lang/types/build.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace sinter::types {

const Type* primitive(TypeArena& arena, ElementType element) {
  return arena.make<Type>(PrimitiveType{element});
}
const Type* array(TypeArena& arena, const Size* size, const Type* element) {
  return arena.make<Type>(ArrayType{size, element});
}
const Type* record(TypeArena& arena, std::vector<Field> fields) {
  auto less = [](const Field& a, const Field& b) { return field_less(a.name, b.name); };
  if (std::is_sorted(fields.begin(), fields.end(), less))
    return arena.make<Type>(RecordType{std::move(fields)});
  std::vector<std::uint32_t> sorted(fields.size()); // in canonical order: where each is written
  std::iota(sorted.begin(), sorted.end(), 0U);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return less(fields[a], fields[b]); });
  RecordType type;
  type.shown.resize(fields.size());
  for (std::uint32_t at = 0; at < sorted.size(); ++at) {
    type.fields.push_back(fields[sorted[at]]);
    type.shown[sorted[at]] = at;
  }
  return arena.make<Type>(std::move(type));
}
const Type* record_like(TypeArena& arena, const RecordType& original, std::vector<Field> fields) {
  return arena.make<Type>(RecordType{std::move(fields), original.shown});
}
const Type* tuple(TypeArena& arena, const std::vector<const Type*>& elements) {
  std::vector<Field> fields;
  fields.reserve(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i)
    fields.push_back({tuple_field(i), elements[i]});
  return arena.make<Type>(RecordType{std::move(fields)});
}
const Type* unit(TypeArena& arena) {
  return arena.make<Type>(RecordType{});
}
const Type* sum(TypeArena& arena, std::vector<Constructor> constructors) {
  std::stable_sort(constructors.begin(), constructors.end(),
                   [](const Constructor& a, const Constructor& b) { return a.name < b.name; });
  return arena.make<Type>(SumType{std::move(constructors)});
}
const Type* named(TypeArena& arena, const TypeName* name, std::vector<TypeArgument> arguments) {
  return arena.make<Type>(NamedType{name, std::move(arguments)});
}
const Type* function(TypeArena& arena, const Type* parameter, const Type* result,
                     const Variable* parameter_variable,
                     std::vector<const Variable*> existentials) {
  return arena.make<Type>(
      FunctionType{parameter_variable, parameter, std::move(existentials), result});
}
const Type* unique(TypeArena& arena, const Type* inner) {
  return arena.make<Type>(UniqueType{inner});
}
const Type* error_type(TypeArena& arena) {
  return arena.make<Type>(ErrorType{});
}

const Size* constant(TypeArena& arena, std::int64_t value) {
  return arena.make<Size>(ConstantSize{value});
}
const Size* variable(TypeArena& arena, const Variable* variable) {
  return arena.make<Size>(VariableSize{variable});
}
const Size* anonymous(TypeArena& arena) {
  return arena.make<Size>(AnonymousSize{});
}

Name tuple_field(std::size_t index) {
  // Immutable once made; tuples beyond the limit do not occur in programs that a person can read,
  // and the parser's tuples are bounded by the text anyway.
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (int i = 0; i < 1024; ++i)
      list.push_back(std::to_string(i));
    return list;
  }();
  return names[std::min(index, names.size() - 1)];
}

namespace {
bool is_number(Name name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
}
} // namespace

bool field_less(Name a, Name b) {
  bool number_a = is_number(a), number_b = is_number(b);
  if (number_a != number_b) return number_a;
  if (number_a && a.size() != b.size()) return a.size() < b.size();
  return a < b;
}

bool is_tuple(const RecordType& record) {
  if (record.fields.size() == 1) return false;
  for (std::size_t i = 0; i < record.fields.size(); ++i)
    if (record.fields[i].name != tuple_field(i)) return false;
  return true;
}

const Type* find_field(const std::vector<Field>& fields, Name name) {
  for (const Field& field : fields)
    if (field.name == name) return field.type;
  return nullptr;
}

const Constructor* find_constructor(const std::vector<Constructor>& constructors, Name name) {
  for (const Constructor& constructor : constructors)
    if (constructor.name == name) return &constructor;
  return nullptr;
}

bool is_primitive(const Type* type, ElementType element) {
  const auto* p = as<PrimitiveType>(type);
  return p && p->element == element;
}

} // namespace sinter::types
