#include "lang/types/stars.h"

#include <algorithm>

namespace sinter::types {

Ownership below_stars(const Type* type, bool is_unique) {
  type = resolve(type);
  while (const auto* u = std::get_if<UniqueType>(&type->node)) {
    is_unique = true;
    type = resolve(u->inner);
  }
  return {type, is_unique};
}

namespace {

/// Whether a star stands over a part of a type that `counts` (a predicate on types without parts).
template <typename Predicate>
bool any_starred(const Type* outer, bool outer_unique, const Predicate& counts,
                 OwnedVisited& visited) {
  auto [type, is_unique] = below_stars(outer, outer_unique);
  if (!visited.is_new(type, is_unique)) return false;
  if (const auto* r = std::get_if<RecordType>(&type->node)) {
    for (const Field& field : r->fields)
      if (any_starred(field.type, is_unique, counts, visited)) return true;
    return false;
  }
  if (const auto* s = std::get_if<SumType>(&type->node)) {
    for (const Constructor& constructor : s->constructors)
      for (const Type* payload : constructor.payload)
        if (any_starred(payload, is_unique, counts, visited)) return true;
    return false;
  }
  return is_unique && counts(type);
}

template <typename Predicate>
bool any_starred(const Type* outer, bool outer_unique, const Predicate& counts) {
  OwnedVisited visited;
  return any_starred(outer, outer_unique, counts, visited);
}

bool holds_function(const Type* type, Visited& visited) {
  if (!visited.is_new(resolve(type))) return false;
  if (as<FunctionType>(type)) return true;
  auto any = [&](const Type* part) { return holds_function(part, visited); };
  if (const auto* r = as<RecordType>(type))
    return std::any_of(r->fields.begin(), r->fields.end(),
                       [&](const Field& field) { return any(field.type); });
  if (const auto* s = as<SumType>(type))
    return std::any_of(s->constructors.begin(), s->constructors.end(), [&](const Constructor& c) {
      return std::any_of(c.payload.begin(), c.payload.end(), any);
    });
  return false;
}

bool lives_in_memory(const Type* type) {
  if (const auto* m = std::get_if<MetaType>(&type->node)) return m->elements == 0;
  return std::holds_alternative<ArrayType>(type->node) ||
         std::holds_alternative<NamedType>(type->node);
}

} // namespace

bool may_consume(const Type* type, bool is_unique) {
  return any_starred(type, is_unique, lives_in_memory);
}

bool holds_function(const Type* type) {
  Visited visited;
  return holds_function(type, visited);
}

bool is_consuming(const Type* parameter) {
  // A type parameter's star stays, whatever the type parameter stands for.
  return any_starred(parameter, false, [](const Type* type) {
    return !std::holds_alternative<FunctionType>(type->node) &&
           !std::holds_alternative<ErrorType>(type->node);
  });
}

bool is_unique(const Type* result) {
  return any_starred(result, false, lives_in_memory);
}

} // namespace sinter::types
