// The type of a value that is one of two.
#include "lang/check/sizes/size_unifier.h"
#include "lang/check/sizes/terms.h"
#include "lang/check/types/variables.h"
#include "lang/types/build.h"
#include "lang/types/facts.h"
#include "lang/types/rewrite.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

using Kind = SizeConstraint::Kind;

namespace {

bool mentions_bound(const Size* size, const SizeVariables::List& bound) {
  bool found = false;
  if (!bound.empty())
    for_each_variable(size, [&](const Variable* v) {
      found = found || std::find(bound.begin(), bound.end(), v) != bound.end();
    });
  return found;
}

/// Two types in one: where their sizes differ it has a new unknown size, the same for the same two.
class Merger {
public:
  Merger(SizeVariables& variables, const Type* a, const Type* b, Span span,
         SizeVariables::List& made)
      : variables_(variables), a_(variables.normalise(a)), b_(variables.normalise(b)), span_(span),
        made_(made) {
    source_ = "is unknown as the branches differ: one is of type \"" + variables_.show(a_) +
              "\", the other of type \"" + variables_.show(b_) + "\"";
  }

  const Type* merged() { return merge(a_, b_); }

private:
  const Size* size(const Size* x, const Size* y) {
    if (same_size(x, y)) return x;
    for (const auto& [pair, known] : known_)
      if (same_size(pair.first, x) && same_size(pair.second, y)) return known;
    const Variable* unknown = variables_.unknown(span_, source_);
    made_.push_back(unknown);
    known_.emplace_back(std::pair(x, y), variable(variables_.arena(), unknown));
    return known_.back().second;
  }

  const Type* merge(const Type* a, const Type* b) {
    a = look_through(a);
    b = look_through(b);
    if (a == b) return a;
    if (const auto* x = std::get_if<ArrayType>(&a->node)) {
      const auto* y = std::get_if<ArrayType>(&b->node);
      if (!y) return a;
      const Size* extent = size(x->size, y->size);
      return array(variables_.arena(), extent, merge(x->element, y->element));
    }
    if (const auto* r = std::get_if<RecordType>(&a->node)) {
      const auto* s = std::get_if<RecordType>(&b->node);
      if (!s || s->fields.size() != r->fields.size()) return a;
      std::vector<Field> fields;
      for (std::size_t i = 0; i < r->fields.size(); ++i)
        fields.push_back({r->fields[i].name, merge(r->fields[i].type, s->fields[i].type)});
      return record_like(variables_.arena(), *r, std::move(fields));
    }
    if (const auto* c = std::get_if<SumType>(&a->node)) {
      const auto* d = std::get_if<SumType>(&b->node);
      if (!d || d->constructors.size() != c->constructors.size()) return a;
      std::vector<Constructor> constructors;
      for (std::size_t i = 0; i < c->constructors.size(); ++i) {
        const Constructor &x = c->constructors[i], &y = d->constructors[i];
        constructors.push_back({x.name, {}});
        for (std::size_t j = 0; j < x.payload.size() && j < y.payload.size(); ++j)
          constructors.back().payload.push_back(merge(x.payload[j], y.payload[j]));
      }
      return variables_.arena().make<Type>(SumType{std::move(constructors)});
    }
    if (const auto* n = std::get_if<NamedType>(&a->node)) {
      const auto* m = std::get_if<NamedType>(&b->node);
      if (!m || m->arguments.size() != n->arguments.size()) return a;
      std::vector<TypeArgument> arguments;
      for (std::size_t i = 0; i < n->arguments.size(); ++i) {
        const TypeArgument &x = n->arguments[i], &y = m->arguments[i];
        if (x.type && y.type)
          arguments.push_back({merge(x.type, y.type), nullptr});
        else if (x.size && y.size)
          arguments.push_back({nullptr, size(x.size, y.size)});
        else
          arguments.push_back(x);
      }
      return named(variables_.arena(), n->name, std::move(arguments));
    }
    return a;
  }

  SizeVariables& variables_;
  const Type* a_;
  const Type* b_;
  Span span_;
  SizeVariables::List& made_;
  std::string source_;
  std::vector<std::pair<std::pair<const Size*, const Size*>, const Size*>> known_;
};

} // namespace

/// Whether `solve` would not fail.
bool SizeUnifier::can_solve(const Variable* v, const Variables& bound, const Size* size) {
  const SizeConstraint* c = variables_.find(v);
  if (c && c->kind == Kind::Copy) c = variables_.find(c->canonical);
  if (!c || c->is_for_callers || mentions_bound(size, bound)) return false;
  bool can = true;
  for_each_variable(size, [&](const Variable* other) {
    const SizeConstraint* d = variables_.find(other);
    can = can && other != v && (!d || d->level <= c->level) &&
          !(d && d->kind == Kind::Parameter && d->level >= c->level);
  });
  return can;
}

const Type* SizeUnifier::unify_branches(const Type* a, const Type* b, Span span, Variables& made) {
  std::function<void(const Variables&, const Size*, const Size*)> on_sizes =
      [&](const Variables& bound, const Size* x, const Size* y) {
        if (auto parts = similar_sizes(x, y)) {
          for (const auto& [p, q] : *parts)
            on_sizes(bound, variables_.normalise(p), variables_.normalise(q));
          return;
        }
        const Variable *v = as_variable(x), *w = as_variable(y);
        if (v && variables_.is_flexible(v) && can_solve(v, bound, y)) return solve(v, y, bound);
        if (w && variables_.is_flexible(w) && can_solve(w, bound, x)) return solve(w, x, bound);
      };
  Variables bound;
  walk(a, b, false, bound, on_sizes, span);
  return Merger(variables_, a, b, span, made).merged();
}

} // namespace sinter::check
