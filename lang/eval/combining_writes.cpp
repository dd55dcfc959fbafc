#include "lang/eval/combining_writes.h"

#include "lang/core/children.h"
#include "lang/core/print.h"
#include "lang/primitives/laws.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::eval {

namespace {

/// Texts of equal expressions are equal; that one of them is a variable's last use makes no
/// difference.
std::string text_of(const core::Expr& expr) {
  std::string text = core::print(expr);
  std::erase(text, '!');
  return text;
}

/// Collects them.
class CombiningSearch {
public:
  /// `slots` and `captures`: of the frame.
  CombiningSearch(CombiningWrites& found, std::span<const Value> slots,
                  std::span<const Value> captures)
      : found_(found), slots_(slots), captures_(captures) {}

  void visit(const core::Expr& expr) {
    if (const auto* let = std::get_if<core::Let>(&expr.node)) {
      visit(*let->value);
      if (const auto* slot = std::get_if<core::SlotPattern>(&let->pattern->node))
        values_[slot->slot] = let->value;
      return visit(*let->body);
    }
    if (const auto* update = std::get_if<core::Update>(&expr.node)) look_at(*update, expr);
    if (const auto* value = std::get_if<core::FunctionValue>(&expr.node))
      enter(*value->function, {});
    if (const auto* closure = std::get_if<core::Closure>(&expr.node)) enter(*closure->function, {});
    if (const auto* local = std::get_if<core::Local>(&expr.node);
        local && local->slot < slots_.size())
      enter(slots_[local->slot]);
    if (const auto* captured = std::get_if<core::Captured>(&expr.node);
        captured && captured->index < captures_.size())
      enter(captures_[captured->index]);
    core::for_each_child(expr, [&](const core::Expr& child) { visit(child); });
  }

private:
  using Parts = std::vector<core::IndexPart>;

  void enter(const Value& value) {
    if (!value.is_function()) return;
    const FunctionObject<Concrete>& object = value.function();
    enter(*object.function, object.captures);
  }
  void enter(const core::Function& function, std::span<const Value> captures) {
    if (!function.body || !entered_.insert(&function).second) return;
    CombiningSearch inside(found_, {}, captures);
    std::swap(inside.entered_, entered_);
    inside.visit(*function.body);
    std::swap(inside.entered_, entered_);
  }

  void look_at(const core::Update& update, const core::Expr& expr) {
    const auto* step =
        update.path.size() == 1 ? std::get_if<core::IndexStep>(&update.path[0]) : nullptr;
    if (!step) return;
    std::vector<const core::Expr*> reads;
    const primitives::Primitive* operation = nullptr;
    const bool combines =
        leads(*update.replacement, text_of(resolved(*update.value)), step->parts, operation, reads);
    if (!combines || !operation) return;
    found_.updates.insert(&expr);
    found_.reads.insert(reads.begin(), reads.end());
  }

  /// A variable's value, as far as it is bound to one.
  const core::Expr& resolved(const core::Expr& expr) const {
    const core::Expr* at = &expr;
    for (std::size_t i = 0; i <= values_.size(); ++i) {
      const auto* local = std::get_if<core::Local>(&at->node);
      const auto known = local ? values_.find(local->slot) : values_.end();
      if (known == values_.end()) break;
      at = known->second;
    }
    return *at;
  }

  /// Whether the value is the element of the array at that place, combined with others by one
  /// operation.
  bool leads(const core::Expr& value, const std::string& array, const Parts& parts,
             const primitives::Primitive*& operation, std::vector<const core::Expr*>& reads) const {
    const core::Expr& expr = resolved(value);
    if (const auto* index = std::get_if<core::Index>(&expr.node)) {
      if (text_of(resolved(*index->array)) != array || !is_same_place(index->parts, parts))
        return false;
      reads.push_back(&expr);
      return true;
    }
    if (const auto* choice = std::get_if<core::If>(&expr.node))
      return leads(*choice->then_branch, array, parts, operation, reads) &&
             leads(*choice->else_branch, array, parts, operation, reads);
    const auto [primitive, arguments] = application(expr);
    if (!primitive || arguments.size() != 2 || is_float(primitive->operand) ||
        (operation && operation != primitive))
      return false;
    // (What is taken away may be taken away in any order.)
    const bool subtracts = primitive->operation == primitives::Operation::Subtract;
    if (!subtracts && !primitives::combines_in_any_order(primitive->operation)) return false;
    operation = primitive;
    if (subtracts) return leads(*arguments[0], array, parts, operation, reads);
    return std::ranges::any_of(arguments, [&](const core::Expr* argument) {
      return leads(*argument, array, parts, operation, reads);
    });
  }

  static std::pair<const primitives::Primitive*, std::vector<const core::Expr*>>
  application(const core::Expr& expr) {
    if (const auto* call = std::get_if<core::PrimitiveCall>(&expr.node))
      return {call->primitive, call->arguments};
    const auto* apply = std::get_if<core::Apply>(&expr.node);
    const auto* value = apply ? std::get_if<core::FunctionValue>(&apply->function->node) : nullptr;
    if (!value) return {};
    return {value->function->primitive, apply->arguments};
  }

  bool is_same_place(const Parts& a, const Parts& b) const {
    return std::ranges::equal(a, b, [&](const core::IndexPart& one, const core::IndexPart& other) {
      return !one.is_slice && !other.is_slice &&
             text_of(resolved(*one.index)) == text_of(resolved(*other.index));
    });
  }

  CombiningWrites& found_;
  std::span<const Value> slots_, captures_;
  std::unordered_map<core::Slot, const core::Expr*> values_; ///< of variables, as last bound
  std::unordered_set<const core::Function*> entered_;
};

} // namespace

CombiningWrites combining_writes(const LoopPlace<Concrete>& place) {
  CombiningWrites found;
  const core::Expr& body = *std::get<core::Loop>(place.loop->node).body;
  std::uint32_t captures = 0; // of the function, as far as the body names them
  const auto count = [&](auto&& self, const core::Expr& expr) -> void {
    if (const auto* captured = std::get_if<core::Captured>(&expr.node))
      captures = std::max(captures, captured->index + 1);
    core::for_each_child(expr, [&](const core::Expr& child) { self(self, child); });
  };
  count(count, body);
  CombiningSearch(found, place.slots, {place.captures, captures}).visit(body);
  return found;
}

} // namespace sinter::eval
