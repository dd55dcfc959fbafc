// Equations between the sizes of two types of one shape.
#include "lang/check/sizes/size_unifier.h"

#include "lang/check/sizes/terms.h"
#include "lang/check/types/variables.h"
#include "lang/types/facts.h"
#include "lang/types/rewrite.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

using Kind = SizeConstraint::Kind;

namespace {

bool among(const Variable* variable, const SizeUnifier::Variables& list) {
  return std::find(list.begin(), list.end(), variable) != list.end();
}

bool mentions_any(const Size* size, const SizeUnifier::Variables& list) {
  bool found = false;
  if (!list.empty())
    for_each_variable(size, [&](const Variable* v) { found = found || among(v, list); });
  return found;
}

} // namespace

/// Calls `on_sizes` for each pair of sizes.  Inference has made sure that the types have one shape;
/// where they do not (after an error), nothing is said.
void SizeUnifier::walk(const Type* a, const Type* b, bool swapped, Variables& bound,
                       const OnSizes& on_sizes, Span span) {
  a = look_through(a);
  b = look_through(b);
  if (a == b) return;
  auto sizes = [&](const Size* x, const Size* y) {
    if (swapped) std::swap(x, y);
    on_sizes(bound, variables_.normalise(x), variables_.normalise(y));
  };
  if (const auto* x = std::get_if<ArrayType>(&a->node)) {
    const auto* y = std::get_if<ArrayType>(&b->node);
    if (!y) return;
    sizes(x->size, y->size);
    walk(x->element, y->element, swapped, bound, on_sizes, span);
  } else if (const auto* r = std::get_if<RecordType>(&a->node)) {
    const auto* s = std::get_if<RecordType>(&b->node);
    if (!s) return;
    for (std::size_t i = 0; i < r->fields.size() && i < s->fields.size(); ++i)
      walk(r->fields[i].type, s->fields[i].type, swapped, bound, on_sizes, span);
  } else if (const auto* c = std::get_if<SumType>(&a->node)) {
    const auto* d = std::get_if<SumType>(&b->node);
    if (!d) return;
    for (const Constructor& constructor : c->constructors) {
      const Constructor* other = find_constructor(d->constructors, constructor.name);
      if (!other) continue;
      for (std::size_t j = 0; j < constructor.payload.size() && j < other->payload.size(); ++j)
        walk(constructor.payload[j], other->payload[j], swapped, bound, on_sizes, span);
    }
  } else if (const auto* n = std::get_if<NamedType>(&a->node)) {
    const auto* m = std::get_if<NamedType>(&b->node);
    if (!m) return;
    for (std::size_t i = 0; i < n->arguments.size() && i < m->arguments.size(); ++i) {
      const TypeArgument &x = n->arguments[i], &y = m->arguments[i];
      if (x.type && y.type)
        walk(x.type, y.type, swapped, bound, on_sizes, span);
      else if (x.size && y.size)
        sizes(x.size, y.size);
    }
  } else if (const auto* f = std::get_if<FunctionType>(&a->node)) {
    if (const auto* g = std::get_if<FunctionType>(&b->node))
      walk_functions(*f, *g, swapped, bound, on_sizes, span);
  }
}

