// Part of walker.h: what each construct means.
#pragma once

#include "lang/eval/walker.h"

namespace sinter::eval {

/// What an array operation sees of the walk at one application.
template <Domain D>
class Walker<D>::ArraySite final : public Site<Values> {
public:
  ArraySite(Walker& walker, Frame& frame, const core::SizedType& sized, Span span,
            const std::vector<const core::Expr*>& arguments)
      : walker_(walker), frame_(frame), sized_(sized), span_(span), arguments_(arguments) {}

  const Representation* type() const override { return sized_.representation; }
  const Representation* argument_type(std::size_t position) const override {
    return arguments_[position]->type;
  }
  std::vector<std::optional<Scalar>> extents() override {
    std::vector<std::optional<Scalar>> result(sized_.extents.size());
    for (std::size_t i = 0; i < result.size(); ++i)
      if (const core::Expr* extent = sized_.extents[i]) result[i] = walker_.scalar(*extent, frame_);
    return result;
  }
  std::vector<bool> named_extents() const override {
    std::vector<bool> result;
    for (const core::Expr* extent : sized_.extents)
      result.push_back(extent != nullptr);
    return result;
  }
  Span span() const override { return span_; }
  const void* place() const override { return &sized_; }
  std::vector<StackFrame> calls() const override { return walker_.call_stack(span_); }
  Value call(const Value& function, std::span<Value> arguments) override {
    return walker_.apply(function, arguments, span_);
  }
  void poll() override { walker_.poll(span_); }

private:
  Walker& walker_;
  Frame& frame_;
  const core::SizedType& sized_;
  Span span_;
  const std::vector<const core::Expr*>& arguments_;
};

// ---- constants and variables -------------------------------------------------------------------

template <Domain D>
auto Walker<D>::evaluate(const core::Constant& constant, const core::Expr& expr, Frame&) -> Value {
  return domain_.literal(expr.type->scalar(), constant.value);
}

template <Domain D>
auto Walker<D>::evaluate(const core::Bytes& bytes, const core::Expr& expr, Frame&) -> Value {
  return at(expr.span, [&] { return domain_.bytes(bytes.bytes); });
}

template <Domain D>
auto Walker<D>::evaluate(const core::Local& local, const core::Expr&, Frame& frame) -> Value {
  Value& slot = frame.slots[local.slot];
  if (local.is_last_use) return domain_.take(slot);
  return slot;
}

template <Domain D>
auto Walker<D>::evaluate(const core::Captured& captured, const core::Expr&, Frame& frame) -> Value {
  return frame.captures[captured.index];
}

template <Domain D>
auto Walker<D>::evaluate(const core::GlobalValue& node, const core::Expr& expr, Frame&) -> Value {
  return global(*node.global, expr.span);
}

template <Domain D>
auto Walker<D>::evaluate(const core::FunctionValue& node, const core::Expr&, Frame&) -> Value {
  return Value::function(node.function, {});
}

template <Domain D>
auto Walker<D>::evaluate(const core::Closure& closure, const core::Expr&, Frame& frame) -> Value {
  std::vector<Value> captures;
  captures.reserve(closure.captures.size());
  for (const core::Expr* capture : closure.captures)
    captures.push_back(value(*capture, frame));
  return Value::function(closure.function, std::move(captures));
}

// ---- binding and applying ----------------------------------------------------------------------

template <Domain D>
auto Walker<D>::evaluate(const core::Let& let, const core::Expr&, Frame& frame) -> Value {
  step(*let.value);
  bind(*let.pattern, value(*let.value, frame), frame);
  step(*let.body);
  return value(*let.body, frame);
}

template <Domain D>
auto Walker<D>::evaluate(const core::BindSizes& node, const core::Expr&, Frame& frame) -> Value {
  Value result = value(*node.value, frame);
  bind_sizes(node.bindings, result, frame);
  return result;
}

template <Domain D>
auto Walker<D>::evaluate(const core::Apply& node, const core::Expr& expr, Frame& frame) -> Value {
  const std::size_t count = node.arguments.size();
  Slots slots = take_slots(count);
  std::span<Value> arguments(slots.data(), count);
  for (std::size_t i = 0; i < count; ++i)
    arguments[i] = value(*node.arguments[i], frame);
  // Saturated calls of known functions need no function value.
  if (const auto* known = std::get_if<core::FunctionValue>(&node.function->node);
      known && known->function->parameters.size() == count)
    return invoke(*known->function, nullptr, arguments, expr.span);
  if (const auto* known = std::get_if<core::Closure>(&node.function->node);
      known && known->function->parameters.size() == count) {
    Slots captures = take_slots(known->captures.size());
    for (std::size_t i = 0; i < known->captures.size(); ++i)
      captures[i] = value(*known->captures[i], frame);
    return invoke(*known->function, captures.data(), arguments, expr.span);
  }
  Value storage;
  return apply(borrow(*node.function, frame, storage), arguments, expr.span);
}

template <Domain D>
auto Walker<D>::evaluate(const core::PrimitiveCall& call, const core::Expr& expr, Frame& frame)
    -> Value {
  return primitive(call, expr, frame);
}

template <Domain D>
auto Walker<D>::evaluate(const core::ArrayCall& call, const core::Expr& expr, Frame& frame)
    -> Value {
  Slots slots = take_slots(call.arguments.size());
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    slots[i] = value(*call.arguments[i], frame);
  ArraySite site(*this, frame, call.result, expr.span, call.arguments);
  return at(expr.span, [&] {
    return domain_.array_operation(call.operation,
                                   std::span<Value>(slots.data(), call.arguments.size()), site);
  });
}

// ---- control -----------------------------------------------------------------------------------

template <Domain D>
auto Walker<D>::evaluate(const core::And&, const core::Expr& expr, Frame& frame) -> Value {
  return scalar(expr, frame);
}

template <Domain D>
auto Walker<D>::evaluate(const core::Or&, const core::Expr& expr, Frame& frame) -> Value {
  return scalar(expr, frame);
}

template <Domain D>
auto Walker<D>::evaluate(const core::If& node, const core::Expr&, Frame& frame) -> Value {
  return domain_.branch(
      domain_.truth(scalar(*node.condition, frame)),
      [&] {
        step(*node.then_branch);
        return value(*node.then_branch, frame);
      },
      [&] {
        step(*node.else_branch);
        return value(*node.else_branch, frame);
      });
}

template <Domain D>
auto Walker<D>::evaluate(const core::Match& match, const core::Expr& expr, Frame& frame) -> Value {
  return match_from(match, 0, value(*match.scrutinee, frame), expr, frame);
}

template <Domain D>
auto Walker<D>::match_from(const core::Match& match, std::size_t first, Value scrutinee,
                           const core::Expr& expr, Frame& frame) -> Value {
  for (std::size_t i = first; i < match.cases.size(); ++i) {
    const core::Case& branch = match.cases[i];
    auto body = [&](Value matched) {
      bind(*branch.pattern, std::move(matched), frame);
      step(*branch.body);
      return value(*branch.body, frame);
    };
    Truth truth = matches(*branch.pattern, scrutinee);
    std::optional<bool> known = domain_.decided(truth);
    // (Programs of which it is not known that one of the patterns matches are rejected.)
    if (!known && i + 1 == match.cases.size()) return body(std::move(scrutinee));
    if (!known)
      return domain_.branch(
          truth, [&] { return body(scrutinee); },
          [&] { return match_from(match, i + 1, scrutinee, expr, frame); });
    if (*known) return body(std::move(scrutinee));
  }
  fail(FailureKind::Program, "no case matches the value", expr.span);
}

template <Domain D>
auto Walker<D>::evaluate(const core::Loop& loop, const core::Expr& expr, Frame& frame) -> Value {
  Value initial = value(*loop.initial, frame);
  Scalar bound{};
  Value elements;
  if (const auto* form = std::get_if<core::ForLess>(&loop.form))
    bound = scalar(*form->bound, frame);
  else if (const auto* in = std::get_if<core::ForIn>(&loop.form))
    elements = value(*in->array, frame);
  const Scalar first = std::holds_alternative<core::ForLess>(loop.form)
                           ? domain_.literal(std::get<core::ForLess>(loop.form).type, {})
                           : Scalar{};
  return iterate(expr, frame, std::move(initial), first, bound, std::move(elements));
}

template <Domain D>
auto Walker<D>::iterate(const core::Expr& expr, Frame& frame, Value state, Scalar first,
                        Scalar bound, Value elements) -> Value {
  const core::Loop& loop = std::get<core::Loop>(expr.node);
  const LoopPlace<Values> place{&expr, {frame.slots, frame.size}, frame.captures};
  auto here = [&](auto&& action) -> decltype(auto) { return at(expr.span, action); };
  auto enter = [&](Value entered) {
    poll(expr.span);
    if (!loop.sizes.empty()) bind_sizes(loop.sizes, entered, frame);
    bind(*loop.pattern, std::move(entered), frame);
  };
  if (const auto* form = std::get_if<core::ForLess>(&loop.form))
    return domain_.loop_for(place, here, form->type, first, bound, std::move(state),
                            [&](Scalar i, Value entered) {
                              enter(std::move(entered));
                              frame.slots[form->slot] = i;
                              step(*loop.body);
                              return value(*loop.body, frame);
                            });
  if (const auto* form = std::get_if<core::ForIn>(&loop.form))
    return domain_.loop_in(place, here, std::move(elements), std::move(state),
                           [&](Value element, Value entered) {
                             enter(std::move(entered));
                             bind(*form->pattern, std::move(element), frame);
                             step(*loop.body);
                             return value(*loop.body, frame);
                           });
  const core::While& form = std::get<core::While>(loop.form);
  return domain_.loop_while(
      place, here, std::move(state), [&](const Value& entered) { enter(entered); },
      [&] { return domain_.truth(scalar(*form.condition, frame)); },
      [&] {
        step(*loop.body);
        return value(*loop.body, frame);
      });
}

// ---- records and sums --------------------------------------------------------------------------

template <Domain D>
auto Walker<D>::evaluate(const core::Record& node, const core::Expr&, Frame& frame) -> Value {
  Value result = Value::record_of_size(node.fields.size());
  for (std::size_t i = 0; i < node.fields.size(); ++i)
    result.fields()[i] = value(*node.fields[i], frame);
  return result;
}

template <Domain D>
auto Walker<D>::evaluate(const core::Project& node, const core::Expr&, Frame& frame) -> Value {
  if (node.is_last_use) {
    Value& record = frame.slots[std::get<core::Local>(node.record->node).slot];
    if (record.unique()) return domain_.take(record.fields()[node.field]);
  }
  Value storage;
  const Value& record = borrow(*node.record, frame, storage);
  if (&record == &storage && storage.unique()) return std::move(storage.fields()[node.field]);
  return record.fields()[node.field];
}

template <Domain D>
auto Walker<D>::evaluate(const core::Sum& node, const core::Expr&, Frame& frame) -> Value {
  Value result = Value::sum_of_size(node.tag, node.payload.size());
  for (std::size_t i = 0; i < node.payload.size(); ++i)
    result.fields()[i] = value(*node.payload[i], frame);
  return result;
}

// ---- arrays ------------------------------------------------------------------------------------

template <Domain D>
auto Walker<D>::evaluate(const core::ArrayLiteral& node, const core::Expr& expr, Frame& frame)
    -> Value {
  Slots slots = take_slots(node.elements.size());
  for (std::size_t i = 0; i < node.elements.size(); ++i)
    slots[i] = value(*node.elements[i], frame);
  ArraySite site(*this, frame, node.type, expr.span, node.elements);
  return at(expr.span, [&] {
    return domain_.array_literal(std::span<Value>(slots.data(), node.elements.size()), site);
  });
}

template <Domain D>
void Walker<D>::evaluate_parts(const std::vector<core::IndexPart>& parts, Frame& frame,
                               Parts& result) {
  auto optional = [&](const core::Expr* expr) {
    return expr ? std::optional<Scalar>(scalar(*expr, frame)) : std::nullopt;
  };
  for (const core::IndexPart& part : parts) {
    Part& evaluated = result.add();
    evaluated.is_slice = part.is_slice;
    if (part.is_slice) {
      evaluated.begin = optional(part.begin);
      evaluated.end = optional(part.end);
      evaluated.stride = optional(part.stride);
    } else {
      evaluated.index_type = part.index_type;
      evaluated.index = scalar(*part.index, frame);
    }
  }
}

template <Domain D>
auto Walker<D>::evaluate(const core::Index& node, const core::Expr& expr, Frame& frame) -> Value {
  Parts parts;
  evaluate_parts(node.parts, frame, parts);
  Value storage;
  const Value& array = borrow(*node.array, frame, storage);
  return at(expr.span, [&] {
    if constexpr (requires { domain_.index_at(expr, array, parts.all()); })
      return domain_.index_at(expr, array, parts.all());
    else
      return domain_.index(array, parts.all());
  });
}

/// Indices and the replacement come first; then the value is taken, with no other owner left.
template <Domain D>
auto Walker<D>::evaluate(const core::Update& update, const core::Expr& expr, Frame& frame)
    -> Value {
  std::vector<Step> path;
  path.reserve(update.path.size());
  for (const auto& step : update.path) {
    if (const auto* field = std::get_if<core::FieldStep>(&step)) {
      path.emplace_back(field->field);
      continue;
    }
    // `[i][j]` is `[i, j]`.
    Parts* last = path.empty() ? nullptr : std::get_if<Parts>(&path.back());
    if (!last || !last->is_element()) last = &std::get<Parts>(path.emplace_back(Parts{}));
    evaluate_parts(std::get<core::IndexStep>(step).parts, frame, *last);
  }
  Value replacement = value(*update.replacement, frame);
  return replace(value(*update.value, frame), path, std::move(replacement), expr);
}

template <Domain D>
auto Walker<D>::replace(Value target, std::span<const Step> path, Value replacement,
                        const core::Expr& expr) -> Value {
  if (path.empty()) return replacement;
  if (const auto* field = std::get_if<std::uint32_t>(&path.front())) {
    if (!target.unique()) {
      Value copy = Value::record_of_size(target.fields().size());
      std::copy(target.fields().begin(), target.fields().end(), copy.fields().begin());
      target = std::move(copy);
    }
    Value& place = target.fields()[*field];
    place = replace(std::move(place), path.subspan(1), std::move(replacement), expr);
    return target;
  }
  std::span<const Part> parts = std::get<Parts>(path.front()).all();
  if (path.size() > 1) {
    Value old = at(expr.span, [&] { return domain_.index(target, parts); });
    replacement = replace(std::move(old), path.subspan(1), std::move(replacement), expr);
  }
  return at(expr.span, [&] {
    if constexpr (requires { domain_.update_at(expr, std::move(target), parts, Value()); })
      return domain_.update_at(expr, std::move(target), parts, std::move(replacement));
    else
      return domain_.update(std::move(target), parts, std::move(replacement));
  });
}

template <Domain D>
auto Walker<D>::evaluate(const core::Range& node, const core::Expr& expr, Frame& frame) -> Value {
  RangeBounds<Values> bounds;
  bounds.type = node.type;
  bounds.kind = node.kind;
  bounds.first = scalar(*node.first, frame);
  if (node.second) bounds.second = scalar(*node.second, frame);
  bounds.end = scalar(*node.end, frame);
  const core::SizedType sized{expr.type, {}};
  const std::vector<const core::Expr*> arguments;
  ArraySite site(*this, frame, sized, expr.span, arguments);
  return at(expr.span, [&] { return domain_.range(bounds, site); });
}

// ---- checks ------------------------------------------------------------------------------------

template <Domain D>
auto Walker<D>::evaluate(const core::Coerce& coerce, const core::Expr& expr, Frame& frame)
    -> Value {
  Value result = value(*coerce.value, frame);
  if (!unsafe_) check_sizes(result, coerce.checks, expr.type, "", expr.span, frame);
  return result;
}

template <Domain D>
auto Walker<D>::evaluate(const core::Assert& assertion, const core::Expr& expr, Frame& frame)
    -> Value {
  if (!unsafe_)
    domain_.require(domain_.truth(scalar(*assertion.condition, frame)), [&] {
      fail("failed-assertion", "Assertion is false: " + assertion.condition_text, expr.span);
    });
  return value(*assertion.body, frame);
}

template <Domain D>
auto Walker<D>::evaluate(const core::Attributed& node, const core::Expr& expr, Frame& frame)
    -> Value {
  auto continuation = [&] { return attributed(node, expr, frame); };
  if constexpr (requires { domain_.attributed(node, continuation); })
    return domain_.attributed(node, continuation);
  else
    return continuation();
}

template <Domain D>
auto Walker<D>::attributed(const core::Attributed& node, const core::Expr& expr, Frame& frame)
    -> Value {
  if (node.attribute == core::Attribute::Accelerate) return whole(*node.body, frame);
  if (node.attribute == core::Attribute::Unsafe) {
    if (context_.debugging != Debugging::Off) return value(*node.body, frame);
    struct Restore {
      bool& flag;
      bool old;
      ~Restore() { flag = old; }
    } restore{unsafe_, std::exchange(unsafe_, true)};
    return value(*node.body, frame);
  }
  const core::Expr* body = node.body;
  if (node.attribute == core::Attribute::Break && context_.breakpoint) {
    if constexpr (std::is_same_v<Value, sinter::Value>) {
      const std::vector<StackFrame> frames = call_stack(expr.span);
      const std::vector<RunningCall> calls = running_calls();
      BreakPlace place{expr.span, frames, {}, nullptr, calls};
      // The specialiser binds a record of the variables in reach around the body, for nothing else.
      if (const auto* reach = std::get_if<core::Let>(&node.body->node)) {
        place.variables = value(*reach->value, frame);
        place.variables_type = reach->value->type;
        body = reach->body;
      }
      at(expr.span, [&] { context_.breakpoint(place); });
    } else {
      context_.breakpoint({expr.span, {}, {}, nullptr, {}});
    }
  }
  Value result = value(*body, frame);
  if (node.attribute == core::Attribute::Trace && context_.trace) {
    std::string place = !node.tag.empty()  ? node.tag
                        : context_.sources ? context_.sources->describe(expr.span)
                                           : "trace";
    context_.trace(place + ": " + domain_.show(result, node.body->type));
  }
  return result;
}

template <Domain D>
auto Walker<D>::evaluate(const core::Hole&, const core::Expr& expr, Frame&) -> Value {
  fail("hole", "reached a hole of type `" + print(expr.type) + "`", expr.span);
}

template <Domain D>
auto Walker<D>::evaluate(const core::Unsupported& node, const core::Expr& expr, Frame&) -> Value {
  fail(FailureKind::Unsupported, node.reason, expr.span);
}

} // namespace sinter::eval
