// Unification of sizes, as far as inference needs it, and the type of a value that is one of two.
#include "lang/check/types/inference.h"
#include "lang/check/types/variables.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

namespace {

/// The pairs of names (or numbers) that stand in the same places of two expressions that are built
/// alike; false if they are not.
bool pair_names(const syntax::Expr* a, const syntax::Expr* b,
                std::vector<std::pair<const syntax::Expr*, const syntax::Expr*>>& pairs) {
  while (const auto* inner = std::get_if<syntax::Parenthesized>(&a->node))
    a = inner->inner;
  while (const auto* inner = std::get_if<syntax::Parenthesized>(&b->node))
    b = inner->inner;
  if (std::holds_alternative<syntax::VariableExpr>(a->node) ||
      std::holds_alternative<syntax::VariableExpr>(b->node)) {
    pairs.emplace_back(a, b);
    return true;
  }
  if (const auto* x = std::get_if<syntax::ApplyExpr>(&a->node)) {
    const auto* y = std::get_if<syntax::ApplyExpr>(&b->node);
    if (!y || x->arguments.size() != y->arguments.size()) return false;
    if (!pair_names(x->function, y->function, pairs)) return false;
    for (std::size_t i = 0; i < x->arguments.size(); ++i)
      if (!pair_names(x->arguments[i], y->arguments[i], pairs)) return false;
    return true;
  }
  if (const auto* x = std::get_if<syntax::BinaryExpr>(&a->node)) {
    const auto* y = std::get_if<syntax::BinaryExpr>(&b->node);
    return y && x->variable == y->variable && pair_names(x->left, y->left, pairs) &&
           pair_names(x->right, y->right, pairs);
  }
  if (const auto* x = std::get_if<syntax::IntegerLiteral>(&a->node)) {
    const auto* y = std::get_if<syntax::IntegerLiteral>(&b->node);
    return y && x->value == y->value;
  }
  return false;
}

/// What a name in a size expression stands for; null for any other part of it.
const Size* stands_for(const ExpressionSize& size, const syntax::Expr* name) {
  const auto* variable = std::get_if<syntax::VariableExpr>(&name->node);
  if (!variable || variable->field_count > 0) return nullptr;
  for (const auto& [bound, meaning] : size.substitution)
    if (bound == variable->variable) return meaning;
  return nullptr;
}

/// Whether the names in a size expression still stand for themselves.
bool is_as_written(const ExpressionSize& size) {
  return std::all_of(size.substitution.begin(), size.substitution.end(), [](const auto& pair) {
    const auto* variable = std::get_if<VariableSize>(&resolve(pair.second)->node);
    return variable && variable->variable == pair.first;
  });
}

/// Whether two sizes are the same as far as their structure tells.
bool same_size(const Size* a, const Size* b) {
  a = resolve(a);
  b = resolve(b);
  if (a == b) return true;
  if (!a || !b || a->node.index() != b->node.index()) return false;
  if (const auto* x = std::get_if<ConstantSize>(&a->node))
    return x->value == std::get<ConstantSize>(b->node).value;
  if (const auto* x = std::get_if<VariableSize>(&a->node))
    return x->variable == std::get<VariableSize>(b->node).variable;
  if (const auto* x = std::get_if<OperationSize>(&a->node)) {
    const auto& y = std::get<OperationSize>(b->node);
    return x->op == y.op && same_size(x->left, y.left) && same_size(x->right, y.right);
  }
  return false;
}

} // namespace

void Inference::unify_sizes(const Size* a, const Size* b) {
  if (ignore_sizes_) return;
  a = resolve(a);
  b = resolve(b);
  if (a == b || !a || !b) return;
  const auto* meta_a = std::get_if<MetaSize>(&a->node);
  const auto* meta_b = std::get_if<MetaSize>(&b->node);
  if (meta_a && !meta_a->frozen) return solve_size(a, b);
  if (meta_b && !meta_b->frozen) return solve_size(b, a);
  if (const auto* x = std::get_if<OperationSize>(&a->node)) {
    const auto* y = std::get_if<OperationSize>(&b->node);
    if (y && x->op == y->op) {
      unify_sizes(x->left, y->left);
      unify_sizes(x->right, y->right);
    }
  } else if (const auto* e = std::get_if<ExpressionSize>(&a->node)) {
    std::vector<std::pair<const syntax::Expr*, const syntax::Expr*>> names;
    const auto* f = std::get_if<ExpressionSize>(&b->node);
    if (f && pair_names(e->expression, f->expression, names))
      for (const auto& [x, y] : names) {
        auto size_at = [&](const ExpressionSize& whole, const syntax::Expr* part) {
          const bool is_name = std::holds_alternative<syntax::VariableExpr>(part->node);
          return is_name || !is_as_written(whole) ? stands_for(whole, part) : size_of(*part);
        };
        const Size* left = size_at(*e, x);
        const Size* right = size_at(*f, y);
        if (left && right) unify_sizes(left, right);
      }
  }
  switch (size_policy_) {
  case SizePolicy::Lenient:
    return;
  }
}

