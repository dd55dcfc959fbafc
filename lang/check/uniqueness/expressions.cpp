// What expressions share memory with, and what they consume.
#include "lang/base/interruptible.h"
#include "lang/check/uniqueness/walk.h"
#include "lang/types/brief.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

namespace {

bool has_index(const std::vector<syntax::PathStep>& path) {
  return std::any_of(path.begin(), path.end(),
                     [](const syntax::PathStep& step) { return !step.is_field(); });
}

} // namespace

const AliasTree* UniquenessWalk::walk(const syntax::Expr& expression) {
  poll_interruption();
  return std::visit([&](const auto& node) { return walk_node(expression, node); }, expression.node);
}

void UniquenessWalk::walk_all(const std::vector<syntax::Expr*>& expressions) {
  for (const syntax::Expr* expression : expressions)
    walk(*expression);
}

void UniquenessWalk::walk_indices(const std::vector<syntax::IndexPart>& indices) {
  for (const syntax::IndexPart& part : indices)
    for (const syntax::Expr* expression : {part.index, part.begin, part.end, part.stride})
      if (expression) walk(*expression);
}

void UniquenessWalk::walk_path(const std::vector<syntax::PathStep>& path) {
  for (const syntax::PathStep& step : path)
    walk_indices(step.indices);
}

// ---- what only passes on or builds -------------------------------------------------------------

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr& expression,
                                           const syntax::VariableExpr& node) {
  const AliasTree* tree = observe(expression.span, node.variable, node.variable_type);
  const std::vector<syntax::Name>& qualifiers = node.name.qualifiers;
  for (std::size_t i = qualifiers.size() + 1 - node.field_count; i <= qualifiers.size(); ++i)
    tree = arena_.field(tree, i < qualifiers.size() ? qualifiers[i] : node.name.name);
  return tree;
}

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr&, const syntax::Parenthesized& node) {
  return walk(*node.inner);
}
const AliasTree* UniquenessWalk::walk_node(const syntax::Expr&, const syntax::LocalOpen& node) {
  return walk(*node.body);
}
const AliasTree* UniquenessWalk::walk_node(const syntax::Expr&,
                                           const syntax::AttributedExpr& node) {
  return walk(*node.body);
}
const AliasTree* UniquenessWalk::walk_node(const syntax::Expr&, const syntax::AscribeExpr& node) {
  return walk(*node.value);
}
const AliasTree* UniquenessWalk::walk_node(const syntax::Expr& expression,
                                           const syntax::CoerceExpr& node) {
  const AliasTree* tree = walk(*node.value);
  // The sizes of its type are checked while running, so they are uses.
  for_each_variable(expression.type, [&](const Variable* size) {
    if (auto known = known_.find(size); known != known_.end())
      uses_.push_back({known->second, expression.span});
  });
  return tree;
}

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr&, const syntax::TupleExpr& node) {
  std::vector<std::pair<Name, const AliasTree*>> fields;
  fields.reserve(node.elements.size());
  for (std::size_t i = 0; i < node.elements.size(); ++i)
    fields.emplace_back(tuple_field(i), walk(*node.elements[i]));
  return arena_.record(std::move(fields));
}

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr&, const syntax::RecordExpr& node) {
  std::vector<std::pair<Name, const AliasTree*>> fields;
  for (const syntax::FieldExpr& field : node.fields)
    fields.emplace_back(
        field.name, field.value ? walk(*field.value)
                                : observe(field.name_span, field.variable, field.variable_type));
  return arena_.record(std::move(fields));
}

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr&, const syntax::ProjectExpr& node) {
  return arena_.field(walk(*node.record), node.field);
}

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr& expression,
                                           const syntax::ConstructorExpr& node) {
  std::vector<const AliasTree*> payload;
  for (const syntax::Expr* argument : node.arguments)
    payload.push_back(walk(*argument));
  std::vector<std::pair<Name, std::vector<const AliasTree*>>> constructors;
  if (const auto* type = as<SumType>(expression.type))
    for (const Constructor& constructor : type->constructors)
      constructors.emplace_back(constructor.name,
                                constructor.name == node.name
                                    ? payload
                                    : std::vector<const AliasTree*>(constructor.payload.size()));
  return arena_.sum(std::move(constructors));
}

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr& expression,
                                           const syntax::IndexExpr& node) {
  const AliasTree* array = walk(*node.array);
  walk_indices(node.indices);
  return array ? arena_.spread(expression.type, all_aliases(array)) : nullptr;
}

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr&, const syntax::AssertExpr& node) {
  walk(*node.condition);
  return walk(*node.body);
}

