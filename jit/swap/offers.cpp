#include "jit/swap/offers.h"

#include "lang/eval/forecast.h"
#include "lang/values/elements.h"

#include <algorithm>
#include <utility>

namespace sinter::jit {

namespace {

Layout number_layout(ElementType type) {
  Layout number;
  number.kind = Layout::Kind::Scalar;
  number.scalar = type;
  return number;
}

} // namespace

Offer Offer::call(Site& site, const core::Function& function, std::span<const Value> captures,
                  std::span<Value> arguments) {
  Offer offer(site, CallSource{&function, static_cast<std::uint32_t>(captures.size())});
  offer.inputs_.reserve(captures.size() + arguments.size());
  for (std::size_t i = 0; i < captures.size(); ++i)
    offer.read(captures[i], function.capture_types[i]);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    offer.read(arguments[i], function.parameters[i]->type, true);
  offer.work = eval::elements_in(captures) + eval::elements_in(arguments);
  return offer;
}

Offer Offer::operation(Site& site, primitives::ArrayOperation operation,
                       eval::Site<Concrete>& place, std::span<const Value> arguments) {
  Offer offer(site, OperationSource{operation, &place});
  offer.inputs_.reserve(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i)
    offer.read(arguments[i], place.argument_type(i));
  offer.work = eval::elements_in(arguments);
  return offer;
}

Offer Offer::operation(Site& site, primitives::ArrayOperation operation,
                       eval::Site<Concrete>& place, std::span<Value> arguments) {
  Offer offer = Offer::operation(site, operation, place, std::span<const Value>(arguments));
  for (std::size_t i = 0; i < arguments.size(); ++i)
    offer.inputs_[i].may_be_moved = &arguments[i];
  return offer;
}

Offer Offer::loop(Site& site, const FrameInputs& frame, const eval::LoopPlace<Concrete>& place,
                  Value& state, Scalar next, Scalar bound, const Value* elements) {
  const core::Loop& node = std::get<core::Loop>(place.loop->node);
  LoopSource source{place.loop,
                    static_cast<std::uint32_t>(place.slots.size()),
                    &frame,
                    {},
                    {},
                    elements,
                    next.as<std::int64_t>(),
                    bound.as<std::int64_t>()};
  if (const auto* count_up = std::get_if<core::ForLess>(&node.form)) {
    source.number = count_up->type;
    source.numbers = {next, bound};
  }
  Offer offer(site, std::move(source));
  offer.read_frame(frame, place);
  offer.read(state, node.pattern->type, true);
  if (elements) offer.read(*elements, std::get<core::ForIn>(node.form).array->type);
  offer.work = eval::elements_in(state);
  return offer;
}

Offer Offer::expression(Site& site, const FrameInputs& frame,
                        const eval::ExpressionPlace<Concrete>& place) {
  Offer offer(site,
              ExpressionSource{place.expr, static_cast<std::uint32_t>(place.slots.size()), &frame});
  offer.read_frame(frame, place);
  return offer;
}

bool Offer::is_possible() const {
  return std::ranges::all_of(inputs_, [](const Input& input) { return has_layout(*input.value); });
}

Target Offer::target() const {
  struct Make {
    const Offer& offer;
    Target operator()(const CallSource& source) const {
      return CallTarget{source.function, source.capture_count};
    }
    Target operator()(const OperationSource& source) const {
      return operation_target(source.operation, *source.place, offer.inputs_.size());
    }
    Target operator()(const LoopSource& source) const {
      return LoopTarget{source.loop, source.frame_size, source.frame->slots,
                        source.frame->captures};
    }
    Target operator()(const ExpressionSource& source) const {
      return ExpressionTarget{source.expr, source.frame_size, source.frame->slots,
                              source.frame->captures};
    }
  };
  return std::visit(Make{*this}, source_);
}

Occasion Offer::occasion() const {
  if (const auto* whole = std::get_if<ExpressionSource>(&source_))
    return inputs_.empty() ? Occasion::evaluation(*whole->expr) : Occasion();
  const auto* call = std::get_if<CallSource>(&source_);
  if (!call) return {};
  Occasion occasion = Occasion::call(*call->function, {}, {});
  for (const Input& input : inputs_)
    occasion.add(*input.value);
  return occasion;
}

std::vector<Layout> Offer::layouts(Representations& representations) const {
  std::vector<Layout> layouts;
  layouts.reserve(inputs_.size() + 2);
  for (const Input& input : inputs_)
    layouts.push_back(layout_of(*input.value, input.type, representations));
  if (const auto* operation = std::get_if<OperationSource>(&source_))
    layouts.resize(layouts.size() + static_cast<std::size_t>(std::ranges::count(
                                        operation->place->named_extents(), true)),
                   number_layout(ElementType::I64));
  if (const auto* loop = std::get_if<LoopSource>(&source_))
    layouts.resize(layouts.size() + loop->numbers.size(), number_layout(loop->number));
  return layouts;
}

std::vector<Value> Offer::take(bool is_moved) {
  std::vector<Value> values;
  values.reserve(inputs_.size() + 2);
  // Extents first: to evaluate them may need what the arguments share.
  std::vector<std::optional<Scalar>> extents;
  if (const auto* operation = std::get_if<OperationSource>(&source_))
    extents = operation->place->extents();
  for (const Input& input : inputs_) {
    if (input.may_be_moved && is_moved)
      values.push_back(std::move(*input.may_be_moved));
    else
      values.push_back(*input.value);
  }
  for (const std::optional<Scalar>& extent : extents)
    if (extent) values.emplace_back(*extent);
  if (const auto* loop = std::get_if<LoopSource>(&source_)) {
    values.insert(values.end(), loop->numbers.begin(), loop->numbers.end());
    if (loop->elements)
      values.back() =
          slice_view(loop->elements->array(), 0, loop->begin, loop->end - loop->begin, 1);
  }
  return values;
}

} // namespace sinter::jit
