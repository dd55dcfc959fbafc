#include "jit/trace/targets.h"

#include "lang/core/children.h"

#include <map>
#include <set>

namespace sinter::jit {

namespace {

/// What an expression reads, and what it binds itself.
struct Variables {
  std::map<core::Slot, const Representation*> read;
  std::set<core::Slot> bound;
  std::map<std::uint32_t, const Representation*> captures;

  void visit(const core::Expr& expr) {
    if (const auto* local = std::get_if<core::Local>(&expr.node))
      read.emplace(local->slot, expr.type);
    if (const auto* captured = std::get_if<core::Captured>(&expr.node))
      captures.emplace(captured->index, expr.type);
    core::for_each_bound_slot(expr, [&](core::Slot slot) { bound.insert(slot); });
    core::for_each_child(expr, [&](const core::Expr& child) { visit(child); });
  }
  FrameInputs inputs() const {
    FrameInputs inputs;
    for (const auto& [slot, type] : read) {
      if (bound.contains(slot)) continue;
      inputs.slots.push_back(slot);
      inputs.slot_types.push_back(type);
    }
    for (const auto& [index, type] : captures) {
      inputs.captures.push_back(index);
      inputs.capture_types.push_back(type);
    }
    return inputs;
  }
};

} // namespace

FrameInputs loop_inputs(const core::Expr& loop) {
  const core::Loop& node = std::get<core::Loop>(loop.node);
  Variables variables;
  core::for_each_bound_slot(loop, [&](core::Slot slot) { variables.bound.insert(slot); });
  if (const auto* form = std::get_if<core::While>(&node.form)) variables.visit(*form->condition);
  variables.visit(*node.body);
  return variables.inputs();
}

FrameInputs expression_inputs(const core::Expr& expr) {
  Variables variables;
  variables.visit(expr);
  return variables.inputs();
}

OperationTarget operation_target(primitives::ArrayOperation operation,
                                 const eval::Site<Concrete>& site, std::size_t argument_count) {
  OperationTarget target;
  target.operation = operation;
  target.result = site.type();
  for (std::size_t i = 0; i < argument_count; ++i)
    target.arguments.push_back(site.argument_type(i));
  target.named_extents = site.named_extents();
  return target;
}

std::string_view name(primitives::ArrayOperation operation) {
  switch (operation) {
#define SINTER_ARRAY_OPERATION(Id, text, ...)                                                      \
  case primitives::ArrayOperation::Id:                                                             \
    return text;
#include "lang/primitives/array_operations.def"
  }
  __builtin_unreachable();
}

} // namespace sinter::jit
