// Part of walker.h: functions, patterns, sizes, and how errors learn where they happened.
#pragma once

#include "lang/eval/walker.h"

namespace sinter::eval {

// ---- calls -------------------------------------------------------------------------------------

template <Domain D>
auto Walker<D>::run(const core::Toplevel& toplevel) -> Value {
  CallScope scope(*this, "expression", toplevel.body->span);
  Slots slots = take_slots(toplevel.frame_size);
  Frame frame{slots.data(), nullptr, toplevel.frame_size};
  note_running(nullptr, *toplevel.body, frame);
  return whole(*toplevel.body, frame);
}

template <Domain D>
auto Walker<D>::run(const core::Function& function, std::span<Value> arguments) -> Value {
  return run(function, nullptr, arguments);
}

template <Domain D>
auto Walker<D>::run_taken(const core::Function& function, std::span<Value> arguments)
    -> std::optional<Value> {
  CallScope scope(*this, function.name, function.span);
  poll(function.span);
  return at(function.span, [&] { return domain_.taken_call(function, arguments); });
}

template <Domain D>
auto Walker<D>::run(const core::Function& function, const Value* captures,
                    std::span<Value> arguments) -> Value {
  return invoke(function, captures, arguments, function.span);
}

template <Domain D>
auto Walker<D>::run_expression(const core::Expr& expr, std::span<const Value> slots,
                               const Value* captures) -> Value {
  CallScope scope(*this, "expression", expr.span);
  Slots own = take_slots(slots.size());
  std::copy(slots.begin(), slots.end(), own.data());
  Frame frame{own.data(), captures, slots.size()};
  return value(expr, frame);
}

/// An expression that the domain may evaluate as a whole.
template <Domain D>
auto Walker<D>::whole(const core::Expr& expr, Frame& frame) -> Value {
  auto continuation = [&] { return value(expr, frame); };
  const ExpressionPlace<Values> place{&expr, {frame.slots, frame.size}, frame.captures};
  auto here = [&](auto&& action) -> decltype(auto) { return at(expr.span, action); };
  const auto clear = [&] { std::fill_n(frame.slots, frame.size, Value()); };
  if constexpr (requires { domain_.expression(place, here, clear, continuation); })
    return domain_.expression(place, here, clear, continuation);
  else
    return continuation();
}

template <Domain D>
auto Walker<D>::run_loop(const core::Expr& loop, std::span<const Value> slots,
                         const Value* captures, Value state, Scalar first, Scalar bound,
                         Value elements) -> Value {
  CallScope scope(*this, "loop", loop.span);
  Slots own = take_slots(slots.size());
  std::copy(slots.begin(), slots.end(), own.data());
  Frame frame{own.data(), captures, slots.size()};
  return iterate(loop, frame, std::move(state), first, bound, std::move(elements));
}

/// A call with exactly the arguments that the function has parameters; they are moved from.
template <Domain D>
auto Walker<D>::invoke(const core::Function& function, const Value* captures,
                       std::span<Value> arguments, Span site) -> Value {
  CallScope scope(*this, function.name, site);
  poll(site);
  auto here = [&](auto&& action) -> decltype(auto) { return at(site, action); };
  if constexpr (requires { domain_.is_chunked(function); })
    if (domain_.is_chunked(function))
      return domain_.chunked_call(
          function, arguments, site, [&](const Value& applied, std::vector<Value> given) {
            return applied.function().function == &function ? body(function, captures, given)
                                                            : apply(applied, given, site);
          });
  return domain_.call(function, captures, arguments, here,
                      [&] { return body(function, captures, arguments); });
}

template <Domain D>
auto Walker<D>::body(const core::Function& function, const Value* captures,
                     std::span<Value> arguments) -> Value {
  Slots slots = take_slots(function.frame_size);
  Frame frame{slots.data(), captures, function.frame_size};
  note_running(&function, *function.body, frame);
  if (function.checks.empty()) {
    for (std::size_t i = 0; i < arguments.size(); ++i)
      bind(*function.parameters[i], std::move(arguments[i]), frame);
  } else {
    // The checks look at whole arguments and use the sizes that the patterns bind.
    for (std::size_t i = 0; i < arguments.size(); ++i)
      bind(*function.parameters[i], arguments[i], frame);
    for (std::uint32_t i = 0; i < arguments.size(); ++i) {
      std::vector<core::SizeCheck> checks;
      for (const core::Function::Check& check : function.checks)
        if (check.parameter == i) checks.push_back(check.check);
      check_sizes(arguments[i], checks, nullptr,
                  "entry point arguments have invalid sizes: ", function.span, frame);
    }
    for (Value& argument : arguments)
      argument = Value();
  }
  if (context_.steps) offer_step(*function.body);
  return value(*function.body, frame);
}

template <Domain D>
auto Walker<D>::apply(const Value& function, std::span<Value> arguments, Span site) -> Value {
  const FunctionObject<Values>& object = function.function();
  const core::Function& code = *object.function;
  const std::size_t wanted = code.parameters.size();
  const std::size_t given = object.arguments.size() + arguments.size();
  if (given == wanted && object.arguments.empty())
    return invoke(code, object.captures.data(), arguments, site);
  if (given < wanted) {
    std::vector<Value> all = object.arguments;
    for (Value& argument : arguments)
      all.push_back(std::move(argument));
    return Value::function(&code, object.captures, std::move(all));
  }
  Slots all = take_slots(given);
  std::copy(object.arguments.begin(), object.arguments.end(), all.data());
  std::move(arguments.begin(), arguments.end(), all.data() + object.arguments.size());
  Value result = invoke(code, object.captures.data(), std::span<Value>(all.data(), wanted), site);
  if (given == wanted) return result;
  return apply(result, std::span<Value>(all.data() + wanted, given - wanted), site);
}

template <Domain D>
auto Walker<D>::global(const core::Global& global, Span site) -> Value {
  return domain_.global(global, [&] {
    CallScope scope(*this, global.name, site);
    Slots slots = take_slots(global.frame_size);
    Frame frame{slots.data(), nullptr, global.frame_size};
    note_running(nullptr, *global.body, frame);
    return whole(*global.body, frame);
  });
}

// ---- patterns ----------------------------------------------------------------------------------

template <Domain D>
auto Walker<D>::matches(const core::Pattern& pattern, const Value& value) -> Truth {
  auto known = [&](bool truth) {
    return domain_.truth(domain_.literal(ElementType::Bool, sinter::Scalar::of(truth)));
  };
  auto all = [&](Truth truth, const std::vector<const core::Pattern*>& parts, auto&& fields_of) {
    if (parts.empty() || domain_.decided(truth) == false) return truth; // the parts are not there
    std::span<const Value> fields = fields_of();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (domain_.decided(truth) == false) break;
      truth = domain_.both(truth, matches(*parts[i], fields[i]));
    }
    return truth;
  };
  if (const auto* literal = std::get_if<core::LiteralPattern>(&pattern.node))
    return domain_.equals(literal->type, literal->value, value.scalar());
  if (const auto* record = std::get_if<core::RecordPattern>(&pattern.node))
    return all(known(true), record->fields, [&] { return value.fields(); });
  if (const auto* sum = std::get_if<core::SumPattern>(&pattern.node))
    return all(domain_.has_tag(value, sum->tag), sum->payload,
               [&] { return domain_.payload(value, sum->tag); });
  return known(true);
}

