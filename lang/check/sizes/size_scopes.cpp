// What becomes of sizes where they may not occur: unknown ones, or existentials of functions.
#include "lang/check/sizes/size_scopes.h"

#include "lang/check/sizes/terms.h"
#include "lang/types/build.h"
#include "lang/types/facts.h"
#include "lang/types/rewrite.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

using Kind = SizeConstraint::Kind;

// ---- what leaves its scope ---------------------------------------------------------------------

/// Replaces sizes that may not occur.  Those of arrays in the value come first, and smaller ones
/// before those that they are part of: where `n` becomes `d`, `n+1` becomes `d+1`.
class SizeScopes::Remover {
public:
  Remover(SizeVariables& variables, const Forbidden& forbidden, Span span, Variables& made)
      : variables_(variables), forbidden_(forbidden), span_(span), made_(made) {}

  const Type* outermost(const Type* type) {
    std::size_t count = known_.size();
    const Type* result = (prepare(type), this->type(type));
    known_.resize(count);
    return result;
  }

private:
  void prepare(const Type* type) {
    std::vector<const Size*> sizes;
    for_each_size(type, [&](const Variables&, SizePlace place, const Size* size) {
      if (place == SizePlace::Immediate) sizes.push_back(size);
    });
    std::stable_sort(sizes.begin(), sizes.end(),
                     [](const Size* a, const Size* b) { return weight(a) < weight(b); });
    for (const Size* size : sizes)
      known_.emplace_back(size, this->size(size));
  }

  static std::size_t weight(const Size* size) {
    if (const auto* o = std::get_if<OperationSize>(&size->node))
      return 1 + weight(o->left) + weight(o->right);
    if (const auto* t = std::get_if<TermSize>(&size->node)) {
      std::size_t sum = 1;
      for (const Size* argument : t->arguments)
        sum += weight(argument);
      return sum;
    }
    return 1;
  }

  const Size* replace_known(const Size* size) {
    for (const auto& [from, to] : known_)
      if (same_size(from, size)) return to;
    if (const auto* o = std::get_if<OperationSize>(&size->node)) {
      const Size *left = replace_known(o->left), *right = replace_known(o->right);
      if (left == o->left && right == o->right) return size;
      return variables_.arena().make<Size>(OperationSize{o->op, left, right});
    }
    if (const auto* t = std::get_if<TermSize>(&size->node)) {
      std::vector<const Size*> arguments;
      bool changed = false;
      for (const Size* argument : t->arguments) {
        arguments.push_back(replace_known(argument));
        changed = changed || arguments.back() != argument;
      }
      if (!changed) return size;
      return variables_.arena().make<Size>(
          TermSize{t->kind, t->head, std::move(arguments), t->expression});
    }
    return size;
  }

  const Size* size(const Size* size) {
    size = replace_known(size);
    const Variable* cause = forbidden_(size);
    if (!cause) return size;
    std::string text =
        "is an unknown size arising from \"" + variables_.show(cause) + "\" going out of scope";
    const Variable* unknown = variables_.unknown(span_, std::move(text));
    made_.push_back(unknown);
    return variable(variables_.arena(), unknown);
  }

  const Type* type(const Type* t) {
    TypeArena& arena = variables_.arena();
    t = resolve(t);
    if (const auto* a = std::get_if<ArrayType>(&t->node)) {
      const Size* size = this->size(a->size);
      return array(arena, size, type(a->element));
    }
    const auto part = [&](const Type* inner) { return type(inner); };
    if (const auto* r = std::get_if<RecordType>(&t->node)) return with_parts(arena, t, *r, part);
    if (const auto* s = std::get_if<SumType>(&t->node)) return with_parts(arena, t, *s, part);
    if (const auto* f = std::get_if<FunctionType>(&t->node)) {
      const Type* parameter = type(f->parameter);
      // What the result alone needs is bound here.
      std::size_t before = made_.size();
      const Type* result = outermost(f->result);
      Variables existentials = f->existentials;
      existentials.insert(existentials.end(), made_.begin() + static_cast<std::ptrdiff_t>(before),
                          made_.end());
      made_.resize(before);
      return function(arena, parameter, result, f->parameter_variable, std::move(existentials));
    }
    if (const auto* u = std::get_if<UniqueType>(&t->node)) return unique(arena, type(u->inner));
    if (const auto* n = std::get_if<NamedType>(&t->node)) {
      if (n->arguments.empty()) return t;
      std::vector<TypeArgument> arguments;
      for (const TypeArgument& argument : n->arguments) {
        if (argument.type)
          arguments.push_back({type(argument.type), nullptr});
        else
          arguments.push_back({nullptr, this->size(argument.size)});
      }
      return named(arena, n->name, std::move(arguments));
    }
    return t;
  }

