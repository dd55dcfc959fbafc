// The domain of IR values: walking a program over it leaves an IR function behind.
//
// This is what the walker of lang/eval sees; the work is done by, each over those before it:
// - `Code` (code.h): statements, scopes, checks, sizes;
// - `Leaves` (leaves.h): how values lie in arrays;
// - `Recursion`, `Globals`: what calls and constants become;
// - `Branches`, `Loops`: control that depends on data becomes IR control;
// - `Soacs`, `Indexing`, `Operations`: array operations.
//
// The trace is pure: who owns which array is decided when it is complete (ownership.h).  What a
// compiled function cannot be is thrown as CannotTrace; what would fail while running becomes a
// check.  A check may also be stricter than the language in cases that do not matter (sizes near
// 2^63): a failing check only means that the interpreter evaluates the region.
#pragma once

#include "jit/trace/globals.h"
#include "jit/trace/operations.h"

#include <type_traits>

namespace sinter::jit {

class SymbolicDomain {
public:
  using Values = Symbolic;
  using Value = SymbolicValue;
  using Truth = SymbolicScalar;

  SymbolicDomain(ir::Builder& builder, Representations& representations,
                 const TraceOptions& options)
      : code_(builder, representations, options) {}

  Code& code() { return code_; }
  Globals& globals() { return globals_; }

  // ---- calls and variables ----------------------------------------------------------------------

  template <typename At, typename Body>
  Value call(const core::Function& function, const Value*, std::span<Value> arguments, At&&,
             Body&& body) {
    code_.note_function(function);
    if (recursion_.is_last_call(function)) return recursion_.next_call(arguments);
    const Recursion::CallDepth depth(recursion_, function);
    if (!recursion_.is_loop(function)) return body();
    return recursion_.trace(loops_, function, arguments, body);
  }
  template <typename Compute>
  Value global(const core::Global& global, Compute&& compute) {
    return globals_.value(global, compute);
  }
  /// What acts while it is evaluated, or is not to be compiled, is no part of a trace.
  template <typename Continuation>
  Value attributed(const core::Attributed& node, Continuation&& continuation) {
    const core::Attribute attribute = node.attribute;
    if (attribute == core::Attribute::Trace || attribute == core::Attribute::Break ||
        attribute == core::Attribute::Interpret) {
      code_.here(node.attribute_span);
      code_.refuse(Reason::ForTheInterpreter, {std::string(core::text(attribute))});
    }
    if (attribute == core::Attribute::Accelerate && !code_.suits(node.mark))
      code_.refuse_mark(node);
    return continuation();
  }
  void here(Span span) { code_.here(span); }
  /// All paths are walked, so a variable is never left empty.
  Value take(Value& variable) { return variable; }

  // ---- scalars ----------------------------------------------------------------------------------

  SymbolicScalar literal(ElementType type, Scalar value) { return code_.literal(type, value); }
  SymbolicScalar primitive(const primitives::Primitive& primitive, SymbolicScalar a,
                           SymbolicScalar b, SymbolicScalar c);

  // ---- control on data --------------------------------------------------------------------------

  Truth truth(SymbolicScalar scalar) { return scalar; }
  std::optional<bool> decided(Truth truth) const { return code_.decided(truth); }
  Truth both(Truth a, Truth b) {
    return code_.handle(code_.both(code_.operand(a), code_.operand(b)));
  }
  Truth equals(ElementType type, Scalar literal, SymbolicScalar value);
  Truth has_tag(const Value& sum, std::uint32_t tag) { return code_.has_tag(sum, tag); }
  std::span<const Value> payload(const Value& sum, std::uint32_t tag) const {
    return jit::payload(sum, tag);
  }
  std::span<Value> payload(Value& sum, std::uint32_t tag) const { return jit::payload(sum, tag); }
  Truth same_size(SymbolicScalar a, SymbolicScalar b) {
    return code_.handle(code_.same_size(code_.operand(a), code_.operand(b)));
  }
  template <typename Then, typename Else>
  auto branch(Truth truth, Then&& then_branch, Else&& else_branch) -> decltype(then_branch()) {
    if (std::optional<bool> known = decided(truth)) return *known ? then_branch() : else_branch();
    auto joined = branches_.branch(
        code_.operand(truth), [&] { return Value(then_branch()); },
        [&] { return Value(else_branch()); });
    if constexpr (std::is_same_v<decltype(then_branch()), SymbolicScalar>)
      return joined.scalar();
    else
      return joined;
  }
  template <typename Failure>
  void require(Truth truth, Failure&& failure) {
    if (decided(truth) == true) return;
    try {
      failure();
    } catch (const RuntimeError& error) {
      code_.check(code_.operand(truth), Code::failure_site(error));
    }
  }

