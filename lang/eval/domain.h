// What the walker needs from whatever "values" are.
//
// The walk gives every construct of the language its meaning once: scoping, patterns, currying,
// closures, records, order of evaluation.  A *domain* supplies the rest: what a scalar is, what an
// array is, and what becomes of control that depends on data.  The domain of ordinary values runs
// the program; a domain whose scalars are expressions would leave a trace of it.
//
// Two rules keep the halves apart:
// - a domain never looks at syntax (places in the program are opaque to it);
// - the walker never asks which domain it has.
//
// Errors: a domain throws RuntimeError without span and frames; the walker knows where it is and
// adds both.
#pragma once

#include "lang/base/runtime_error.h"
#include "lang/base/span.h"
#include "lang/primitives/primitives.h"
#include "lang/syntax/ast.h"
#include "lang/values/representation.h"
#include "lang/values/scalar.h"
#include "lang/values/value.h"

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinter::core {
struct Expr;
struct Function;
struct Global;
} // namespace sinter::core

namespace sinter::eval {

/// One part of an index list, evaluated: an index, or a slice with optional bounds (all i64).
template <typename Values>
struct IndexPart {
  using Scalar = typename Values::Scalar;
  bool is_slice = false;
  ElementType index_type = ElementType::I64; ///< of `index`
  Scalar index{};
  std::optional<Scalar> begin, end, stride;
};

/// `first[..second]` `...|..<|..>` `end`, evaluated; all of the integer type `type`.
template <typename Values>
struct RangeBounds {
  using Scalar = typename Values::Scalar;
  ElementType type{};
  Scalar first{};
  std::optional<Scalar> second;
  syntax::RangeEnd kind{};
  Scalar end{};
};

/// The place of an array operation in the running program: what the operation may ask of the walk.
template <typename Values>
class Site {
public:
  using Value = BasicValue<Values>;

