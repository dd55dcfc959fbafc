// The types of generated programs.  Two types are the same when their texts are: records and tuples
// are written out, sums always by the name of their definition.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::generate {

struct Type;
using TypeRef = std::shared_ptr<const Type>;

enum class TypeKind { Primitive, Record, Sum, Array };
enum class PrimitiveKind { Signed, Unsigned, Float, Bool };

/// A field of a record; of a tuple the names are "0", "1", ….
struct Field {
  std::string name;
  TypeRef type;
};
struct Constructor {
  std::string name; ///< without '#'
  std::vector<TypeRef> payload;
};

struct Type {
  TypeKind kind = TypeKind::Primitive;
  PrimitiveKind primitive = PrimitiveKind::Signed;
  bool is_tuple = false;
  std::vector<Field> fields;
  std::vector<Constructor> constructors;
  std::string size; ///< of an array: a number, or the name of a size in scope
  TypeRef element;
  std::string text; ///< as a program writes it, usable wherever a type may stand
};

/// All primitive types, in a fixed order.
const std::vector<TypeRef>& primitives();
/// One of them by its name.
TypeRef primitive(std::string_view name);
TypeRef tuple(std::vector<TypeRef> elements);
TypeRef record(std::vector<Field> fields);
TypeRef sum(std::string name, std::vector<Constructor> constructors);
TypeRef array(std::string size, TypeRef element);

inline bool same(const TypeRef& a, const TypeRef& b) {
  return a->text == b->text;
}
inline bool is_integer(const Type& type) {
  return type.kind == TypeKind::Primitive &&
         (type.primitive == PrimitiveKind::Signed || type.primitive == PrimitiveKind::Unsigned);
}
inline bool is_float(const Type& type) {
  return type.kind == TypeKind::Primitive && type.primitive == PrimitiveKind::Float;
}
/// Whether a type mentions a size by name: such a type means nothing outside that name's scope.
bool mentions_size(const Type& type);
/// Whether an array has a size that is a number.
inline bool has_constant_size(const Type& type) {
  return type.size[0] >= '0' && type.size[0] <= '9';
}
/// Whether an array may be empty: sizes that come from `filter` are named `k…`.
inline bool may_be_empty(const Type& type) {
  return type.size[0] == 'k';
}

} // namespace sinter::generate
