#include "lang/types/facts.h"

#include "lang/types/build.h"
#include "lang/types/rewrite.h"

#include <algorithm>

namespace sinter::types {

namespace {

/// Whether `test` holds for one of the parts of a record or sum.
template <typename Test>
bool any_part(const Type* type, Test&& test) {
  if (const auto* r = std::get_if<RecordType>(&type->node))
    return std::any_of(r->fields.begin(), r->fields.end(),
                       [&](const Field& field) { return test(field.type); });
  if (const auto* s = std::get_if<SumType>(&type->node))
    return std::any_of(
        s->constructors.begin(), s->constructors.end(), [&](const Constructor& constructor) {
          return std::any_of(constructor.payload.begin(), constructor.payload.end(), test);
        });
  return false;
}

/// Nodes seen where sizes are shown, and where they are not.
struct SeenByPlace {
  Visited shown, hidden;
};

void collect(const Type* type, bool is_shown, SizeUses& uses, SeenByPlace& seen) {
  type = resolve(type);
  if (!type || !(is_shown ? seen.shown : seen.hidden).is_new(type)) return;
  auto size = [&](const Size* s, bool is_extent) {
    if (!s) return;
    if (const auto* v = std::get_if<VariableSize>(&s->node); v && is_extent)
      uses.constructive.insert(v->variable);
    for_each_variable(s, [&](const Variable* v) { uses.all.insert(v); });
  };
  if (const auto* a = std::get_if<ArrayType>(&type->node)) {
    size(a->size, is_shown);
    collect(a->element, is_shown, uses, seen);
  } else if (const auto* r = std::get_if<RecordType>(&type->node)) {
    for (const Field& field : r->fields)
      collect(field.type, is_shown, uses, seen);
  } else if (const auto* s = std::get_if<SumType>(&type->node)) {
    for (const Constructor& constructor : s->constructors)
      for (const Type* payload : constructor.payload)
        collect(payload, is_shown, uses, seen);
  } else if (const auto* f = std::get_if<FunctionType>(&type->node)) {
    collect(f->parameter, false, uses, seen);
    collect(f->result, false, uses, seen);
  } else if (const auto* u = std::get_if<UniqueType>(&type->node)) {
    collect(u->inner, is_shown, uses, seen);
  } else if (const auto* n = std::get_if<NamedType>(&type->node)) {
    const bool is_accumulator = n->name->kind == TypeName::Kind::Builtin;
    for (const TypeArgument& argument : n->arguments) {
      if (argument.type)
        collect(argument.type, is_shown && is_accumulator, uses, seen);
      else
        size(argument.size, is_shown);
    }
  }
}

} // namespace

namespace {
bool may_be_functional(const Type* type, Visited& visited) {
  type = resolve(type);
  if (!visited.is_new(type)) return false;
  if (std::holds_alternative<FunctionType>(type->node)) return true;
  if (const auto* u = std::get_if<UniqueType>(&type->node))
    return may_be_functional(u->inner, visited);
  if (const auto* a = std::get_if<ArrayType>(&type->node))
    return may_be_functional(a->element, visited);
  if (const auto* n = std::get_if<NamedType>(&type->node))
    return n->name->lifting == Lifting::FullyLifted ||
           std::any_of(n->arguments.begin(), n->arguments.end(), [&](const TypeArgument& argument) {
             return argument.type && may_be_functional(argument.type, visited);
           });
  return any_part(type, [&](const Type* part) { return may_be_functional(part, visited); });
}
bool contains_error(const Type* type, Visited& visited) {
  type = resolve(type);
  if (!visited.is_new(type)) return false;
  if (std::holds_alternative<ErrorType>(type->node)) return true;
  if (const auto* u = std::get_if<UniqueType>(&type->node))
    return contains_error(u->inner, visited);
  if (const auto* a = std::get_if<ArrayType>(&type->node))
    return contains_error(a->element, visited);
  if (const auto* n = std::get_if<NamedType>(&type->node))
    return std::any_of(n->arguments.begin(), n->arguments.end(), [&](const TypeArgument& argument) {
      return argument.type && contains_error(argument.type, visited);
    });
  if (const auto* f = std::get_if<FunctionType>(&type->node))
    return contains_error(f->parameter, visited) || contains_error(f->result, visited);
  return any_part(type, [&](const Type* part) { return contains_error(part, visited); });
}
bool is_structural(const Type* type, Visited& seen) {
  type = resolve(type);
  if (!type) return false;
  if (!seen.is_new(type) || std::holds_alternative<PrimitiveType>(type->node)) return true;
  if (const auto* array = std::get_if<ArrayType>(&type->node))
    return is_structural(array->element, seen);
  if (const auto* unique = std::get_if<UniqueType>(&type->node))
    return is_structural(unique->inner, seen);
  if (std::holds_alternative<RecordType>(type->node) || std::holds_alternative<SumType>(type->node))
    return !any_part(type, [&](const Type* part) { return !is_structural(part, seen); });
  return false;
}

} // namespace

bool is_structural(const Type* type) {
  Visited seen;
  return is_structural(type, seen);
}

bool contains_error(const Type* type) {
  Visited visited;
  return contains_error(type, visited);
}

bool may_be_functional(const Type* type) {
  Visited visited;
  return may_be_functional(type, visited);
}

SizeUses size_uses(const Type* type) {
  SizeUses uses;
  SeenByPlace seen;
  collect(type, true, uses, seen);
  return uses;
}

const Variable* as_variable(const Size* size) {
  const auto* v = size ? std::get_if<VariableSize>(&size->node) : nullptr;
  return v ? v->variable : nullptr;
}

// ---- sizes by their places ---------------------------------------------------------------------

namespace {

using Variables = std::vector<const Variable*>;
using Visit = std::function<void(const Variables&, SizePlace, const Size*)>;

void visit_sizes(const Type* type, Variables& bound, SizePlace place, const Visit& visit) {
  require_stack();
  type = resolve(type);
  if (!type) return;
  if (const auto* a = std::get_if<ArrayType>(&type->node)) {
    visit(bound, place, a->size);
    visit_sizes(a->element, bound, place, visit);
  } else if (const auto* r = std::get_if<RecordType>(&type->node)) {
    for (const Field& field : r->fields)
      visit_sizes(field.type, bound, place, visit);
  } else if (const auto* s = std::get_if<SumType>(&type->node)) {
    for (const Constructor& constructor : s->constructors)
      for (const Type* payload : constructor.payload)
        visit_sizes(payload, bound, place, visit);
  } else if (const auto* f = std::get_if<FunctionType>(&type->node)) {
    std::size_t count = bound.size();
    if (f->parameter_variable) bound.push_back(f->parameter_variable);
    bound.insert(bound.end(), f->existentials.begin(), f->existentials.end());
    visit_sizes(f->parameter, bound, SizePlace::Parameter, visit);
    visit_sizes(f->result, bound, SizePlace::Return, visit);
    bound.resize(count);
  } else if (const auto* u = std::get_if<UniqueType>(&type->node)) {
    visit_sizes(u->inner, bound, place, visit);
  } else if (const auto* n = std::get_if<NamedType>(&type->node)) {
    for (const TypeArgument& argument : n->arguments) {
      if (argument.type)
        visit_sizes(argument.type, bound, place, visit);
      else
        visit(bound, place, argument.size);
    }
  }
}

} // namespace

void for_each_size(const Type* type, const Visit& visit) {
  Variables bound;
  visit_sizes(type, bound, SizePlace::Immediate, visit);
}

bool occurs(const Variable* variable, const Type* type) {
  bool found = false;
  for_each_variable(type, [&](const Variable* other) { found = found || other == variable; });
  return found;
}

std::set<const Variable*> free_variables(const Type* type) {
  std::set<const Variable*> found;
  for_each_size(type, [&](const Variables& bound, SizePlace, const Size* size) {
    for_each_variable(size, [&](const Variable* v) {
      if (std::find(bound.begin(), bound.end(), v) == bound.end()) found.insert(v);
    });
  });
  return found;
}

std::set<const Variable*> witnessed_sizes(const Type* type) {
  std::set<const Variable*> found;
  for_each_size(type, [&](const Variables& bound, SizePlace place, const Size* size) {
    const Variable* v = as_variable(size);
    if (!v) return;
    if (place == SizePlace::Immediate || std::find(bound.begin(), bound.end(), v) != bound.end())
      found.insert(v);
  });
  return found;
}

} // namespace sinter::types