  template <typename At, typename Body>
  Value loop_for(const eval::LoopPlace<Symbolic>& place, At&&, ElementType type,
                 SymbolicScalar first, SymbolicScalar bound, Value state, Body&& body) {
    // Loops begin at 0, and what is left of one no lower.
    ir::Operand from = code_.operand(first);
    if (from.is_value())
      from = code_.binary(primitives::Operation::Maximum, from, ir::Operand::constant(type, {}));
    return loops_.trace_for(
        type, from, code_.operand(bound), std::move(state),
        [&](SymbolicScalar i, Value entered) { return body(i, std::move(entered)); },
        marked_parallel(place));
  }
  template <typename At, typename Body>
  Value loop_in(const eval::LoopPlace<Symbolic>& place, At&&, Value array, Value state,
                Body&& body) {
    const ir::Operand zero = ir::Operand::i64(0);
    return loops_.trace_for(
        ElementType::I64, zero, array.array()->length(), std::move(state),
        [&](SymbolicScalar i, Value entered) {
          return body(leaves_.element(*array.array(), {code_.operand(i)}), std::move(entered));
        },
        marked_parallel(place));
  }
  template <typename At, typename Enter, typename Condition, typename Body>
  Value loop_while(const eval::LoopPlace<Symbolic>&, At&&, Value state, Enter&& enter,
                   Condition&& condition, Body&& body) {
    return loops_.trace_while(
        std::move(state),
        [&](const Value& entered) {
          enter(entered);
          return code_.operand(condition());
        },
        [&](const Value& entered) {
          enter(entered);
          return body();
        });
  }

  // ---- arrays -----------------------------------------------------------------------------------

  Value bytes(std::string_view text) { return indexing_.bytes(text); }
  Value array_literal(std::span<Value> elements, SymbolicSite& site) {
    return indexing_.array_literal(elements, site);
  }
  Value range(const eval::RangeBounds<Symbolic>& bounds, SymbolicSite&) {
    return indexing_.range(bounds);
  }
  Value index(const Value& array, std::span<const SymbolicPart> parts) {
    return indexing_.index(array, parts);
  }
  Value update(const Value& array, std::span<const SymbolicPart> parts, const Value& replacement) {
    return indexing_.update(array, parts, replacement);
  }
  Value array_operation(primitives::ArrayOperation operation, std::span<Value> arguments,
                        SymbolicSite& site) {
    return operations_.apply(operation, arguments, site);
  }
  std::optional<SymbolicScalar> extent(const Value& value, std::span<const std::uint32_t> fields,
                                       std::uint32_t dimension) {
    return leaves_.extent(value, fields, dimension);
  }

  // ---- words ------------------------------------------------------------------------------------

  std::string show(const Value&, const Representation*) {
    code_.refuse(Reason::ForTheInterpreter, {"#[trace]"});
  }
  std::string text(ElementType type, SymbolicScalar scalar) const {
    return code_.text(type, scalar);
  }

private:
  /// The loop, if it has the mark `#[parallel]`.
  static const core::Loop* marked_parallel(const eval::LoopPlace<Symbolic>& place) {
    const core::Loop& loop = std::get<core::Loop>(place.loop->node);
    return loop.parallel ? &loop : nullptr;
  }

  Code code_;
  Leaves leaves_{code_};
  Recursion recursion_{code_};
  Globals globals_{code_, recursion_};
  Branches branches_{code_, leaves_, recursion_};
  Loops loops_{code_, leaves_};
  Soacs soacs_{code_, leaves_};
  Indexing indexing_{code_, leaves_, soacs_};
  Operations operations_{code_, leaves_, soacs_, indexing_, branches_, loops_};
};

static_assert(eval::Domain<SymbolicDomain>);

} // namespace sinter::jit