// ---- what makes something new ------------------------------------------------------------------

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr&, const syntax::ArrayExpr& node) {
  walk_all(node.elements);
  return nullptr;
}

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr&, const syntax::RangeExpr& node) {
  walk(*node.first);
  if (node.second) walk(*node.second);
  walk(*node.end);
  return nullptr;
}

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr&, const syntax::UnaryExpr& node) {
  walk(*node.operand);
  return nullptr;
}

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr&, const syntax::PathSection& node) {
  walk_path(node.steps);
  return nullptr;
}

// ---- branches ----------------------------------------------------------------------------------
//
// A branch does not see what another consumes; after all of them, what any has consumed is.

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr&, const syntax::IfExpr& node) {
  walk(*node.condition);
  std::size_t mark = consumed_.size();
  const AliasTree* result = walk(*node.then_branch);
  std::vector<Consumption> consumptions = take_back(mark);
  result = arena_.combined(result, walk(*node.else_branch));
  std::vector<Consumption> others = take_back(mark);
  repeat(consumptions);
  repeat(others);
  return without_consumed_since(mark, result);
}

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr&, const syntax::MatchExpr& node) {
  const AliasTree* scrutinee = walk(*node.scrutinee);
  std::size_t mark = consumed_.size();
  const AliasTree* result = nullptr;
  std::vector<Consumption> all;
  for (const syntax::MatchCase& branch : node.cases) {
    Binding binding(*this);
    bind_pattern(*branch.pattern, scrutinee, true);
    result = arena_.combined(result, walk(*branch.body));
    std::vector<Consumption> consumptions = take_back(mark);
    all.insert(all.end(), consumptions.begin(), consumptions.end());
  }
  repeat(all);
  return without_consumed_since(mark, result);
}

// ---- bindings and updates ----------------------------------------------------------------------

const AliasTree* UniquenessWalk::walk_bound_value(const syntax::Expr& value) {
  std::size_t mark = consumed_.size();
  const AliasTree* tree = walk(value);
  if (consumed_.size() > mark && holds_function(value.type)) {
    Diagnostic& diagnostic = context_.diagnostics->error(
        "contains-consumption", value.span,
        "Let-bound expression of higher-order type \"" + print_briefly(value.type) +
            "\" contains consumption, which is not allowed.");
    diagnostic.notes.push_back({consumed_[mark].span, "something is consumed here"});
    diagnostic.hint = "the function could be applied more than once; consume a copy instead";
  }
  return tree;
}

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr&,
                                           const syntax::LetPatternExpr& node) {
  const AliasTree* value = walk_bound_value(*node.value);
  Binding binding(*this);
  bind_pattern(*node.pattern, value, true);
  return walk(*node.body);
}

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr&,
                                           const syntax::LetFunctionExpr& node) {
  const AliasTree* closure =
      walk_function(node.parameters, node.result_type, *node.value, node.variable->scheme.type);
  Binding binding(*this);
  bind_function(node.variable, closure);
  return walk(*node.body);
}

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr& expression,
                                           const syntax::LambdaExpr& node) {
  return walk_function(node.parameters, node.result_type, *node.body, expression.type);
}

void UniquenessWalk::check_overlap(const AliasTree* source, std::string_view source_text,
                                   const AliasTree* replacement, const syntax::Expr& value) {
  if (!source || !replacement || !intersect(all_aliases(source), all_aliases(replacement))) return;
  Diagnostic& diagnostic =
      context_.diagnostics->error("update-overlap", value.span,
                                  "Source array for in-place update \"" + std::string(source_text) +
                                      "\" might alias update value \"" + text(value.span) + "\".");
  diagnostic.hint = "use \"copy\" to remove aliases from the value";
}

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr&, const syntax::LetWithExpr& node) {
  walk_path(node.path);
  const AliasTree* value = walk(*node.value);
  const AliasTree* source = nullptr;
  if (node.source) {
    const Type* type = node.target ? node.target->scheme.type : node.source->scheme.type;
    source = observe(node.name_span, node.source, type);
  }
  if (has_index(node.path)) {
    check_overlap(source, node.name, value, *node.value);
    consume(node.name_span, all_aliases(source));
  }
  Binding binding(*this);
  bind(node.target, nullptr, true);
  return walk(*node.body);
}

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr&, const syntax::WithExpr& node) {
  walk_path(node.path);
  const AliasTree* replacement = walk(*node.replacement);
  const AliasTree* source = walk(*node.value);
  if (has_index(node.path)) {
    check_overlap(source, text(node.value->span), replacement, *node.replacement);
    consume(node.value->span, all_aliases(source));
    return nullptr;
  }
  std::vector<Name> path;
  for (const syntax::PathStep& step : node.path)
    path.push_back(step.field);
  return arena_.with_field(source, node.value->type, path, 0, replacement);
}

} // namespace sinter::check
