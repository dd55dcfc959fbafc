// Equations between the sizes of two types of one shape.
#include "lang/check/sizes/size_solver.h"
#include "lang/check/types/variables.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

using Kind = SizeConstraint::Kind;

namespace {

bool among(const Variable* variable, const SizeSolver::Variables& list) {
  return std::find(list.begin(), list.end(), variable) != list.end();
}

bool mentions_any(const Size* size, const SizeSolver::Variables& list) {
  bool found = false;
  if (!list.empty())
    for_each_variable(size, [&](const Variable* v) { found = found || among(v, list); });
  return found;
}

} // namespace

/// Calls `on_sizes` for each pair of sizes.  Inference has made sure that the types have one shape;
/// where they do not (after an error), nothing is said.
void SizeSolver::walk(const Type* a, const Type* b, bool swapped, Variables& bound,
                      const OnSizes& on_sizes, Span span) {
  a = look_through(a);
  b = look_through(b);
  if (a == b) return;
  auto sizes = [&](const Size* x, const Size* y) {
    if (swapped) std::swap(x, y);
    on_sizes(bound, normalise(x), normalise(y));
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
    const auto* g = std::get_if<FunctionType>(&b->node);
    if (!g) return;
    // The existentials take part as sizes: those of the expected type can be solved.
    std::map<const Variable*, SizeConstraint> before;
    auto introduce = [&](const FunctionType& function, Kind kind) {
      for (const Variable* v : function.existentials) {
        if (const SizeConstraint* c = find(v)) before.emplace(v, *c);
        constrain(v, kind, {},
                  kind == Kind::Unknown ? "is an existential size of a function's result" : "");
      }
    };
    introduce(*f, swapped ? Kind::Unknown : Kind::Flexible);
    introduce(*g, swapped ? Kind::Flexible : Kind::Unknown);
    const std::size_t count = bound.size();
    walk(f->parameter, g->parameter, !swapped, bound, on_sizes, span);
    const Type* result = g->result;
    if (f->parameter_variable && g->parameter_variable &&
        f->parameter_variable != g->parameter_variable)
      result = substitute(result, g->parameter_variable, variable(arena(), f->parameter_variable));
    for (const Variable* name : {f->parameter_variable, g->parameter_variable})
      if (name) bound.push_back(name);
    Variables binders = f->existentials;
    binders.insert(binders.end(), g->existentials.begin(), g->existentials.end());
    bound.insert(bound.end(), binders.begin(), binders.end());
    walk(f->result, result, swapped, bound, on_sizes, span);
    bound.resize(count);
    absorb_bound(binders, before, span);
    for (const Variable* v : binders)
      constraints_.erase(v);
  }
}

void SizeSolver::unify(const Type* expected, const Type* found, Span span) {
  Variables bound;
  walk(
      expected, found, false, bound,
      [&](const Variables& names, const Size* a, const Size* b) { unify_sizes(names, a, b, span); },
      span);
}

std::vector<std::pair<const Size*, const Size*>> SizeSolver::pairs(const Type* a, const Type* b) {
  std::vector<std::pair<const Size*, const Size*>> result;
  Variables bound;
  walk(a, b, false, bound,
       [&](const Variables&, const Size* x, const Size* y) { result.emplace_back(x, y); }, {});
  return result;
}

bool SizeSolver::same(const Size* a, const Size* b) {
  auto parts = similar_sizes(a, b);
  return parts && std::all_of(parts->begin(), parts->end(),
                              [&](const auto& pair) { return same(pair.first, pair.second); });
}

void SizeSolver::unify_sizes(const Variables& bound, const Size* a, const Size* b, Span span) {
  // Equations solved on the way count for the rest of a size.
  a = normalise(a);
  b = normalise(b);
  if (auto parts = similar_sizes(a, b)) {
    for (const auto& [x, y] : *parts)
      unify_sizes(bound, x, y, span);
    return;
  }
  const Variable *v = as_variable(a), *w = as_variable(b);
  if (v && is_flexible(v) && (!mentions_any(b, bound) || among(v, bound)))
    return solve(v, b, bound);
  if (w && is_flexible(w) && (!mentions_any(a, bound) || among(w, bound)))
    return solve(w, a, bound);
  bool linked = link_to_binder(bound, a, b, span);
  linked = link_to_binder(bound, b, a, span) || linked;
  if (linked) return;
  bool absorbed = absorb(bound, a, b, span);
  absorbed = absorb(bound, b, a, span) || absorbed;
  if (absorbed) return;
  SizeMismatch mismatch{
      "size-mismatch", "Sizes \"" + show(a) + "\" and \"" + show(b) + "\" do not match.", {}};
  for (const Size* size : {a, b})
    for (Note& note : notes(size))
      mismatch.notes.push_back(std::move(note));
  auto instance_meets_bound = [&](const Size* size, const Size* other) {
    const Variable* variable = as_variable(size);
    const SizeConstraint* c = variable ? find(variable) : nullptr;
    return c && mentions_any(other, bound) &&
           (c->kind == Kind::Instance || c->kind == Kind::Copy || c->kind == Kind::Existential);
  };
  if (instance_meets_bound(a, b) || instance_meets_bound(b, a))
    mismatch.message += " This is because a type parameter would be instantiated with a type "
                        "containing anonymous sizes.";
  throw mismatch;
}

