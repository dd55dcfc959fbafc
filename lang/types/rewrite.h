// Rebuilding types: a base for substitution, instantiation and everything else that maps over them.
#pragma once

#include "lang/types/build.h"

namespace sinter::types {

/// Rebuilds a type bottom-up and shares what does not change.  Solved metas are followed.  The
/// hooks see leaves; what they return is not rewritten again.
class Rewriter {
public:
  explicit Rewriter(TypeArena& arena) : arena_(arena) {}
  virtual ~Rewriter() = default;
  const Type* type(const Type* type);
  const Size* size(const Size* size);

protected:
  /// An unsolved meta.  The default rewrites the fields or constructors known so far nowhere: it
  /// leaves the meta alone.
  virtual const Type* on_meta(const Type* type) { return type; }
  /// A named type; `arguments` are rewritten already.
  virtual const Type* on_named(const Type* type, const TypeName* name,
                               std::vector<TypeArgument> arguments, bool changed);
  virtual const Type* on_function(const Type* type, const FunctionType& function);
  virtual const Type* on_unique(const Type* type, const UniqueType& unique);
  virtual const Size* on_variable(const Size* size, const Variable*) { return size; }
  virtual const Size* on_meta_size(const Size* size) { return size; }
  /// A size that stands for an expression, after its substitution was rewritten (to `size` if
  /// nothing changed).
  virtual const Size* on_expression(const Size* size) { return size; }

  TypeArena& arena_;
};

/// Calls `visit` for each size variable that occurs in a type (bound ones included).
template <typename Visit>
void for_each_variable(const Size* size, Visit&& visit);
template <typename Visit>
void for_each_variable(const Type* type, Visit&& visit);

// ---- implementation of the templates -----------------------------------------------------------

template <typename Visit>
void for_each_variable(const Size* size, Visit&& visit) {
  size = resolve(size);
  if (!size) return;
  if (const auto* v = std::get_if<VariableSize>(&size->node)) {
    visit(v->variable);
  } else if (const auto* o = std::get_if<OperationSize>(&size->node)) {
    for_each_variable(o->left, visit);
    for_each_variable(o->right, visit);
  } else if (const auto* e = std::get_if<ExpressionSize>(&size->node)) {
    for (const auto& pair : e->substitution)
      for_each_variable(pair.second, visit);
  } else if (const auto* t = std::get_if<TermSize>(&size->node)) {
    for (const Size* argument : t->arguments)
      for_each_variable(argument, visit);
  }
}

template <typename Visit>
void for_each_variable(const Type* type, Visit&& visit) {
  type = resolve(type);
  if (!type) return;
  if (const auto* a = std::get_if<ArrayType>(&type->node)) {
    for_each_variable(a->size, visit);
    for_each_variable(a->element, visit);
  } else if (const auto* r = std::get_if<RecordType>(&type->node)) {
    for (const Field& field : r->fields)
      for_each_variable(field.type, visit);
  } else if (const auto* s = std::get_if<SumType>(&type->node)) {
    for (const Constructor& constructor : s->constructors)
      for (const Type* payload : constructor.payload)
        for_each_variable(payload, visit);
  } else if (const auto* f = std::get_if<FunctionType>(&type->node)) {
    for_each_variable(f->parameter, visit);
    for_each_variable(f->result, visit);
  } else if (const auto* u = std::get_if<UniqueType>(&type->node)) {
    for_each_variable(u->inner, visit);
  } else if (const auto* n = std::get_if<NamedType>(&type->node)) {
    for (const TypeArgument& argument : n->arguments) {
      if (argument.type)
        for_each_variable(argument.type, visit);
      else
        for_each_variable(argument.size, visit);
    }
  }
}

/// The size variables of kind UnknownSize that no function type inside binds, each once, in order.
std::vector<const Variable*> free_unknown_sizes(const Type* type);
/// The type without uniqueness, except inside function types, where it is part of the contract.
const Type* strip_unique(TypeArena& arena, const Type* type);

} // namespace sinter::types
