// The domain of ordinary values, with its assumptions tested: what runs is the same, but array
// operations are looked at before, and so is each float that comes about if that is asked for.
//
// A domain of its own, so that the ordinary one does not pay for it.  It has no state but what the
// ordinary one has, whose globals it shares.
#pragma once

#include "lang/eval/assumptions.h"
#include "lang/eval/concrete_domain.h"
#include "lang/eval/dependent_iterations.h"
#include "lang/primitives/fold_order.h"

#include <cmath>

namespace sinter::eval {

class DebugDomain : public ConcreteDomain {
public:
  /// `context` must outlive this.
  explicit DebugDomain(EvaluationContext& context)
      : ConcreteDomain(*context.memory, *context.representations, context.accelerator),
        context_(context), assumptions_(context, globals()),
        iterations_([this](const core::Expr& loop, const std::string& text) {
          assumptions_.report_dependence(loop, text);
        }) {}

  const Assumptions& assumptions() const { return assumptions_; }

  // ---- functions that may be computed in chunks

  /// Whether a call is for `chunked_call`.
  bool is_chunked(const core::Function& function) const {
    return function.chunk_law != core::ChunkLaw::None && !assumptions_.is_testing();
  }
  /// `apply` applies any function, this one without asking for chunks.
  Value chunked_call(const core::Function& function, std::span<Value> arguments, Span site,
                     const ApplyFunction& apply) {
    return assumptions_.in_chunks(function, arguments, site, apply);
  }

  // ---- loops that are marked `#[parallel]`

  template <typename At, typename Body>
  Value loop_for(const LoopPlace<Concrete>& place, At&& at, ElementType type, Scalar first,
                 Scalar bound, Value state, Body&& body) {
    if (!is_watched(place))
      return ConcreteDomain::loop_for(place, at, type, first, bound, std::move(state), body);
    const auto iterations = bound.as<std::int64_t>();
    return watched(
        place, iterations, std::move(state),
        [&](auto&& enter, auto&& leave, Value begun) {
          return ConcreteDomain::loop_for(place, at, type, first, bound, std::move(begun),
                                          [&](Scalar i, Value entered) {
                                            enter(i.as<std::int64_t>(), entered);
                                            return leave(body(i, std::move(entered)));
                                          });
        },
        [&](std::int64_t number, Value entered) {
          return body(Scalar::of(number), std::move(entered));
        });
  }
  template <typename At, typename Body>
  Value loop_in(const LoopPlace<Concrete>& place, At&& at, Value array, Value state, Body&& body) {
    if (is_watching()) iterations_.note_read_of_all(array);
    if (!is_watched(place))
      return ConcreteDomain::loop_in(place, at, std::move(array), std::move(state), body);
    return watched(
        place, array.array()->shape.front(), std::move(state),
        [&](auto&& enter, auto&& leave, Value begun) {
          std::int64_t number = 0;
          return ConcreteDomain::loop_in(
              place, at, array, std::move(begun), [&](Value element, Value entered) {
                enter(number++, entered);
                return leave(body(std::move(element), std::move(entered)));
              });
        },
        [&](std::int64_t number, Value entered) {
          return body(get_element(array.array(), number), std::move(entered));
        });
  }
  Value index_at(const core::Expr& expr, const Value& array,
                 std::span<const ConcreteIndexPart> parts) {
    if (is_watching()) [[unlikely]]
      iterations_.note_read(expr, array, parts);
    return index(array, parts);
  }
  Value update_at(const core::Expr& expr, Value array, std::span<const ConcreteIndexPart> parts,
                  Value replacement) {
    if (!is_watching()) [[likely]]
      return update(std::move(array), parts, std::move(replacement));
    iterations_.note_read_of_all(replacement);
    const std::vector<DependentIterations::Written> written =
        iterations_.note_write(expr, array, index(array, parts), parts, replacement);
    Value result = update(std::move(array), parts, std::move(replacement));
    iterations_.move_to(written, result);
    return result;
  }

  // ---- operations

  Scalar primitive(const primitives::Primitive& primitive, Scalar a, Scalar b, Scalar c) {
    const Scalar result = ConcreteDomain::primitive(primitive, a, b, c);
    if (context_.debugging == Debugging::Nan && is_float(primitive.result)) [[unlikely]]
      look_at(primitive, {a, b, c}, result);
    return result;
  }

