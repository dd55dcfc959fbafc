// One walk over the direct sub-expressions of an expression, for analyses that need no order.
#pragma once

#include "lang/core/core.h"

#include <type_traits>
#include <variant>
#include <vector>

namespace sinter::core {

/// Hands the direct sub-expressions of a node on; see `for_each_child`.
template <typename Visit>
struct ChildVisitor {
  Visit& visit;

  void one(const Expr* child) {
    if (child) visit(*child);
  }
  void all(const std::vector<const Expr*>& children) {
    for (const Expr* child : children)
      one(child);
  }
  void parts(const std::vector<IndexPart>& indices) {
    for (const IndexPart& part : indices)
      all({part.index, part.begin, part.end, part.stride});
  }

  void operator()(const Constant&) {}
  void operator()(const Bytes&) {}
  void operator()(const Local&) {}
  void operator()(const Captured&) {}
  void operator()(const GlobalValue&) {}
  void operator()(const FunctionValue&) {}
  void operator()(const Closure& node) { all(node.captures); }
  void operator()(const Let& node) {
    one(node.value);
    one(node.body);
  }
  void operator()(const BindSizes& node) { one(node.value); }
  void operator()(const Apply& node) {
    all(node.arguments);
    one(node.function);
  }
  void operator()(const PrimitiveCall& node) { all(node.arguments); }
  void operator()(const ArrayCall& node) {
    all(node.arguments);
    all(node.result.extents);
  }
  void operator()(const And& node) {
    one(node.left);
    one(node.right);
  }
  void operator()(const Or& node) {
    one(node.left);
    one(node.right);
  }
  void operator()(const If& node) {
    one(node.condition);
    one(node.then_branch);
    one(node.else_branch);
  }
  void operator()(const Match& node) {
    one(node.scrutinee);
    for (const Case& branch : node.cases)
      one(branch.body);
  }
  void operator()(const Loop& node) {
    one(node.initial);
    if (const auto* form = std::get_if<ForLess>(&node.form)) one(form->bound);
    if (const auto* form = std::get_if<ForIn>(&node.form)) one(form->array);
    if (const auto* form = std::get_if<While>(&node.form)) one(form->condition);
    one(node.body);
  }
  void operator()(const Record& node) { all(node.fields); }
  void operator()(const Project& node) { one(node.record); }
  void operator()(const Sum& node) { all(node.payload); }
  void operator()(const ArrayLiteral& node) {
    all(node.elements);
    all(node.type.extents);
  }
  void operator()(const Index& node) {
    parts(node.parts);
    one(node.array);
  }
  void operator()(const Update& node) {
    for (const auto& step : node.path)
      if (const auto* indices = std::get_if<IndexStep>(&step)) parts(indices->parts);
    one(node.replacement);
    one(node.value);
  }
  void operator()(const Range& node) {
    one(node.first);
    one(node.second);
    one(node.end);
  }
  void operator()(const Coerce& node) {
    one(node.value);
    for (const SizeCheck& check : node.checks)
      one(check.expected);
  }
  void operator()(const Assert& node) {
    one(node.condition);
    one(node.body);
  }
  void operator()(const Attributed& node) { one(node.body); }
  void operator()(const Hole&) {}
  void operator()(const Unsupported&) {}
};

/// Calls `visit(const Expr&)` for each direct sub-expression, sizes in types and loops included;
/// not for the bodies of functions that are only named.
template <typename Visit>
void for_each_child(const Expr& expr, Visit&& visit) {
  std::visit(ChildVisitor<std::remove_reference_t<Visit>>{visit}, expr.node);
}

/// Calls `visit(Slot)` for each slot that a pattern binds.
template <typename Visit>
void for_each_slot(const Pattern& pattern, Visit&& visit) {
  for (const SizeBinding& size : pattern.sizes)
    visit(size.slot);
  auto parts = [&](const std::vector<const Pattern*>& inner) {
    for (const Pattern* part : inner)
      for_each_slot(*part, visit);
  };
  if (const auto* slot = std::get_if<SlotPattern>(&pattern.node)) visit(slot->slot);
  if (const auto* record = std::get_if<RecordPattern>(&pattern.node)) parts(record->fields);
  if (const auto* sum = std::get_if<SumPattern>(&pattern.node)) parts(sum->payload);
}

/// Calls `visit(Slot)` for each slot that a loop binds, not those of its children.
template <typename Visit>
void for_each_bound_slot(const Loop& loop, Visit&& visit) {
  for_each_slot(*loop.pattern, visit);
  for (const SizeBinding& binding : loop.sizes)
    visit(binding.slot);
  if (const auto* form = std::get_if<ForLess>(&loop.form)) visit(form->slot);
  if (const auto* form = std::get_if<ForIn>(&loop.form)) for_each_slot(*form->pattern, visit);
}
/// Likewise of any expression.
template <typename Visit>
void for_each_bound_slot(const Expr& expr, Visit&& visit) {
  if (const auto* let = std::get_if<Let>(&expr.node)) for_each_slot(*let->pattern, visit);
  if (const auto* bind = std::get_if<BindSizes>(&expr.node))
    for (const SizeBinding& binding : bind->bindings)
      visit(binding.slot);
  if (const auto* match = std::get_if<Match>(&expr.node))
    for (const Case& branch : match->cases)
      for_each_slot(*branch.pattern, visit);
  if (const auto* loop = std::get_if<Loop>(&expr.node)) for_each_bound_slot(*loop, visit);
}

} // namespace sinter::core