/// Binds the parts of a value that matches.  The fields of a record that nobody else owns are moved
/// to their slots, so that each has one owner.
template <Domain D>
void Walker<D>::bind(const core::Pattern& pattern, Value value, Frame& frame) {
  if (!pattern.sizes.empty()) bind_sizes(pattern.sizes, value, frame);
  if (const auto* slot = std::get_if<core::SlotPattern>(&pattern.node)) {
    frame.slots[slot->slot] = std::move(value);
    return;
  }
  if (const auto* record = std::get_if<core::RecordPattern>(&pattern.node)) {
    const bool take = value.unique();
    std::span<Value> fields = value.fields();
    for (std::size_t i = 0; i < record->fields.size(); ++i)
      bind(*record->fields[i], take ? std::move(fields[i]) : fields[i], frame);
  } else if (const auto* sum = std::get_if<core::SumPattern>(&pattern.node)) {
    if (sum->payload.empty()) return;
    const bool take = value.unique();
    std::span<Value> fields = domain_.payload(value, sum->tag);
    for (std::size_t i = 0; i < sum->payload.size(); ++i)
      bind(*sum->payload[i], take ? domain_.take(fields[i]) : fields[i], frame);
  }
}

// ---- sizes -------------------------------------------------------------------------------------

template <Domain D>
void Walker<D>::bind_sizes(const std::vector<core::SizeBinding>& sizes, const Value& value,
                           Frame& frame) {
  for (const core::SizeBinding& size : sizes)
    if (auto extent = domain_.extent(value, size.path.fields, size.path.dimension))
      frame.slots[size.slot] = *extent;
}

template <Domain D>
void Walker<D>::check_sizes(const Value& value, std::span<const core::SizeCheck> checks,
                            const Representation* representation, std::string_view introduction,
                            Span span, Frame& frame) {
  for (const core::SizeCheck& check : checks) {
    auto actual = domain_.extent(value, check.path.fields, check.path.dimension);
    if (!actual) continue; // in a constructor that the value does not have
    domain_.require(domain_.same_size(*actual, scalar(*check.expected, frame)), [&] {
      fail_sizes(value, checks, check, representation, introduction, span, frame);
    });
  }
}