  Value array_operation(primitives::ArrayOperation operation, std::span<Value> arguments,
                        ConcreteSite& site) {
    using Operation = primitives::ArrayOperation;
    const auto run = [&] { return ConcreteDomain::array_operation(operation, arguments, site); };
    if (assumptions_.is_testing() || context_.debugging == Debugging::Off) return run();
    if (is_watching()) note_accesses(operation, arguments);
    if (operation == Operation::ScatterStream || operation == Operation::HistogramStream)
      return assumptions_.test_stream(operation, arguments, site, run);
    if (operation == Operation::AccumulatorWrite)
      assumptions_.note_write(site, arguments);
    else
      assumptions_.test(operation, arguments, site);
    if (context_.debugging == Debugging::Nan) look_at_fold(operation, arguments, site);
    return run();
  }

private:
  bool is_watching() const { return iterations_.is_watching() && !assumptions_.is_testing(); }
  bool is_watched(const LoopPlace<Concrete>& place) const {
    return context_.debugging != Debugging::Off &&
           std::get<core::Loop>(place.loop->node).parallel && !assumptions_.is_testing();
  }
  /// Does a marked loop: `run(enter, leave, state)` does its iterations, tells of each state
  /// before and after; `iteration` does one.
  template <typename Run, typename Iterate>
  Value watched(const LoopPlace<Concrete>& place, std::int64_t iterations, Value state, Run&& run,
                Iterate&& iteration) {
    const bool is_tried =
        assumptions_.wants_other_orders(std::get<core::Loop>(place.loop->node), state);
    const Value initial = is_tried ? state : Value();
    Value result;
    {
      DependentIterations::Run watch(iterations_, place, iterations);
      result = run([&](std::int64_t number, const Value& entered) { watch.begin(number, entered); },
                   [&](Value next) {
                     watch.end(next);
                     return next;
                   },
                   std::move(state));
    }
    if (is_tried) assumptions_.test_orders(*place.loop, initial, result, iterations, iteration);
    return result;
  }
  /// What an operation reads, element by element, and what it writes to.
  void note_accesses(primitives::ArrayOperation operation, std::span<const Value> arguments) {
    using Operation = primitives::ArrayOperation;
    switch (operation) {
    case Operation::Map:
    case Operation::Map2:
    case Operation::Map3:
    case Operation::Map4:
    case Operation::Map5:
    case Operation::Flatmap:
    case Operation::Reduce:
    case Operation::ReduceCommutative:
    case Operation::Scan:
    case Operation::Filter:
    case Operation::Partition:
    case Operation::Concat:
    case Operation::Manifest:
    case Operation::Equal:
    case Operation::NotEqual:
      for (const Value& argument : arguments)
        iterations_.note_read_of_all(argument);
      return;
    case Operation::Scatter:
    case Operation::Scatter2d:
    case Operation::Scatter3d:
    case Operation::Histogram1d:
    case Operation::Histogram2d:
    case Operation::Histogram3d:
    case Operation::FlatUpdate2d:
    case Operation::FlatUpdate3d:
    case Operation::FlatUpdate4d:
      for (const Value& argument : arguments)
        iterations_.note_written_anew(argument);
      return;
    default:
      return; // of the others come views
    }
  }
  /// An error if a float is no number although all operands are.
  void look_at(const primitives::Primitive& primitive, std::array<Scalar, 3> operands,
               Scalar result) {
    if (assumptions_.is_testing() || is_finite(primitive.result, result)) return;
    if (primitive.operation == primitives::Operation::FromBits) return; // it was meant
    const bool is_nan = std::isnan(as_double(primitive.result, result));
    if (is_float(primitive.operand))
      for (std::size_t i = 0; i < primitive.arity; ++i) {
        const double operand = as_double(primitive.operand, operands[i]);
        if (std::isnan(operand) || (!is_nan && std::isinf(operand))) return; // it is no news
      }
    Assumptions::fail_not_finite(primitive, operands, result);
  }
  /// The ordinary domain applies primitives itself where arrays of floats are combined.
  void look_at_fold(primitives::ArrayOperation operation, std::span<const Value> arguments,
                    ConcreteSite& site) {
    using Operation = primitives::ArrayOperation;
    if (operation != Operation::Reduce && operation != Operation::ReduceCommutative &&
        operation != Operation::Scan)
      return;
    const FunctionObject<Concrete>& function = arguments[0].function();
    const primitives::Primitive* known = function.function->primitive;
    const ArrayRef& array = arguments[2].array();
    if (!known || !function.arguments.empty() || !is_float(known->result) ||
        array->shape.size() != 1 || !array->element->is_scalar())
      return;
    primitives::RunningFold fold(arguments[1].scalar(), [&](Scalar left, Scalar right) {
      return primitive(*known, left, right, {});
    });
    for (std::int64_t i = 0; i < array->shape.front(); ++i) {
      if (i % poll_interval == 0) site.poll();
      fold.push(get_element(array, i).scalar());
    }
    static_cast<void>(std::move(fold).result());
  }
  static double as_double(ElementType type, Scalar scalar) {
    return with_cpp_type(type, [&]<typename T>() { return static_cast<double>(scalar.as<T>()); });
  }
  static bool is_finite(ElementType type, Scalar scalar) {
    return std::isfinite(as_double(type, scalar));
  }

  EvaluationContext& context_;
  Assumptions assumptions_;
  DependentIterations iterations_;
};

static_assert(Domain<DebugDomain>);

} // namespace sinter::eval