  /// The result's representation.
  virtual const Representation* type() const = 0;
  virtual const Representation* argument_type(std::size_t position) const = 0;
  virtual Span span() const = 0;
  /// Equal for two applications only if they are the same place of the program.
  virtual const void* place() const = 0;
  /// The calls that are running, innermost first; the first one is at this place.
  virtual std::vector<StackFrame> calls() const = 0;
  /// The result's extents in the order of a depth-first walk, outermost first; none where the
  /// program has no name for one.  Evaluates expressions: ask only where no element shows them.
  virtual std::vector<std::optional<typename Values::Scalar>> extents() = 0;
  /// Which of them the program has names for.  Evaluates nothing.
  virtual std::vector<bool> named_extents() const = 0;
  /// Applies a function of the program.  The arguments are moved from.
  virtual Value call(const Value& function, std::span<Value> arguments) = 0;
  /// Throws if somebody asked the evaluation to stop; for loops that call no function.
  virtual void poll() = 0;

protected:
  ~Site() = default;
};

/// The place of a running loop, for domains that hand the rest of a loop on: opaque to the others.
template <typename Values>
struct LoopPlace {
  const core::Expr* loop = nullptr;          ///< a core::Loop
  std::span<const BasicValue<Values>> slots; ///< the frame of the running function
  const BasicValue<Values>* captures = nullptr;
};

/// The place of an expression that is about to be evaluated, for domains that hand it on.
template <typename Values>
struct ExpressionPlace {
  const core::Expr* expr = nullptr;
  std::span<const BasicValue<Values>> slots; ///< the frame of the running function
  const BasicValue<Values>* captures = nullptr;
};

/// Runs an action of a domain so that its errors learn where in the program they happened.
struct AtNoPlace {
  template <typename Action>
  decltype(auto) operator()(Action&& action) const {
    return action();
  }
};

/// The concept.  In words, beside what the signatures say:
///
/// - `Values` names the types inside BasicValue; `Truth` is what a condition on data evaluates to
///   (a bool where data is known).
/// - `call` runs a function's body, the continuation, on arguments that are still in place; or
/// gives
///   the result in another way, and then has moved from the arguments.  `at` runs an action so that
///   its errors get the call's place.
/// - `global` gives the value of a global, which `compute` computes.
/// - `take` reads a variable whose last use this is on the path that runs; the variable may be left
///   empty if no other path will run.
/// - `literal` makes a scalar, `bytes` an array of u8.
/// - `primitive` applies a row of the table; throws where the row is undefined.  Operands beyond
///   the row's arity are ignored.
/// - `truth` makes a condition of a bool scalar; `decided` says what a
///   condition is if that is known now; `equals` compares with a literal of a pattern (floats by
///   ==), `has_tag` asks for a sum's constructor, `same_size` compares two i64.
/// - `index_at` and `update_at`, of domains that have them, are called in the place of `index` and
///   `update` where the program has an expression for that.
/// - `branch` evaluates one of two continuations, or both and joins their results.  `require` calls
///   the handler, which throws, if the condition does not hold.
/// - `payload` gives the payload of one constructor of a sum that may have it.
/// - `here` tells where in the program the next operations stand.
/// - `loop_for` runs `body(i, state)` for i = first … bound-1; `loop_in` runs `body(element,
/// state)`;
///   `loop_while` calls `enter(state)`, which takes what it needs of the state, and then `body()`
///   as long as `condition()` holds, and gives the last state.  Between two iterations the rest of
///   a loop may be run in another way; `at` as for `call`.
/// - `index` and `update` check bounds; `update` overwrites in place if nobody else owns the array,
///   else copies once.
/// - `extent` reads a size off a value (see core::SizePath), if the value shows it.
/// - `show` and `text` word messages and `#[trace]`.
/// A domain may have two functions more, which say no more than that the continuation is run:
/// - `expression(place, at, clear, continuation)`: the body of a global or of what is evaluated
///   at a prompt, or what `#[accelerate]` is about; it may be run again after `clear`, if it reads
///   nothing of its frame;
/// - `attributed(node, continuation)`: all that runs while an attributed expression is
///   evaluated.
template <typename D>
concept Domain = requires(
    D domain, typename D::Values::Scalar scalar, typename D::Truth truth,
    BasicValue<typename D::Values> value, const BasicValue<typename D::Values>& seen,
    std::span<BasicValue<typename D::Values>> values,
    std::span<const IndexPart<typename D::Values>> parts, RangeBounds<typename D::Values> range,
    Site<typename D::Values>& site, ElementType element, Scalar literal, std::string_view text,
    const primitives::Primitive& primitive, primitives::ArrayOperation operation,
    std::span<const std::uint32_t> fields, const Representation* representation,
    const core::Function& function, const core::Global& global,
    const LoopPlace<typename D::Values>& place, AtNoPlace at, BasicValue<typename D::Values>& slot,
    BasicValue<typename D::Values> (*continuation)(),
    BasicValue<typename D::Values> (*step)(typename D::Values::Scalar,
                                           BasicValue<typename D::Values>),
    BasicValue<typename D::Values> (*element_step)(BasicValue<typename D::Values>,
                                                   BasicValue<typename D::Values>),
    void (*enter)(const BasicValue<typename D::Values>&), typename D::Truth (*condition)(),
    void (*failure)()) {
  // Calls and variables.
  {domain.here(Span{})};
  {
    domain.call(function, &seen, values, at, continuation)
    } -> std::same_as<BasicValue<typename D::Values>>;
  { domain.global(global, continuation) } -> std::same_as<BasicValue<typename D::Values>>;
  { domain.take(slot) } -> std::same_as<BasicValue<typename D::Values>>;

  // Scalars.
  { domain.literal(element, literal) } -> std::same_as<typename D::Values::Scalar>;
  {
    domain.primitive(primitive, scalar, scalar, scalar)
    } -> std::same_as<typename D::Values::Scalar>;

  // Control on data.
  { domain.truth(scalar) } -> std::same_as<typename D::Truth>;
  { domain.decided(truth) } -> std::same_as<std::optional<bool>>;
  { domain.both(truth, truth) } -> std::same_as<typename D::Truth>;
  { domain.equals(element, literal, scalar) } -> std::same_as<typename D::Truth>;
  { domain.has_tag(seen, std::uint32_t{}) } -> std::same_as<typename D::Truth>;
  {
    domain.payload(seen, std::uint32_t{})
    } -> std::same_as<std::span<const BasicValue<typename D::Values>>>;
  {
    domain.payload(value, std::uint32_t{})
    } -> std::same_as<std::span<BasicValue<typename D::Values>>>;
  { domain.same_size(scalar, scalar) } -> std::same_as<typename D::Truth>;
  {
    domain.branch(truth, continuation, continuation)
    } -> std::same_as<BasicValue<typename D::Values>>;
  {domain.require(truth, failure)};
  {
    domain.loop_for(place, at, element, scalar, scalar, std::move(value), step)
    } -> std::same_as<BasicValue<typename D::Values>>;
  {
    domain.loop_in(place, at, std::move(value), std::move(value), element_step)
    } -> std::same_as<BasicValue<typename D::Values>>;
  {
    domain.loop_while(place, at, std::move(value), enter, condition, continuation)
    } -> std::same_as<BasicValue<typename D::Values>>;

  // Arrays.
  { domain.bytes(text) } -> std::same_as<BasicValue<typename D::Values>>;
  { domain.array_literal(values, site) } -> std::same_as<BasicValue<typename D::Values>>;
  { domain.range(range, site) } -> std::same_as<BasicValue<typename D::Values>>;
  { domain.index(seen, parts) } -> std::same_as<BasicValue<typename D::Values>>;
  {
    domain.update(std::move(value), parts, std::move(value))
    } -> std::same_as<BasicValue<typename D::Values>>;
  {
    domain.array_operation(operation, values, site)
    } -> std::same_as<BasicValue<typename D::Values>>;
  {
    domain.extent(seen, fields, std::uint32_t{})
    } -> std::same_as<std::optional<typename D::Values::Scalar>>;

  // Words.
  { domain.show(seen, representation) } -> std::same_as<std::string>;
  { domain.text(element, scalar) } -> std::same_as<std::string>;
};

} // namespace sinter::eval
