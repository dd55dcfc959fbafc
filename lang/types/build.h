// Short ways to make and to take apart types.
#pragma once

#include "lang/types/type.h"

#include <utility>
#include <vector>

namespace sinter::types {

const Type* primitive(TypeArena& arena, ElementType element);
const Type* array(TypeArena& arena, const Size* size, const Type* element);
const Type* record(TypeArena& arena, std::vector<Field> fields); ///< in any order, which is kept
/// The fields of `original`, shown in its order, with other types.
const Type* record_like(TypeArena& arena, const RecordType& original, std::vector<Field> fields);
/// `type`, a record, with what `map(const Type*)` gives for its fields' types; itself if that is
/// the same for all of them.
template <typename Map>
const Type* with_parts(TypeArena& arena, const Type* type, const RecordType& record, Map&& map) {
  std::vector<Field> fields;
  bool changed = false;
  fields.reserve(record.fields.size());
  for (const Field& field : record.fields) {
    fields.push_back({field.name, map(field.type)});
    changed = changed || fields.back().type != field.type;
  }
  return changed ? record_like(arena, record, std::move(fields)) : type;
}
/// Likewise a sum, for its payloads' types.
template <typename Map>
const Type* with_parts(TypeArena& arena, const Type* type, const SumType& sum, Map&& map) {
  std::vector<Constructor> constructors;
  bool changed = false;
  for (const Constructor& constructor : sum.constructors) {
    Constructor& copy = constructors.emplace_back(Constructor{constructor.name, {}});
    for (const Type* payload : constructor.payload) {
      copy.payload.push_back(map(payload));
      changed = changed || copy.payload.back() != payload;
    }
  }
  return changed ? arena.make<Type>(SumType{std::move(constructors)}) : type;
}
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