void SizeUnifier::walk_functions(const FunctionType& a, const FunctionType& b, bool swapped,
                                 Variables& bound, const OnSizes& on_sizes, Span span) {
  // The existentials take part as sizes: those of the expected type can be solved.
  Constraints before;
  auto introduce = [&](const FunctionType& function, Kind kind) {
    for (const Variable* v : function.existentials) {
      if (const SizeConstraint* c = variables_.find(v)) before.emplace(v, *c);
      variables_.constrain(v, kind, {},
                           kind == Kind::Unknown ? "is an existential size of a function's result"
                                                 : "");
    }
  };
  introduce(a, swapped ? Kind::Unknown : Kind::Flexible);
  introduce(b, swapped ? Kind::Flexible : Kind::Unknown);
  const std::size_t count = bound.size();
  walk(a.parameter, b.parameter, !swapped, bound, on_sizes, span);
  const Type* result = b.result;
  if (a.parameter_variable && b.parameter_variable && a.parameter_variable != b.parameter_variable)
    result = variables_.substitute(result, b.parameter_variable,
                                   variable(variables_.arena(), a.parameter_variable));
  for (const Variable* name : {a.parameter_variable, b.parameter_variable})
    if (name) bound.push_back(name);
  Variables binders = a.existentials;
  binders.insert(binders.end(), b.existentials.begin(), b.existentials.end());
  bound.insert(bound.end(), binders.begin(), binders.end());
  walk(a.result, result, swapped, bound, on_sizes, span);
  bound.resize(count);
  absorb_bound(binders, before, span);
  for (const Variable* v : binders)
    variables_.forget(v);
}

void SizeUnifier::unify(const Type* expected, const Type* found, Span span) {
  Variables bound;
  walk(
      expected, found, false, bound,
      [&](const Variables& names, const Size* a, const Size* b) { unify_sizes(names, a, b, span); },
      span);
}

std::vector<std::pair<const Size*, const Size*>> SizeUnifier::pairs(const Type* a, const Type* b) {
  std::vector<std::pair<const Size*, const Size*>> result;
  Variables bound;
  walk(a, b, false, bound,
       [&](const Variables&, const Size* x, const Size* y) { result.emplace_back(x, y); }, {});
  return result;
}

void SizeUnifier::unify_sizes(const Variables& bound, const Size* a, const Size* b, Span span) {
  // Equations solved on the way count for the rest of a size.
  a = variables_.normalise(a);
  b = variables_.normalise(b);
  if (auto parts = similar_sizes(a, b)) {
    for (const auto& [x, y] : *parts)
      unify_sizes(bound, x, y, span);
    return;
  }
  const Variable *v = as_variable(a), *w = as_variable(b);
  if (v && variables_.is_flexible(v) && (!mentions_any(b, bound) || among(v, bound)))
    return solve(v, b, bound);
  if (w && variables_.is_flexible(w) && (!mentions_any(a, bound) || among(w, bound)))
    return solve(w, a, bound);
  bool linked = link_to_binder(bound, a, b);
  linked = link_to_binder(bound, b, a) || linked;
  if (linked) return;
  bool absorbed = absorb(bound, a, b, span);
  absorbed = absorb(bound, b, a, span) || absorbed;
  if (absorbed) return;
  throw mismatch(bound, a, b);
}

SizeMismatch SizeUnifier::mismatch(const Variables& bound, const Size* a, const Size* b) {
  SizeMismatch result{"size-mismatch",
                      "Sizes \"" + variables_.show(a) + "\" and \"" + variables_.show(b) +
                          "\" do not match.",
                      {}};
  for (const Size* size : {a, b})
    for (Note& note : variables_.notes(size))
      result.notes.push_back(std::move(note));
  auto instance_meets_bound = [&](const Size* size, const Size* other) {
    const Variable* variable = as_variable(size);
    const SizeConstraint* c = variable ? variables_.find(variable) : nullptr;
    return c && mentions_any(other, bound) &&
           (c->kind == Kind::Instance || c->kind == Kind::Copy || c->kind == Kind::Existential);
  };
  if (instance_meets_bound(a, b) || instance_meets_bound(b, a))
    result.message += " This is because a type parameter would be instantiated with a type "
                      "containing anonymous sizes.";
  return result;
}

/// A fresh size may stand for the name of a parameter in its own type.
bool SizeUnifier::link_to_binder(const Variables& bound, const Size* size, const Size* other) {
  const Variable* v = as_variable(size);
  if (!v || among(v, bound) || !mentions_any(other, bound)) return false;
  SizeConstraint* c = variables_.find(v);
  if (!c || (c->kind != Kind::Instance && c->kind != Kind::Copy)) return false;
  bool all = true;
  for_each_variable(other, [&](const Variable* name) {
    if (among(name, bound)) all = all && variables_.is_bound_in_instance(name);
  });
  if (!all) return false;
  c->kind = Kind::Flexible;
  c->solution = other;
  return true;
}

