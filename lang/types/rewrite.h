// Rebuilding types: a base for substitution, instantiation and everything else that maps over them.
#pragma once

#include "lang/types/build.h"

#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace sinter::types {

// Types share their parts: written out, a type may be exponentially larger than what it takes in
// memory (`let y = (x, x) let z = (y, y) …`).  Whoever walks over one looks at each node once.

/// Thrown where a program's types are nested so deeply, or its sizes so large, that no time or
/// stack suffices to check them.  (Only contrived programs get there: each definition doubles the
/// last.)
struct TooLarge {
  enum class What { Types, Sizes, Modules };
  What what{};
};

/// Throws TooLarge if a recursion over types should go no deeper.
void require_stack();

/// Whether a node has several parts, so that walking over it again could be expensive.
bool has_parts(const Type* type);

/// The nodes that a walk has seen.
class Visited {
public:
  /// Whether a resolved node is to be looked at: it is new, or too small to matter.
  bool is_new(const Type* type) { return !has_parts(type) || seen_.insert(type).second; }

private:
  std::unordered_set<const Type*> seen_;
};

/// The pairs of nodes that a walk over two types has seen.
class VisitedPairs {
public:
  bool is_new(const Type* a, const Type* b) {
    return !has_parts(a) || !has_parts(b) || seen_.emplace(a, b).second;
  }
  void clear() { seen_.clear(); }

private:
  std::set<std::pair<const Type*, const Type*>> seen_;
};

/// How large types are when they are written out.
class WrittenSize {
public:
  /// The number of parts, or `limit` if there are more.
  std::size_t operator()(const Type* type);
  static constexpr std::size_t limit = 10000;

private:
  std::unordered_map<const Type*, std::size_t> known_;
};

/// Rebuilds a type bottom-up and shares what does not change; may throw TooLarge.  Solved metas are
/// followed.  The hooks see leaves; what they return is not rewritten again.  A part that occurs
/// several times is rewritten once, so a rewriter is for one state of the inference variables.
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
  /// A size by its structure; null: to be rewritten part by part.
  virtual const Size* on_term(const Size*) { return nullptr; }
  /// A size that stands for an expression, after its substitution was rewritten (to `size` if
  /// nothing changed).
  virtual const Size* on_expression(const Size* size) { return size; }

  TypeArena& arena_;
  /// False where each occurrence of a part gets something of its own.
  bool shares_ = true;
  /// What else results depend on: they are shared where it is the same.
  unsigned context_ = 0;
  /// Counted up when a hook gives what other occurrences must not share.
  std::size_t unshared_ = 0;

  /// For a further type, of which as much may be looked at as of the first.
  void refuel() { fuel_ = most_parts; }

private:
  const Type* rebuilt(const Type* type);

  static constexpr std::size_t most_parts = 250'000;
  /// Parts of sizes that may still be looked at; they are not shared.
  std::size_t fuel_ = most_parts;
  std::map<std::pair<const Type*, unsigned>, const Type*> done_;
};

/// Calls `visit` for each size variable that occurs in a type (bound ones included).
template <typename Visit>
void for_each_variable(const Size* size, Visit&& visit);
template <typename Visit>
void for_each_variable(const Type* type, Visit&& visit);

// ---- implementation of the templates -----------------------------------------------------------

template <typename Visit>
void for_each_variable(const Size* size, Visit&& visit) {
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
void for_each_variable(const Type* type, Visit&& visit, Visited& visited) {
  type = resolve(type);
  if (!type || !visited.is_new(type)) return;
  if (const auto* a = std::get_if<ArrayType>(&type->node)) {
    for_each_variable(a->size, visit);
    for_each_variable(a->element, visit, visited);
  } else if (const auto* r = std::get_if<RecordType>(&type->node)) {
    for (const Field& field : r->fields)
      for_each_variable(field.type, visit, visited);
  } else if (const auto* s = std::get_if<SumType>(&type->node)) {
    for (const Constructor& constructor : s->constructors)
      for (const Type* payload : constructor.payload)
        for_each_variable(payload, visit, visited);
  } else if (const auto* f = std::get_if<FunctionType>(&type->node)) {
    for_each_variable(f->parameter, visit, visited);
    for_each_variable(f->result, visit, visited);
  } else if (const auto* u = std::get_if<UniqueType>(&type->node)) {
    for_each_variable(u->inner, visit, visited);
  } else if (const auto* n = std::get_if<NamedType>(&type->node)) {
    for (const TypeArgument& argument : n->arguments) {
      if (argument.type)
        for_each_variable(argument.type, visit, visited);
      else
        for_each_variable(argument.size, visit);
    }
  }
}

template <typename Visit>
void for_each_variable(const Type* type, Visit&& visit) {
  Visited visited;
  for_each_variable(type, visit, visited);
}

/// The size variables of kind UnknownSize that no function type inside binds, each once, in order.
std::vector<const Variable*> free_unknown_sizes(const Type* type);
/// The type without uniqueness, except inside function types, where it is part of the contract.
const Type* strip_unique(TypeArena& arena, const Type* type);

} // namespace sinter::types
