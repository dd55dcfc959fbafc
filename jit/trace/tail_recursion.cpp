#include "jit/trace/tail_recursion.h"

#include "lang/core/children.h"

#include <variant>

namespace sinter::jit {

namespace {

class Search {
public:
  explicit Search(const core::Function& function) : function_(function) {}

  bool run() {
    visit(*function_.body, true);
    return calls_ && !otherwise_;
  }

private:
  void visit(const core::Expr& expr, bool is_last) {
    if (const auto* named = std::get_if<core::FunctionValue>(&expr.node)) {
      otherwise_ = otherwise_ || named->function == &function_; // as a value
    } else if (const auto* apply = std::get_if<core::Apply>(&expr.node)) {
      visit_call(*apply, is_last);
    } else if (const auto* let = std::get_if<core::Let>(&expr.node)) {
      visit(*let->value, false);
      visit(*let->body, is_last);
    } else if (const auto* sizes = std::get_if<core::BindSizes>(&expr.node)) {
      visit(*sizes->value, is_last); // whoever would use the sizes does so after a last call
    } else if (const auto* branch = std::get_if<core::If>(&expr.node)) {
      visit(*branch->condition, false);
      visit(*branch->then_branch, is_last);
      visit(*branch->else_branch, is_last);
    } else if (const auto* match = std::get_if<core::Match>(&expr.node)) {
      visit(*match->scrutinee, false);
      for (const core::Case& one : match->cases)
        visit(*one.body, is_last);
    } else if (const auto* assertion = std::get_if<core::Assert>(&expr.node)) {
      visit(*assertion->condition, false);
      visit(*assertion->body, is_last);
    } else {
      core::for_each_child(expr, [&](const core::Expr& child) { visit(child, false); });
    }
  }

  void visit_call(const core::Apply& apply, bool is_last) {
    for (const core::Expr* argument : apply.arguments)
      visit(*argument, false);
    const auto* named = std::get_if<core::FunctionValue>(&apply.function->node);
    if (!named || named->function != &function_) return visit(*apply.function, false);
    if (is_last && apply.arguments.size() == function_.parameters.size())
      calls_ = true;
    else
      otherwise_ = true;
  }

  const core::Function& function_;
  bool calls_ = false, otherwise_ = false;
};

} // namespace

bool is_tail_recursive(const core::Function& function) {
  return function.body && function.capture_count == 0 && Search(function).run();
}

} // namespace sinter::jit