/// An instance's size that meets one which the other type binds is existential.
bool SizeUnifier::absorb(const Variables& bound, const Size* size, const Size* other, Span span) {
  const Variable* v = as_variable(size);
  if (!v || among(v, bound) || !mentions_any(other, bound)) return false;
  SizeConstraint* c = variables_.find_canonical(v);
  if (!c) return false;
  if (c->kind == Kind::Existential) return true;
  if (c->kind != Kind::Instance || c->lifting == Lifting::None) return false;
  c->kind = Kind::Existential;
  c->absorbed = as_variable(other);
  for_each_variable(other, [&](const Variable* name) {
    const SizeConstraint* its = variables_.find(name);
    if (!c->computed_at && its && its->kind == Kind::Unknown)
      c->computed_at = its->span.is_known() ? its->span : span;
  });
  return true;
}

/// A function's existential that was found to be an instance's size makes that one existential: so
/// a hole takes over an existential from the type that it must have.
void SizeUnifier::absorb_bound(const Variables& binders, const Constraints& before, Span span) {
  for (const Variable* binder : binders) {
    const SizeConstraint* c = variables_.find(binder);
    if (!c || !c->solution) continue;
    const Variable* v = as_variable(variables_.normalise(c->solution));
    SizeConstraint* target = v ? variables_.find_canonical(v) : nullptr;
    if (!target || target->kind != Kind::Instance || target->lifting == Lifting::None) continue;
    target->kind = Kind::Existential;
    target->absorbed = binder;
    if (auto old = before.find(binder); old != before.end() && old->second.kind == Kind::Unknown)
      target->computed_at = old->second.span.is_known() ? old->second.span : span;
  }
}

void SizeUnifier::solve(const Variable* v, const Size* size, const Variables& bound) {
  // In terms of first occurrences: both what is solved and what it becomes.
  if (const SizeConstraint* c = variables_.find(v); c && c->kind == Kind::Copy) v = c->canonical;
  class Canonical : public Rewriter {
  public:
    explicit Canonical(SizeVariables& variables)
        : Rewriter(variables.arena()), variables_(variables) {}

  protected:
    const Size* on_variable(const Size* old, const Variable* other) override {
      const SizeConstraint* c = variables_.find(other);
      return c && c->kind == Kind::Copy ? variable(arena_, c->canonical) : old;
    }

  private:
    SizeVariables& variables_;
  };
  size = variables_.normalise(Canonical(variables_).size(size));
  SizeConstraint& target = *variables_.find(v);
  if (target.solution) { // a copy's first occurrence was solved meanwhile
    Variables none;
    return unify_sizes(none, target.solution, size, target.span);
  }
  if (as_variable(size) == v) return;
  for_each_variable(size, [&](const Variable* other) {
    if (other == v)
      throw SizeMismatch{"occurs-check",
                         "Occurs check: cannot instantiate \"" + variables_.show(v) + "\" with \"" +
                             variables_.show(size) + "\".",
                         variables_.notes(size)};
    SizeConstraint* its = variables_.find(other);
    if (!its || its->level < target.level) return;
    if (among(other, bound)) return; // at home in the same type
    if (its->kind == Kind::Parameter)
      throw SizeMismatch{"scope-violation",
                         "Cannot link size \"" + variables_.show(v) + "\" to \"" +
                             variables_.show(size) + "\". This is because \"" +
                             variables_.show(other) + "\" is not in scope when \"" +
                             variables_.show(v) + "\" is introduced.",
                         {{its->span, "\"" + variables_.show(other) + "\" is bound here"}}};
    its->level = target.level;
  });
  target.kind = Kind::Flexible;
  target.solution = size;
}

} // namespace sinter::check
