// The walker: gives every construct of the resolved program its meaning, once, over a domain.
//
// Two mutually recursive functions do the work: `scalar` for expressions whose type is a scalar
// (nothing is allocated or counted there) and `value` for all others.  A function's variables are
// slots on a ValueStack; a call chains a CallRecord, from which errors take their stack of calls.
// Array operations and control on data are the domain's (domain.h).
//
// Ownership decides what happens in place: a variable's last use moves its value out of the slot,
// arguments and loop states are moved on, so that an array that nobody else can see has one owner
// when it arrives at an update.
#pragma once

#include "lang/base/byte_text.h"
#include "lang/base/heap.h"
#include "lang/core/core.h"
#include "lang/eval/domain.h"
#include "lang/eval/evaluator.h"
#include "lang/eval/value_stack.h"

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::eval {

template <Domain D>
class Walker {
public:
  using Values = typename D::Values;
  using Value = BasicValue<Values>;
  using Scalar = typename Values::Scalar;
  using Truth = typename D::Truth;
  /// `stack` is empty; `stack_limit`: the address that the C++ stack must not grow below.
  Walker(D& domain, const EvaluationContext& context, ValueStack<Values>& stack,
         const std::byte* stack_limit)
      : domain_(domain), context_(context), stack_end_(stack_limit),
        stack_limit_(counted_to(static_cast<const std::byte*>(__builtin_frame_address(0)))),
        epoch_(context.interrupt ? context.interrupt->epoch() : 0), stack_(stack) {}
  Walker(const Walker&) = delete;
  Walker& operator=(const Walker&) = delete;
  ~Walker() {
    if (counted_stack_ > 0) context_.memory->give(counted_stack_);
  }

  Value run(const core::Toplevel& toplevel);
  Value run(const core::Global& global) { return this->global(global, global.span); }
  Value run(const core::Function& function, std::span<Value> arguments);
  /// The same if the domain takes the call as a whole; otherwise the arguments stay.
  std::optional<Value> run_taken(const core::Function& function, std::span<Value> arguments);
  /// The body of a call: `arguments` are all that the function has parameters; moved from.
  Value run(const core::Function& function, const Value* captures, std::span<Value> arguments);
  /// The rest of a loop: from a frame and captures as they are between two iterations.  `first` and
  /// `bound` are a `for`'s, `elements` those that a for-in has still to do.
  Value run_loop(const core::Expr& loop, std::span<const Value> slots, const Value* captures,
                 Value state, Scalar first, Scalar bound, Value elements);

  /// Applies a function value to some arguments, which are moved from: fewer than it takes make a
  /// partial application, more are given to its result.
  Value apply(const Value& function, std::span<Value> arguments, Span site);
  /// The calls that are running, innermost first; the innermost one is at `innermost`.
  std::vector<StackFrame> call_stack(Span innermost) const;

  /// An expression in a frame and with captures as they are.
  Value run_expression(const core::Expr& expr, std::span<const Value> slots, const Value* captures);
  /// As if an `#[unsafe]` were around what runs from now on.
  void set_unsafe(bool is_unsafe) { unsafe_ = is_unsafe; }

private:
  using Slots = typename ValueStack<Values>::Slots;
  using Part = IndexPart<Values>;

  /// What the body of a running function can see.
  struct Frame {
    Value* slots;
    const Value* captures;
    std::size_t size; ///< number of slots
  };
  /// The calls that are running, innermost first.
  struct CallRecord {
    std::string_view function;
    Span site; ///< of the call, in the caller
    CallRecord* caller;
    // What runs in it, once it does.
    const core::Function* code = nullptr;
    const core::Expr* body = nullptr;
    const Frame* frame = nullptr;
  };
  class CallScope {
  public:
    CallScope(Walker& walker, std::string_view function, Span site)
        : walker_(walker), record_{function, site, walker.calls_} {
      walker.calls_ = &record_;
      if (static_cast<const std::byte*>(__builtin_frame_address(0)) < walker.stack_limit_)
        walker.count_stack(site);
    }
    ~CallScope() { walker_.calls_ = record_.caller; }
    CallScope(const CallScope&) = delete;
    CallScope& operator=(const CallScope&) = delete;

  private:
    Walker& walker_;
    CallRecord record_;
  };
  /// Evaluated index lists; short ones take no allocation.
  class Parts {
  public:
    /// Room for one more.
    Part& add() {
      if (count_ == few_.size()) many_.assign(few_.begin(), few_.end());
      if (count_++ < few_.size()) return few_[count_ - 1];
      return many_.emplace_back();
    }
    std::span<const Part> all() const {
      return count_ <= few_.size() ? std::span<const Part>(few_.data(), count_)
                                   : std::span<const Part>(many_);
    }
    bool is_element() const {
      for (const Part& part : all())
        if (part.is_slice) return false;
      return true;
    }

  private:
    std::array<Part, 3> few_;
    std::vector<Part> many_;
    std::size_t count_ = 0;
  };
  /// One step of an update's path, evaluated: a field, or an index list.
  using Step = std::variant<std::uint32_t, Parts>;
  class ArraySite;

  // walker.h: expressions
  Scalar scalar(const core::Expr& expr, Frame& frame);
  Value value(const core::Expr& expr, Frame& frame);
  const Value& borrow(const core::Expr& expr, Frame& frame, Value& storage);
  Scalar primitive(const core::PrimitiveCall& call, const core::Expr& expr, Frame& frame);

  // walker_expressions.h: one function for each construct
  Value evaluate(const core::Constant&, const core::Expr&, Frame&);
  Value evaluate(const core::Bytes&, const core::Expr&, Frame&);
  Value evaluate(const core::Local&, const core::Expr&, Frame&);
  Value evaluate(const core::Captured&, const core::Expr&, Frame&);
  Value evaluate(const core::GlobalValue&, const core::Expr&, Frame&);
  Value evaluate(const core::FunctionValue&, const core::Expr&, Frame&);
  Value evaluate(const core::Closure&, const core::Expr&, Frame&);
  Value evaluate(const core::Let&, const core::Expr&, Frame&);
  Value evaluate(const core::BindSizes&, const core::Expr&, Frame&);
  Value evaluate(const core::Apply&, const core::Expr&, Frame&);
  Value evaluate(const core::PrimitiveCall&, const core::Expr&, Frame&);
  Value evaluate(const core::ArrayCall&, const core::Expr&, Frame&);
  Value evaluate(const core::And&, const core::Expr&, Frame&);
  Value evaluate(const core::Or&, const core::Expr&, Frame&);
  Value evaluate(const core::If&, const core::Expr&, Frame&);
  Value evaluate(const core::Match&, const core::Expr&, Frame&);
  Value evaluate(const core::Loop&, const core::Expr&, Frame&);
  Value evaluate(const core::Record&, const core::Expr&, Frame&);
  Value evaluate(const core::Project&, const core::Expr&, Frame&);
  Value evaluate(const core::Sum&, const core::Expr&, Frame&);
  Value evaluate(const core::ArrayLiteral&, const core::Expr&, Frame&);
  Value evaluate(const core::Index&, const core::Expr&, Frame&);
  Value evaluate(const core::Update&, const core::Expr&, Frame&);
  Value evaluate(const core::Range&, const core::Expr&, Frame&);
  Value evaluate(const core::Coerce&, const core::Expr&, Frame&);
  Value evaluate(const core::Assert&, const core::Expr&, Frame&);
  Value evaluate(const core::Attributed&, const core::Expr&, Frame&);
  Value attributed(const core::Attributed&, const core::Expr&, Frame&);
  Value evaluate(const core::Hole&, const core::Expr&, Frame&);
  Value evaluate(const core::Unsupported&, const core::Expr&, Frame&);

  void evaluate_parts(const std::vector<core::IndexPart>& parts, Frame& frame, Parts& result);
  Value replace(Value target, std::span<const Step> path, Value replacement,
                const core::Expr& expr);
  Value iterate(const core::Expr& loop, Frame& frame, Value state, Scalar first, Scalar bound,
                Value elements);
  Value match_from(const core::Match& match, std::size_t first, Value scrutinee,
                   const core::Expr& expr, Frame& frame);

  // walker_calls.h: functions and patterns
  Value invoke(const core::Function& function, const Value* captures, std::span<Value> arguments,
               Span site);
  Value whole(const core::Expr& expr, Frame& frame);
  Value body(const core::Function& function, const Value* captures, std::span<Value> arguments);
  Value global(const core::Global& global, Span site);
  Truth matches(const core::Pattern& pattern, const Value& value);
  void bind(const core::Pattern& pattern, Value value, Frame& frame);
  void bind_sizes(const std::vector<core::SizeBinding>& sizes, const Value& value, Frame& frame);
  void check_sizes(const Value& value, std::span<const core::SizeCheck> checks,
                   const Representation* representation, std::string_view introduction, Span span,
                   Frame& frame);
  [[noreturn]] void fail_sizes(const Value& value, std::span<const core::SizeCheck> checks,
                               const core::SizeCheck& failing, const Representation* representation,
                               std::string_view introduction, Span span, Frame& frame);

  // walker_calls.h: who looks on
  /// Notes what runs in the innermost call.
  void note_running(const core::Function* function, const core::Expr& body, const Frame& frame) {
    calls_->code = function;
    calls_->body = &body;
    calls_->frame = &frame;
  }
  /// A step of the evaluation: somebody may want to stop before it.  (A `let` begins with its
  /// value, which is a step.)
  void step(const core::Expr& expr) {
    if (context_.steps && !std::holds_alternative<core::Let>(expr.node)) offer_step(expr);
  }
  void offer_step(const core::Expr& expr);
  std::vector<RunningCall> running_calls() const;

  // walker_calls.h: errors and interruption
  /// `reason` is a FailureKind or a diagnostic id, as for RuntimeError.
  template <typename Reason>
  [[noreturn]] void fail(Reason reason, std::string message, Span span);
  [[noreturn]] void fail_too_deep();
  /// How far down the C++ stack may go from here before it is counted again.
  const std::byte* counted_to(const std::byte* here) const {
    const std::size_t left = static_cast<std::size_t>(here - std::min(here, stack_end_));
    return here - std::min(left, stack_step);
  }
  /// The calls have gone deeper than is counted.
  void count_stack(Span site);
  Slots take_slots(std::size_t count) {
    if (!stack_.has_room(count)) fail_too_deep();
    return Slots(stack_, count);
  }
  [[noreturn]] void fail_interrupted(Span span);
  /// Adds the span and the stack to an error of the domain.  (Not inlined: it would enlarge the
  /// frames of all that recurses.)
  [[gnu::noinline]] void complete(RuntimeError& error, Span span) const;
  /// Runs what the domain does at a place of the program.
  template <typename Action>
  decltype(auto) at(Span span, Action&& action) {
    domain_.here(span);
    try {
      return action();
    } catch (RuntimeError& error) {
      complete(error, span);
      throw;
    } catch (const std::bad_alloc&) {
      fail(FailureKind::OutOfMemory, memory_shortage(), span);
    }
  }
  void poll(Span span) {
    if (context_.interrupt && context_.interrupt->epoch() != epoch_) fail_interrupted(span);
  }

  D& domain_;
  const EvaluationContext& context_;
  /// The stacks count against the memory limit, one step after the other; the first is free.
  static constexpr std::size_t stack_step = std::size_t{4} << 20;
  const std::byte* const stack_end_; ///< the C++ stack must not grow below
  const std::byte* stack_limit_;     ///< nor below this without being counted
  std::size_t counted_stack_ = 0, counted_values_ = 0;
  std::uint32_t epoch_; ///< of the interrupt source when the evaluation began
  CallRecord* calls_ = nullptr;
  /// Whether an `#[unsafe]` is around what runs: assertions and size checks are then left out.
  /// (What would read or write outside an array stays an error in every case.)
  bool unsafe_ = false;
  ValueStack<Values>& stack_;
};

// ---- implementation ----------------------------------------------------------------------------

/// The position of a kind of node in ExprNode, for a switch.
template <typename Node>
consteval std::size_t index_of() {
  return []<typename... Nodes>(std::type_identity<std::variant<Nodes...>>) {
    std::size_t index = 0;
    static_cast<void>(((std::is_same_v<Node, Nodes> ? true : (++index, false)) || ...));
    return index;
  }(std::type_identity<core::ExprNode>{});
}

template <Domain D>
auto Walker<D>::scalar(const core::Expr& expr, Frame& frame) -> Scalar {
  switch (expr.node.index()) {
  case index_of<core::Local>():
    return frame.slots[std::get_if<core::Local>(&expr.node)->slot].scalar();
  case index_of<core::Constant>():
    return domain_.literal(expr.type->scalar(), std::get_if<core::Constant>(&expr.node)->value);
  case index_of<core::PrimitiveCall>():
    return primitive(*std::get_if<core::PrimitiveCall>(&expr.node), expr, frame);
  case index_of<core::Captured>():
    return frame.captures[std::get_if<core::Captured>(&expr.node)->index].scalar();
  case index_of<core::If>(): {
    const core::If& node = *std::get_if<core::If>(&expr.node);
    return domain_.branch(
        domain_.truth(scalar(*node.condition, frame)),
        [&] {
          step(*node.then_branch);
          return scalar(*node.then_branch, frame);
        },
        [&] {
          step(*node.else_branch);
          return scalar(*node.else_branch, frame);
        });
  }
  case index_of<core::And>(): {
    const core::And& node = *std::get_if<core::And>(&expr.node);
    return domain_.branch(
        domain_.truth(scalar(*node.left, frame)), [&] { return scalar(*node.right, frame); },
        [&] { return domain_.literal(ElementType::Bool, sinter::Scalar::of(false)); });
  }
  case index_of<core::Or>(): {
    const core::Or& node = *std::get_if<core::Or>(&expr.node);
    return domain_.branch(
        domain_.truth(scalar(*node.left, frame)),
        [&] { return domain_.literal(ElementType::Bool, sinter::Scalar::of(true)); },
        [&] { return scalar(*node.right, frame); });
  }
  }
  // All other constructs give their scalars as values.
  return value(expr, frame).scalar();
}

template <Domain D>
auto Walker<D>::primitive(const core::PrimitiveCall& call, const core::Expr& expr, Frame& frame)
    -> Scalar {
  const primitives::Primitive& primitive = *call.primitive;
  Scalar first = scalar(*call.arguments[0], frame);
  Scalar second = primitive.arity > 1 ? scalar(*call.arguments[1], frame) : Scalar{};
  Scalar third = primitive.arity > 2 ? scalar(*call.arguments[2], frame) : Scalar{};
  return at(expr.span, [&] { return domain_.primitive(primitive, first, second, third); });
}

template <Domain D>
auto Walker<D>::value(const core::Expr& expr, Frame& frame) -> Value {
  return std::visit([&](const auto& node) { return evaluate(node, expr, frame); }, expr.node);
}

/// The value of a variable where it stands, without a new owner; of other expressions in `storage`.
template <Domain D>
auto Walker<D>::borrow(const core::Expr& expr, Frame& frame, Value& storage) -> const Value& {
  if (const auto* local = std::get_if<core::Local>(&expr.node); local && !local->is_last_use)
    return frame.slots[local->slot];
  if (const auto* captured = std::get_if<core::Captured>(&expr.node))
    return frame.captures[captured->index];
  storage = value(expr, frame);
  return storage;
}

} // namespace sinter::eval

#include "lang/eval/walker_calls.h"
#include "lang/eval/walker_expressions.h"
