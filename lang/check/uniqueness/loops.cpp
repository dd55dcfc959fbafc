// Loops.
//
// Which parts of its parameter a loop consumes is inferred from its body, except for those with an
// ascription, which says so with a `*`.  What the body gives back for a consumed part must be the
// next iteration's alone.  A part with a `*` that the body neither consumes nor gives back leaves
// its initial value alone: it is not consumed after all.
#include "lang/check/uniqueness/walk.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

namespace {

std::vector<const syntax::FieldPattern*> in_canonical_order(const syntax::RecordPattern& record) {
  std::vector<const syntax::FieldPattern*> fields;
  for (const syntax::FieldPattern& field : record.fields)
    fields.push_back(&field);
  std::sort(fields.begin(), fields.end(),
            [](const auto* a, const auto* b) { return field_less(a->name, b->name); });
  return fields;
}

bool contains(const std::vector<std::uint32_t>& list, std::uint32_t item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

} // namespace

// ---- the parameter -----------------------------------------------------------------------------

void UniquenessWalk::loop_leaves(const syntax::Pattern& pattern, const Type* type, bool is_unique,
                                 bool is_ascribed, std::vector<Name>& path,
                                 std::vector<LoopLeaf>& leaves) {
  Ownership whole = below_stars(type, is_unique);
  auto part = [&](Name name) {
    const auto* r = std::get_if<RecordType>(&whole.type->node);
    const Type* found = r ? find_field(r->fields, name) : nullptr;
    return found ? found : whole.type;
  };
  auto leaf = [&](LoopLeaf::Kind kind, const Variable* variable, Span span, const Type* own,
                  bool unique) {
    leaves.push_back({kind, variable, span, own, path, unique, is_ascribed,
                      is_ascribed && may_consume(own, unique)});
  };
  if (const auto* name = std::get_if<syntax::NamePattern>(&pattern.node)) {
    leaf(LoopLeaf::Kind::Name, name->variable, pattern.span, type, is_unique);
  } else if (const auto* t = std::get_if<syntax::TuplePattern>(&pattern.node)) {
    for (std::size_t i = 0; i < t->elements.size(); ++i) {
      path.push_back(tuple_field(i));
      loop_leaves(*t->elements[i], part(path.back()), whole.is_unique, is_ascribed, path, leaves);
      path.pop_back();
    }
  } else if (const auto* r = std::get_if<syntax::RecordPattern>(&pattern.node)) {
    for (const syntax::FieldPattern* field : in_canonical_order(*r)) {
      path.push_back(field->name);
      if (field->pattern)
        loop_leaves(*field->pattern, part(field->name), whole.is_unique, is_ascribed, path, leaves);
      else
        leaf(LoopLeaf::Kind::Name, field->variable, field->name_span, part(field->name),
             whole.is_unique);
      path.pop_back();
    }
  } else if (const auto* a = std::get_if<syntax::AscribePattern>(&pattern.node)) {
    loop_leaves(*a->pattern, a->type->type, false, true, path, leaves);
  } else if (const auto* p = std::get_if<syntax::ParenthesizedPattern>(&pattern.node)) {
    loop_leaves(*p->inner, type, is_unique, is_ascribed, path, leaves);
  } else if (const auto* b = std::get_if<syntax::AttributedPattern>(&pattern.node)) {
    loop_leaves(*b->pattern, type, is_unique, is_ascribed, path, leaves);
  } else if (const auto* c = std::get_if<syntax::ConstructorPattern>(&pattern.node)) {
    leaf(LoopLeaf::Kind::Constructor, nullptr, pattern.span, type, is_unique);
    for (const syntax::Pattern* argument : c->arguments)
      bind_pattern(*argument, nullptr, true);
  } else {
    leaf(LoopLeaf::Kind::Wildcard, nullptr, pattern.span, type, is_unique);
  }
}

const AliasTree* UniquenessWalk::follow(const AliasTree* tree,
                                        const std::vector<Name>& path) const {
  for (Name field : path)
    tree = arena_.field(tree, field);
  return tree;
}

void UniquenessWalk::bind_loop(const syntax::LoopExpr& node, const std::vector<LoopLeaf>& leaves) {
  for (const LoopLeaf& leaf : leaves)
    bind(leaf.variable, nullptr, !leaf.is_ascribed || leaf.is_consumed);
  if (const auto* form = std::get_if<syntax::ForIn>(&node.form)) {
    walk_sizes(*form->pattern);
    bind_pattern(*form->pattern, nullptr, false);
  }
}

// ---- what the body consumes and gives back ------------------------------------------------------

/// One look at the values for the next iteration.  Adds to `consumed` what they are consumed with.
void UniquenessWalk::check_next_values(const std::vector<LoopLeaf>& leaves,
                                       std::vector<std::uint32_t>& consumed,
                                       const syntax::Expr& body, const AliasTree* body_tree) {
  auto report = [&](std::string_view id, const LoopLeaf& leaf, const std::string& start,
                    const std::string& end) {
    Diagnostic& diagnostic = context_.diagnostics->error(
        id, leaf.span,
        start + " \"" + std::string(leaf.variable->name) + "\" aliases " + end + ".");
    diagnostic.notes.push_back({body.span, "the value for the next iteration"});
    diagnostic.hint = "use `copy` to break the aliasing";
  };
  AliasSet of_consumed, of_others;
  for (const LoopLeaf& leaf : leaves) {
    if (leaf.kind != LoopLeaf::Kind::Name) continue;
    AliasSet aliases = all_aliases(follow(body_tree, leaf.path));
    if (leaf.is_consumed) {
      const Alias* outside = nullptr;
      for (const Alias& alias : aliases)
        if (roots_[alias.root].is_in_scope && !outside) outside = &alias;
      if (outside) {
        const Variable* variable = roots_[outside->root].variable;
        report("consuming-loop-param-aliases", leaf, "Return value for consuming loop parameter",
               "\"" + std::string(variable->name) + "\"");
      }
    }
    if (intersect(aliases, of_consumed))
      report("loop-parameter-aliases-other", leaf, "Return value for loop parameter",
             "other consumed loop parameter");
    if (leaf.is_consumed && (intersect(aliases, of_consumed) || intersect(aliases, of_others)))
      report("aliases-previously-returned", leaf, "Return value for consuming loop parameter",
             "previously returned value");
    AliasSet& seen = leaf.is_consumed ? of_consumed : of_others;
    seen = united(seen, aliases);
  }
  for (const Alias& alias : of_consumed)
    if (!contains(consumed, alias.root)) consumed.push_back(alias.root);
}

/// Finds which parts of the parameter are consumed: those that the body consumes, those that it
/// gives back for consumed ones, and so on.
void UniquenessWalk::infer_consumed_leaves(std::vector<LoopLeaf>& leaves,
                                           std::vector<std::uint32_t> consumed,
                                           const syntax::Expr& body, const AliasTree* body_tree) {
  std::size_t before;
  do {
    before = consumed.size();
    for (LoopLeaf& leaf : leaves) {
      if (leaf.is_ascribed || !leaf.variable) continue;
      auto known = known_.find(leaf.variable);
      leaf.is_unique = known != known_.end() && contains(consumed, known->second);
      leaf.is_consumed = leaf.is_unique && may_consume(leaf.type, true);
    }
    check_next_values(leaves, consumed, body, body_tree);
  } while (consumed.size() > before);
  for (LoopLeaf& leaf : leaves) {
    if (!leaf.is_consumed || !leaf.variable) continue;
    auto known = known_.find(leaf.variable);
    if (known == known_.end() || contains(consumed, known->second)) continue;
    leaf.type = strip_unique(context_.types, leaf.type);
    leaf.is_unique = leaf.is_consumed = false;
  }
}

// ---- the initial value -------------------------------------------------------------------------

const AliasTree* UniquenessWalk::implicit_initial(const syntax::Pattern& pattern,
                                                  const std::vector<Variable*>& variables,
                                                  std::size_t& next) {
  auto outer = [&](Span span) -> const AliasTree* {
    const Variable* variable = next < variables.size() ? variables[next++] : nullptr;
    return variable ? observe(span, variable, variable->scheme.type) : nullptr;
  };
  if (std::holds_alternative<syntax::NamePattern>(pattern.node)) return outer(pattern.span);
  if (const auto* t = std::get_if<syntax::TuplePattern>(&pattern.node)) {
    std::vector<std::pair<Name, const AliasTree*>> fields;
    for (std::size_t i = 0; i < t->elements.size(); ++i)
      fields.emplace_back(tuple_field(i), implicit_initial(*t->elements[i], variables, next));
    return arena_.record(std::move(fields));
  }
  if (const auto* r = std::get_if<syntax::RecordPattern>(&pattern.node)) {
    std::vector<std::pair<Name, const AliasTree*>> fields;
    for (const syntax::FieldPattern& field : r->fields)
      fields.emplace_back(field.name, field.pattern
                                          ? implicit_initial(*field.pattern, variables, next)
                                          : outer(field.name_span));
    return arena_.record(std::move(fields));
  }
  if (const auto* a = std::get_if<syntax::AscribePattern>(&pattern.node))
    return implicit_initial(*a->pattern, variables, next);
  if (const auto* p = std::get_if<syntax::ParenthesizedPattern>(&pattern.node))
    return implicit_initial(*p->inner, variables, next);
  if (const auto* b = std::get_if<syntax::AttributedPattern>(&pattern.node))
    return implicit_initial(*b->pattern, variables, next);
  return nullptr;
}

const AliasTree* UniquenessWalk::walk_initial(const syntax::LoopExpr& node,
                                              const std::vector<LoopLeaf>& leaves) {
  const AliasTree* tree = nullptr;
  Span span = node.initial ? node.initial->span : node.pattern->span;
  if (node.initial) {
    tree = walk(*node.initial);
  } else {
    std::size_t next = 0;
    tree = implicit_initial(*node.pattern, node.implicit_initial, next);
  }
  AliasSet consumed;
  bool consumes = false;
  for (const LoopLeaf& leaf : leaves) {
    if (!leaf.is_consumed) continue;
    consumes = true;
    consumed = united(consumed, consumed_part(leaf.type, leaf.is_unique, follow(tree, leaf.path)));
  }
  if (!consumes) return tree;
  AliasSet seen;
  bool is_self_aliased = false;
  for_each_part(tree, [&](const AliasSet& part) {
    is_self_aliased = is_self_aliased || intersect(seen, part);
    seen = united(seen, part);
  });
  if (is_self_aliased)
    context_.diagnostics
        ->error("self-aliasing-arg", span,
                "Argument passed for consuming parameter is self-aliased.")
        .hint = "use `copy` on one of its parts";
  consume(span, consumed);
  return tree;
}

/// What the loop looks at in each iteration must still be there after its start.
void UniquenessWalk::check_free_uses(std::string_view what, const std::vector<Use>& uses,
                                     std::size_t mark) {
  if (consumed_.size() == mark) return;
  for (const Use& use : uses) {
    const Root& root = roots_[use.root];
    AliasSet aliases = all_aliases(root.tree);
    auto consumed = std::find_if(aliases.begin(), aliases.end(), [&](Alias alias) {
      const Root& other = roots_[alias.root];
      return other.is_in_scope && other.is_consumed && other.consumed_index >= mark;
    });
    if (consumed == aliases.end()) continue;
    Diagnostic& diagnostic = context_.diagnostics->error(
        "loop-uses-consumed", use.span,
        std::string(what) + " uses " + describe(use.root) +
            " (or an alias), but this is consumed by the initial loop argument.");
    diagnostic.notes.push_back({roots_[consumed->root].consumed_at, "consumed here"});
    diagnostic.hint = "start the loop from a copy, made with `copy`";
  }
}

// ---- the result --------------------------------------------------------------------------------

const AliasTree* UniquenessWalk::leaf_result(const Type* outer, bool outer_unique,
                                             const AliasTree* initial, const AliasSet& result) {
  auto [type, is_unique] = below_stars(outer, outer_unique);
  if (const auto* r = std::get_if<RecordType>(&type->node); r && !arena_.is_large(type)) {
    std::vector<std::pair<Name, const AliasTree*>> fields;
    for (const Field& field : r->fields)
      fields.emplace_back(field.name, leaf_result(field.type, is_unique,
                                                  arena_.field(initial, field.name), result));
    return arena_.record(std::move(fields));
  }
  return returned(type, is_unique, united(result, all_aliases(initial)));
}

const AliasTree* UniquenessWalk::loop_result(const Type* type, std::vector<Name>& path,
                                             const std::vector<LoopLeaf>& leaves,
                                             const AliasTree* initial, const AliasSet& result) {
  for (const LoopLeaf& leaf : leaves)
    if (leaf.path == path) return leaf_result(leaf.type, leaf.is_unique, initial, result);
  const auto* r = as<RecordType>(type);
  if (!r) return initial;
  std::vector<std::pair<Name, const AliasTree*>> fields;
  for (const Field& field : r->fields) {
    path.push_back(field.name);
    fields.emplace_back(field.name, loop_result(field.type, path, leaves,
                                                arena_.field(initial, field.name), result));
    path.pop_back();
  }
  return arena_.record(std::move(fields));
}

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr& expression,
                                           const syntax::LoopExpr& node) {
  const std::size_t first_use = uses_.size();
  std::vector<Use> condition_uses;
  if (const auto* form = std::get_if<syntax::ForLess>(&node.form)) {
    walk(*form->bound);
  } else if (const auto* form_in = std::get_if<syntax::ForIn>(&node.form)) {
    walk(*form_in->array);
  } else {
    walk(*std::get<syntax::While>(node.form).condition);
    condition_uses = uses_since(first_use);
  }

  const std::size_t first_body_use = uses_.size();
  const std::size_t first_consumed = consumed_.size();
  std::vector<LoopLeaf> leaves;
  std::vector<std::uint32_t> consumed;
  const AliasTree* body = nullptr;
  {
    Barrier barrier(*this);
    Binding binding(*this);
    walk_sizes(*node.pattern);
    std::vector<Name> path;
    loop_leaves(*node.pattern, expression.type, false, false, path, leaves);
    bind_loop(node, leaves);
    body = walk(*node.body);
    for (const Consumption& consumption : take_back(first_consumed))
      consumed.push_back(consumption.root);
  }
  std::vector<Use> body_uses = uses_since(first_body_use);
  infer_consumed_leaves(leaves, std::move(consumed), *node.body, body);

  const AliasTree* initial = walk_initial(node, leaves);
  check_free_uses("Loop body", body_uses, first_consumed);
  check_free_uses("Loop condition", condition_uses, first_consumed);
  condense_uses(first_use);

  if (std::all_of(leaves.begin(), leaves.end(),
                  [](const LoopLeaf& leaf) { return as<PrimitiveType>(leaf.type) != nullptr; }))
    return nullptr;
  Root root;
  root.kind = Root::Kind::LoopResult;
  root.span = expression.span;
  AliasSet result{{new_root(std::move(root)), 0}};
  std::vector<Name> path;
  return arena_.combined(loop_result(expression.type, path, leaves, initial, result), body);
}

} // namespace sinter::check