  SizeVariables& variables_;
  const Forbidden& forbidden_;
  Span span_;
  Variables& made_;
  std::vector<std::pair<const Size*, const Size*>> known_;
};

const Type* SizeScopes::replace_forbidden(const Type* type, const Forbidden& forbidden, Span span,
                                          Variables& made) {
  type = variables_.normalise(type);
  bool any = false;
  for_each_size(type, [&](const Variables&, SizePlace, const Size* size) {
    any = any || forbidden(size) != nullptr;
  });
  return any ? Remover(variables_, forbidden, span, made).outermost(type) : type;
}

// ---- existentials ------------------------------------------------------------------------------

bool SizeScopes::is_pending(const Variable* variable) const {
  const SizeConstraint* c = variables_.find(variable);
  if (!c) return false;
  if (c->kind == Kind::Existential) return true;
  const SizeConstraint* canonical = c->kind == Kind::Copy ? variables_.find(c->canonical) : nullptr;
  return canonical && canonical->kind == Kind::Existential;
}

/// Copies of one occurrence that absorbed the same size are the same size: the first one.
const Size* SizeScopes::representative(const Variable* v) {
  const SizeConstraint* c = variables_.find(v);
  if (!c || c->kind != Kind::Copy) return nullptr;
  const SizeConstraint* canonical = variables_.find(c->canonical);
  if (!canonical || canonical->kind != Kind::Existential || !canonical->absorbed) return nullptr;
  for (const Variable* other : variables_.order()) {
    if (other == v) return nullptr;
    const SizeConstraint* d = variables_.find(other);
    if (!d || d->kind != Kind::Copy || d->occurrence != c->occurrence) continue;
    const SizeConstraint* its = variables_.find(d->canonical);
    if (its && its->kind == Kind::Existential && its->absorbed == canonical->absorbed)
      return variable(variables_.arena(), other);
  }
  return nullptr;
}

const Type* SizeScopes::bind_existentials(const Type* type, Span span, Variables& made) {
  type = variables_.normalise(type);
  std::set<const Variable*> free = free_variables(type);
  if (std::none_of(free.begin(), free.end(), [&](const Variable* v) { return is_pending(v); }))
    return type;
  for (const Variable* v : free)
    if (const Size* other = representative(v)) type = variables_.substitute(type, v, other);
  Forbidden forbidden = [&](const Size* size) {
    const Variable* found = nullptr;
    for_each_variable(size, [&](const Variable* v) {
      if (!found && is_pending(v)) found = v;
    });
    return found;
  };
  return replace_forbidden(type, forbidden, span, made);
}

const Type* SizeScopes::settle(const Type* type) {
  type = variables_.normalise(type);
  std::set<const Variable*> free = free_variables(type);
  if (std::none_of(free.begin(), free.end(), [&](const Variable* v) { return is_pending(v); }))
    return type;
  Variables made;
  const Type* bound = bind_existentials(type, {}, made);
  if (made.empty()) return bound;
  for (const Variable* v : free) {
    const SizeConstraint* c = variables_.find(v);
    if (c && c->kind == Kind::Copy) c = variables_.find(c->canonical);
    if (c && c->kind == Kind::Existential && c->computed_at)
      type = variables_.substitute(
          type, v,
          variable(
              variables_.arena(),
              variables_.unknown(*c->computed_at, "is an unknown size returned by a function")));
  }
  return type;
}

} // namespace sinter::check