/// A fresh size may stand for the name of a parameter in its own type.
bool SizeSolver::link_to_binder(const Variables& bound, const Size* size, const Size* other, Span) {
  const Variable* v = as_variable(size);
  if (!v || among(v, bound) || !mentions_any(other, bound)) return false;
  auto found = constraints_.find(v);
  if (found == constraints_.end()) return false;
  if (found->second.kind != Kind::Instance && found->second.kind != Kind::Copy) return false;
  bool all = true;
  for_each_variable(other, [&](const Variable* name) {
    if (!among(name, bound)) return;
    all = all && binders_.contains(name);
  });
  if (!all) return false;
  found->second.kind = Kind::Flexible;
  found->second.solution = other;
  return true;
}

/// An instance's size that meets one which the other type binds is existential.
bool SizeSolver::absorb(const Variables& bound, const Size* size, const Size* other, Span span) {
  const Variable* v = as_variable(size);
  if (!v || among(v, bound) || !mentions_any(other, bound)) return false;
  auto found = constraints_.find(v);
  if (found == constraints_.end()) return false;
  if (found->second.kind == Kind::Copy) found = constraints_.find(found->second.canonical);
  if (found == constraints_.end()) return false;
  SizeConstraint& c = found->second;
  if (c.kind == Kind::Existential) return true;
  if (c.kind != Kind::Instance || c.lifting == Lifting::None) return false;
  c.kind = Kind::Existential;
  c.absorbed = as_variable(other);
  for_each_variable(other, [&](const Variable* name) {
    const SizeConstraint* its = find(name);
    if (!c.computed_at && its && its->kind == Kind::Unknown)
      c.computed_at = its->span.is_known() ? its->span : span;
  });
  return true;
}

/// A function's existential that was found to be an instance's size makes that one existential: so
/// a hole takes over an existential from the type that it must have.
void SizeSolver::absorb_bound(const Variables& binders,
                              const std::map<const Variable*, SizeConstraint>& before, Span span) {
  for (const Variable* binder : binders) {
    const SizeConstraint* c = find(binder);
    if (!c || !c->solution) continue;
    const Variable* v = as_variable(normalise(c->solution));
    auto found = v ? constraints_.find(v) : constraints_.end();
    if (found == constraints_.end()) continue;
    if (found->second.kind == Kind::Copy) found = constraints_.find(found->second.canonical);
    if (found == constraints_.end()) continue;
    SizeConstraint& target = found->second;
    if (target.kind != Kind::Instance || target.lifting == Lifting::None) continue;
    target.kind = Kind::Existential;
    target.absorbed = binder;
    if (auto old = before.find(binder); old != before.end() && old->second.kind == Kind::Unknown)
      target.computed_at = old->second.span.is_known() ? old->second.span : span;
  }
}

void SizeSolver::solve(const Variable* v, const Size* size, const Variables& bound) {
  // In terms of first occurrences: both what is solved and what it becomes.
  if (const SizeConstraint* c = find(v); c && c->kind == Kind::Copy) v = c->canonical;
  class Canonical : public Rewriter {
  public:
    Canonical(SizeSolver& solver) : Rewriter(solver.arena()), solver_(solver) {}

  protected:
    const Size* on_variable(const Size* old, const Variable* other) override {
      const SizeConstraint* c = solver_.find(other);
      return c && c->kind == Kind::Copy ? variable(arena_, c->canonical) : old;
    }

  private:
    SizeSolver& solver_;
  };
  size = normalise(Canonical(*this).size(size));
  SizeConstraint& target = constraints_.at(v);
  if (target.solution) { // a copy's first occurrence was solved meanwhile
    Variables none;
    return unify_sizes(none, target.solution, size, target.span);
  }
  if (as_variable(size) == v) return;
  for_each_variable(size, [&](const Variable* other) {
    if (other == v)
      throw SizeMismatch{"occurs-check",
                         "Occurs check: cannot instantiate \"" + show(v) + "\" with \"" +
                             show(size) + "\".",
                         notes(size)};
    auto found = constraints_.find(other);
    if (found == constraints_.end() || found->second.level < target.level) return;
    if (among(other, bound)) return; // at home in the same type
    if (found->second.kind == Kind::Parameter)
      throw SizeMismatch{"scope-violation",
                         "Cannot link size \"" + show(v) + "\" to \"" + show(size) +
                             "\". This is because \"" + show(other) + "\" is not in scope when \"" +
                             show(v) + "\" is introduced.",
                         {{found->second.span, "\"" + show(other) + "\" is bound here"}}};
    found->second.level = target.level;
  });
  target.kind = Kind::Flexible;
  target.solution = size;
}