/// Words the error with the whole shape of the array in which a size fails.
template <Domain D>
void Walker<D>::fail_sizes(const Value& value, std::span<const core::SizeCheck> checks,
                           const core::SizeCheck& failing, const Representation* representation,
                           std::string_view introduction, Span span, Frame& frame) {
  std::string actual_shape, expected_shape;
  for (std::uint32_t dimension = 0;; ++dimension) {
    auto extent = domain_.extent(value, failing.path.fields, dimension);
    if (!extent) break;
    Scalar wanted = *extent;
    for (const core::SizeCheck& check : checks)
      if (check.path.fields == failing.path.fields && check.path.dimension == dimension)
        wanted = scalar(*check.expected, frame);
    actual_shape += "[" + domain_.text(ElementType::I64, *extent) + "]";
    expected_shape += "[" + domain_.text(ElementType::I64, wanted) + "]";
  }
  std::string element;
  if (representation && representation->is_array() && failing.path.fields.empty())
    element = print(representation->array().element);
  fail("shape-mismatch",
       std::string(introduction) + "Value of shape \"" + actual_shape +
           "\" cannot match shape of type \"" + failing.shape_expected + element + "\" (\"" +
           expected_shape + element + "\")",
       span);
}

// ---- who looks on ------------------------------------------------------------------------------

template <Domain D>
auto Walker<D>::running_calls() const -> std::vector<RunningCall> {
  constexpr std::size_t limit = 200; // a runaway recursion has millions
  std::vector<RunningCall> calls;
  if constexpr (std::is_same_v<Value, sinter::Value>)
    for (const CallRecord* call = calls_; call && calls.size() < limit; call = call->caller)
      calls.push_back(call->frame ? RunningCall{call->code, call->body, call->frame->slots,
                                                call->frame->captures}
                                  : RunningCall{});
  return calls;
}

template <Domain D>
void Walker<D>::offer_step(const core::Expr& expr) {
  if (!context_.steps->stops_at(expr)) return;
  const std::vector<StackFrame> frames = call_stack(expr.span);
  const std::vector<RunningCall> calls = running_calls();
  at(expr.span, [&] { context_.steps->stop({expr.span, frames, {}, nullptr, calls}); });
}

// ---- errors and interruption -------------------------------------------------------------------

template <Domain D>
std::vector<StackFrame> Walker<D>::call_stack(Span innermost) const {
  // A runaway recursion has millions of calls: its innermost and outermost ones tell the story.
  constexpr std::size_t shown_innermost = 200, shown_outermost = 50;
  std::vector<StackFrame> frames;
  std::size_t outermost = 0; // a ring of the last `shown_outermost` ones begins here
  Span span = innermost;
  for (const CallRecord* call = calls_; call; call = call->caller) {
    StackFrame frame{call->function, span};
    if (frames.size() < shown_innermost + shown_outermost)
      frames.push_back(frame);
    else {
      frames[shown_innermost + outermost] = frame;
      outermost = (outermost + 1) % shown_outermost;
    }
    span = call->site;
  }
  if (outermost > 0)
    std::rotate(frames.begin() + shown_innermost, frames.begin() + shown_innermost + outermost,
                frames.end());
  return frames;
}

template <Domain D>
void Walker<D>::complete(RuntimeError& error, Span span) const {
  if (!error.span.is_known()) error.span = span;
  if (!error.frames.empty() && !error.lacks_callers) return;
  std::vector<StackFrame> callers = call_stack(span);
  if (!error.frames.empty() && error.frames.back().function.empty() && !callers.empty()) {
    callers.front().span = error.frames.back().span;
    error.frames.pop_back();
  }
  error.frames.insert(error.frames.end(), callers.begin(), callers.end());
  error.lacks_callers = false;
}

template <Domain D>
template <typename Reason>
void Walker<D>::fail(Reason reason, std::string message, Span span) {
  RuntimeError error(reason, std::move(message), span);
  error.frames = call_stack(span);
  throw error;
}

template <Domain D>
void Walker<D>::fail_too_deep() {
  std::size_t depth = 0;
  for (const CallRecord* call = calls_; call; call = call->caller)
    ++depth;
  fail(FailureKind::StackLimit, "recursion is too deep: " + std::to_string(depth) + " calls",
       calls_->site);
}

template <Domain D>
void Walker<D>::count_stack(Span site) {
  if (stack_limit_ == stack_end_) fail_too_deep();
  if (context_.memory) {
    const std::size_t bytes = stack_step + stack_.bytes() - counted_values_;
    try {
      context_.memory->take(bytes);
    } catch (const RuntimeError&) {
      fail(FailureKind::OutOfMemory,
           "out of memory: the calls that wait for this one need " +
               byte_text(counted_stack_ + bytes) + ", the limit is " +
               byte_text(context_.memory->limit()),
           site);
    }
    counted_stack_ += bytes;
    counted_values_ += bytes - stack_step;
  }
  stack_limit_ = counted_to(stack_limit_);
}

template <Domain D>
void Walker<D>::fail_interrupted(Span span) {
  RuntimeError error = interruption(context_.interrupt->reason());
  fail(error.kind, std::move(error.message), span);
}

} // namespace sinter::eval
