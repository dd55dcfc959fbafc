// Short ways to make and to take apart types.
#pragma once

#include "lang/types/type.h"

namespace sinter::types {

const Type* primitive(TypeArena& arena, ElementType element);
const Type* array(TypeArena& arena, const Size* size, const Type* element);
const Type* record(TypeArena& arena, std::vector<Field> fields); ///< in any order, which is kept
/// The fields of `original`, shown in its order, with other types.
const Type* record_like(TypeArena& arena, const RecordType& original, std::vector<Field> fields);
const Type* tuple(TypeArena& arena, const std::vector<const Type*>& elements);
const Type* unit(TypeArena& arena);
const Type* sum(TypeArena& arena, std::vector<Constructor> constructors); ///< in any order
const Type* named(TypeArena& arena, const TypeName* name, std::vector<TypeArgument> arguments = {});
const Type* function(TypeArena& arena, const Type* parameter, const Type* result,
                     const Variable* parameter_variable = nullptr,
                     std::vector<const Variable*> existentials = {});
const Type* unique(TypeArena& arena, const Type* inner);
const Type* error_type(TypeArena& arena);

const Size* constant(TypeArena& arena, std::int64_t value);
const Size* variable(TypeArena& arena, const Variable* variable);
const Size* anonymous(TypeArena& arena);

/// "0", "1", …: the names of a tuple's fields.
Name tuple_field(std::size_t index);
/// Canonical order of record fields.
bool field_less(Name a, Name b);
/// Whether the fields are 0, 1, …, as of a tuple.
bool is_tuple(const RecordType& record);
const Type* find_field(const std::vector<Field>& fields, Name name); ///< null if absent
const Constructor* find_constructor(const std::vector<Constructor>& constructors, Name name);

/// The node of a kind after following metas and looking through uniqueness; null if it is another.
template <typename Node>
const Node* as(const Type* type) {
  type = resolve(type);
  while (const auto* u = std::get_if<UniqueType>(&type->node))
    type = resolve(u->inner);
  return std::get_if<Node>(&type->node);
}
bool is_primitive(const Type* type, ElementType element);

} // namespace sinter::types