// ---- branches ----------------------------------------------------------------------------------

/// Whether `solve` would not fail.
bool SizeSolver::can_solve(const Variable* v, const Variables& bound, const Size* size) {
  const SizeConstraint* c = find(v);
  if (c && c->kind == Kind::Copy) c = find(c->canonical);
  if (!c || c->is_for_callers || mentions_any(size, bound)) return false;
  bool can = true;
  for_each_variable(size, [&](const Variable* other) {
    const SizeConstraint* d = find(other);
    can = can && other != v && (!d || d->level <= c->level) &&
          !(d && d->kind == Kind::Parameter && d->level >= c->level);
  });
  return can;
}

const Type* SizeSolver::unify_branches(const Type* a, const Type* b, Span span, Variables& made) {
  std::function<void(const Variables&, const Size*, const Size*)> on_sizes =
      [&](const Variables& bound, const Size* x, const Size* y) {
        if (auto parts = similar_sizes(x, y)) {
          for (const auto& [p, q] : *parts)
            on_sizes(bound, normalise(p), normalise(q));
          return;
        }
        const Variable *v = as_variable(x), *w = as_variable(y);
        if (v && is_flexible(v) && can_solve(v, bound, y)) return solve(v, y, bound);
        if (w && is_flexible(w) && can_solve(w, bound, x)) return solve(w, x, bound);
      };
  Variables bound;
  walk(a, b, false, bound, on_sizes, span);
  a = normalise(a);
  b = normalise(b);
  merged_.clear();
  std::string source = "is unknown as the branches differ: one is of type \"" + show(a) +
                       "\", the other of type \"" + show(b) + "\"";
  return merge(a, b, span, made, source);
}

const Type* SizeSolver::merge(const Type* a, const Type* b, Span span, Variables& made,
                              const std::string& source) {
  a = look_through(a);
  b = look_through(b);
  if (a == b) return a;
  auto size = [&](const Size* x, const Size* y) {
    if (same(x, y)) return x;
    for (const auto& [pair, known] : merged_)
      if (same(pair.first, x) && same(pair.second, y)) return known;
    const Variable* unknown = this->unknown(span, source);
    made.push_back(unknown);
    return merged_[{x, y}] = variable(arena(), unknown);
  };
  if (const auto* x = std::get_if<ArrayType>(&a->node)) {
    const auto* y = std::get_if<ArrayType>(&b->node);
    if (!y) return a;
    const Size* extent = size(x->size, y->size);
    return array(arena(), extent, merge(x->element, y->element, span, made, source));
  }
  if (const auto* r = std::get_if<RecordType>(&a->node)) {
    const auto* s = std::get_if<RecordType>(&b->node);
    if (!s || s->fields.size() != r->fields.size()) return a;
    std::vector<Field> fields;
    for (std::size_t i = 0; i < r->fields.size(); ++i)
      fields.push_back(
          {r->fields[i].name, merge(r->fields[i].type, s->fields[i].type, span, made, source)});
    return record_like(arena(), *r, std::move(fields));
  }
  if (const auto* c = std::get_if<SumType>(&a->node)) {
    const auto* d = std::get_if<SumType>(&b->node);
    if (!d || d->constructors.size() != c->constructors.size()) return a;
    std::vector<Constructor> constructors;
    for (std::size_t i = 0; i < c->constructors.size(); ++i) {
      const Constructor &x = c->constructors[i], &y = d->constructors[i];
      constructors.push_back({x.name, {}});
      for (std::size_t j = 0; j < x.payload.size() && j < y.payload.size(); ++j)
        constructors.back().payload.push_back(
            merge(x.payload[j], y.payload[j], span, made, source));
    }
    return arena().make<Type>(SumType{std::move(constructors)});
  }
  if (const auto* n = std::get_if<NamedType>(&a->node)) {
    const auto* m = std::get_if<NamedType>(&b->node);
    if (!m || m->arguments.size() != n->arguments.size()) return a;
    std::vector<TypeArgument> arguments;
    for (std::size_t i = 0; i < n->arguments.size(); ++i) {
      const TypeArgument &x = n->arguments[i], &y = m->arguments[i];
      if (x.type && y.type)
        arguments.push_back({merge(x.type, y.type, span, made, source), nullptr});
      else if (x.size && y.size)
        arguments.push_back({nullptr, size(x.size, y.size)});
      else
        arguments.push_back(x);
    }
    return named(arena(), n->name, std::move(arguments));
  }
  return a;
}

} // namespace sinter::check
