#include "jit/swap/targets.h"

#include "lang/core/children.h"

#include <algorithm>
#include <set>

namespace sinter::jit {

namespace {

/// What an expression reads, and what it binds itself.
struct Variables {
  std::set<core::Slot> read, bound;
  std::set<std::uint32_t> captures;

  void visit(const core::Expr& expr) {
    if (const auto* local = std::get_if<core::Local>(&expr.node)) read.insert(local->slot);
    if (const auto* captured = std::get_if<core::Captured>(&expr.node))
      captures.insert(captured->index);
    core::for_each_bound_slot(expr, [&](core::Slot slot) { bound.insert(slot); });
    core::for_each_child(expr, [&](const core::Expr& child) { visit(child); });
  }
};

} // namespace

LoopTarget loop_target(const core::Expr& loop, std::size_t frame_size) {
  const core::Loop& node = std::get<core::Loop>(loop.node);
  Variables variables;
  core::for_each_bound_slot(loop, [&](core::Slot slot) { variables.bound.insert(slot); });
  if (const auto* form = std::get_if<core::While>(&node.form)) variables.visit(*form->condition);
  variables.visit(*node.body);
  LoopTarget target;
  target.loop = &loop;
  target.frame_size = static_cast<std::uint32_t>(frame_size);
  std::set_difference(variables.read.begin(), variables.read.end(), variables.bound.begin(),
                      variables.bound.end(), std::back_inserter(target.free_slots));
  target.free_captures.assign(variables.captures.begin(), variables.captures.end());
  return target;
}

OperationTarget operation_target(primitives::ArrayOperation operation,
                                 const eval::Site<Concrete>& site, std::size_t argument_count) {
  OperationTarget target;
  target.operation = operation;
  target.result = site.type();
  for (std::size_t i = 0; i < argument_count; ++i)
    target.arguments.push_back(site.argument_type(i));
  return target;
}

bool WorkFinder::has_work(const core::Function& function) {
  // While a function is being searched, a call of itself adds nothing.
  auto [at, is_new] = known_.try_emplace(&function, false);
  if (!is_new) return at->second;
  const bool found = function.body && search(*function.body);
  return known_[&function] = found;
}

bool WorkFinder::search(const core::Expr& expr) {
  if (std::holds_alternative<core::ArrayCall>(expr.node) ||
      std::holds_alternative<core::Loop>(expr.node) ||
      std::holds_alternative<core::Range>(expr.node))
    return true;
  if (const auto* function = std::get_if<core::FunctionValue>(&expr.node))
    if (has_work(*function->function)) return true;
  if (const auto* closure = std::get_if<core::Closure>(&expr.node))
    if (has_work(*closure->function)) return true;
  bool found = false;
  core::for_each_child(expr, [&](const core::Expr& child) { found = found || search(child); });
  return found;
}

std::string_view name(primitives::ArrayOperation operation) {
  switch (operation) {
#define SINTER_ARRAY_OPERATION(Id, text, ...)                                                      \
  case primitives::ArrayOperation::Id:                                                             \
    return text;
#include "lang/primitives/array_operations.def"
#undef SINTER_ARRAY_OPERATION
  }
  __builtin_unreachable();
}

} // namespace sinter::jit