void Inference::solve_size(const Size* unknown, const Size* size) {
  MetaSize& target = meta(unknown);
  bool in_scope = true;
  std::vector<MetaSize*> inner;
  std::size_t fuel = 50'000;
  std::function<void(const Size*)> visit = [&](const Size* s) {
    if (fuel-- == 0) throw TooLarge{TooLarge::What::Sizes};
    s = resolve(s);
    if (const auto* m = std::get_if<MetaSize>(&s->node)) {
      if (s == unknown || (m->frozen && m->level > target.level)) in_scope = false;
      inner.push_back(&meta(s));
    } else if (const auto* v = std::get_if<VariableSize>(&s->node)) {
      if (v->variable->level > target.level) in_scope = false;
    } else if (const auto* o = std::get_if<OperationSize>(&s->node)) {
      visit(o->left);
      visit(o->right);
    } else if (const auto* e = std::get_if<ExpressionSize>(&s->node)) {
      for (const auto& pair : e->substitution)
        visit(pair.second);
    }
  };
  visit(size);
  if (!in_scope) {
    // What the size is known to equal may be in scope.
    if (const auto* v = std::get_if<VariableSize>(&size->node))
      if (auto known = known_sizes_.find(v->variable); known != known_sizes_.end())
        unify_sizes(unknown, known->second);
    return;
  }
  for (MetaSize* m : inner)
    if (!m->frozen) m->level = std::min(m->level, target.level);
  target.link = size;
}

// ---- one type for two ---------------------------------------------------------------------------

const Type* Inference::join(const Type* a, const Type* b) {
  Joined joined;
  return join(a, b, joined);
}

const Type* Inference::join(const Type* a, const Type* b, Joined& known) {
  require_stack();
  a = look_through(a);
  b = look_through(b);
  if (a == b) return a;
  if (!has_parts(a)) return join_parts(a, b, known);
  auto [place, is_new] = known.emplace(std::pair(a, b), nullptr);
  if (is_new) place->second = join_parts(a, b, known);
  return place->second;
}

const Type* Inference::join_parts(const Type* a, const Type* b, Joined& known) {
  if (const auto* x = std::get_if<ArrayType>(&a->node)) {
    if (const auto* y = std::get_if<ArrayType>(&b->node)) {
      const Type* element = join(x->element, y->element, known);
      const Size *m = resolve(x->size), *n = resolve(y->size);
      auto open = [](const Size* s) {
        const auto* size_meta = std::get_if<MetaSize>(&s->node);
        return size_meta && !size_meta->frozen;
      };
      if (open(m) || open(n)) unify_sizes(m, n);
      if (same_size(m, n)) return element == x->element ? a : array(arena(), m, element);
      return array(arena(), new_unknown_size(), element);
    }
  } else if (const auto* r = std::get_if<RecordType>(&a->node)) {
    const auto* s = std::get_if<RecordType>(&b->node);
    if (s && r->fields.size() == s->fields.size()) {
      std::vector<Field> fields;
      bool changed = false;
      for (std::size_t i = 0; i < r->fields.size(); ++i) {
        fields.push_back({r->fields[i].name, join(r->fields[i].type, s->fields[i].type, known)});
        changed = changed || fields.back().type != r->fields[i].type;
      }
      return changed ? record_like(arena(), *r, std::move(fields)) : a;
    }
  } else if (const auto* c = std::get_if<SumType>(&a->node)) {
    const auto* d = std::get_if<SumType>(&b->node);
    if (d && c->constructors.size() == d->constructors.size()) {
      std::vector<Constructor> constructors;
      bool changed = false;
      for (std::size_t i = 0; i < c->constructors.size(); ++i) {
        const Constructor &x = c->constructors[i], &y = d->constructors[i];
        Constructor joined{x.name, {}};
        for (std::size_t j = 0; j < x.payload.size() && j < y.payload.size(); ++j) {
          joined.payload.push_back(join(x.payload[j], y.payload[j], known));
          changed = changed || joined.payload.back() != x.payload[j];
        }
        constructors.push_back(std::move(joined));
      }
      return changed ? sum(arena(), std::move(constructors)) : a;
    }
  } else if (std::holds_alternative<ErrorType>(a->node)) {
    return b;
  }
  return a;
}

} // namespace sinter::check
