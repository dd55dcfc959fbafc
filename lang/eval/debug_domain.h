// The domain of ordinary values, with its assumptions tested: what runs is the same, but array
// operations are looked at before, and so is each float that comes about if that is asked for.
//
// A domain of its own, so that the ordinary one does not pay for it.  It has no state but what the
// ordinary one has, whose globals it shares.
#pragma once

#include "lang/eval/assumptions.h"
#include "lang/eval/concrete_domain.h"
#include "lang/primitives/fold_order.h"

#include <cmath>

namespace sinter::eval {

class DebugDomain : public ConcreteDomain {
public:
  /// `context` must outlive this.
  explicit DebugDomain(EvaluationContext& context)
      : ConcreteDomain(*context.memory, *context.representations, context.accelerator),
        context_(context), assumptions_(context, globals()) {}

  const Assumptions& assumptions() const { return assumptions_; }

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
    if (assumptions_.is_testing()) return run();
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
};

static_assert(Domain<DebugDomain>);

} // namespace sinter::eval
