// The domain of ordinary values: walking a program over it is running it.
//
// Scalar operations and control are here, inline; arrays are in the files concrete_*.cpp:
// indexing (index, slice, update, range), soacs (functions over elements), writes (scatter,
// histograms, accumulators) and rearranging (views, joins, comparison).
#pragma once

#include "lang/eval/accelerator.h"
#include "lang/eval/domain.h"
#include "lang/eval/globals.h"
#include "lang/values/concrete.h"
#include "lang/values/elements.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace sinter {

/// The array behind an accumulator, which all its copies share, and how a new value meets the old
/// one: through a function of the program, or (Nothing) by replacing it.
struct ConcreteAccumulator {
  ArrayRef array;
  Value combine;
};

} // namespace sinter

namespace sinter::eval {

using ConcreteSite = Site<Concrete>;

/// The extents of a result that no element shows: those that nothing names are 0.
inline Extents extents_without_elements(ConcreteSite& site) {
  Extents result;
  for (const std::optional<Scalar>& extent : site.extents())
    result.push_back(extent ? extent->as<std::int64_t>() : 0);
  return result;
}
using ConcreteIndexPart = IndexPart<Concrete>;

class ConcreteDomain {
public:
  using Values = Concrete;
  using Truth = bool;

  /// `accelerator` may be null.
  ConcreteDomain(MemoryBudget& memory, Representations& representations,
                 Accelerator* accelerator = nullptr)
      : memory_(memory), representations_(representations), accelerator_(accelerator) {}

  // ---- calls and variables ---------------------------------------------------------------------

  template <typename At, typename Body>
  Value call(const core::Function& function, const Value* captures, std::span<Value> arguments,
             At&& at, Body&& body) {
    if (!accelerator_) [[likely]]
      return body();
    Accelerator::Watch watch;
    watch.around = innermost_;
    if (std::optional<Value> result =
            at([&] { return offer_call(function, captures, arguments, watch); }))
      return std::move(*result);
    if (watch.may_begin_again && may_begin_again_)
      return run_call(watch, function, captures, arguments, at, body);
    Value result = body();
    if (watch.site) accelerator_->interpreted(watch);
    return result;
  }
  /// Whether the accelerator has code for a call.
  bool stands_ready_for(const core::Function& function) const {
    return accelerator_ && accelerator_->stands_ready_for(function);
  }
  /// A call that nothing is around, if the accelerator takes it.
  std::optional<Value> taken_call(const core::Function& function, std::span<Value> arguments) {
    Accelerator::Watch watch;
    return offer_call(function, nullptr, arguments, watch);
  }
  /// `clear` drops what the continuation has left in the frame, if it is to be run again.
  template <typename At, typename Clear, typename Continuation>
  Value expression(const ExpressionPlace<Concrete>& place, At&& at, Clear&& clear,
                   Continuation&& continuation) {
    if (!accelerator_) return continuation();
    Accelerator::Candidate candidate;
    candidate.around = innermost_;
    candidate.place = &place;
    candidate.is_constant = std::exchange(computes_constant_, false);
    if (std::optional<Value> result =
            at([&] { return accelerator_->expression(place, candidate); }))
      return std::move(*result);
    return run(candidate, at, clear, continuation);
  }
  template <typename Continuation>
  Value attributed(const core::Attributed& attributed, Continuation&& continuation) {
    if (!accelerator_) return continuation();
    struct Scope {
      Accelerator& accelerator;
      const core::Attributed& attributed;
      Scope(Accelerator& told, const core::Attributed& entered)
          : accelerator(told), attributed(entered) {
        accelerator.enter(attributed);
      }
      ~Scope() { accelerator.leave(attributed); }
      Scope(const Scope&) = delete;
      Scope& operator=(const Scope&) = delete;
    } scope(*accelerator_, attributed);
    return continuation();
  }
  template <typename Compute>
  Value global(const core::Global& global, Compute&& compute) {
    if (const Value* known = globals_.find(global)) return *known;
    if (!accelerator_) return globals_.set(global, compute()); // an error leaves it unset
    computes_constant_ = true;
    const std::int64_t began = Accelerator::now();
    Value value = compute();
    // What is around has not run meanwhile.
    const std::int64_t spent = Accelerator::now() - began;
    for (Accelerator::Candidate* candidate = innermost_; candidate; candidate = candidate->around)
      candidate->began += spent;
    return globals_.set(global, std::move(value));
  }
  const Globals& globals() const { return globals_; }
  Globals& globals() { return globals_; }
  /// From the next offer on; may be null.
  void set_accelerator(Accelerator* accelerator) { accelerator_ = accelerator; }
  /// Whether what the accelerator declined may be begun again later: not while somebody looks on,
  /// who would see it twice.
  void set_may_begin_again(bool may_begin_again) { may_begin_again_ = may_begin_again; }
  /// The innermost candidate of the evaluation that is running; for those who run another one
  /// inside of it, which has candidates of its own.
  Accelerator::Candidate*& innermost_candidate() { return innermost_; }
  void here(Span) {}
  Value take(Value& variable) { return std::move(variable); }

  // ---- scalars ---------------------------------------------------------------------------------

  Scalar literal(ElementType, Scalar value) { return value; }

  Scalar primitive(const primitives::Primitive& primitive, Scalar a, Scalar b, Scalar c) {
    if (primitive.is_defined && !primitive.is_defined(a, b)) fail_undefined(primitive);
    return primitive.apply(a, b, c);
  }

  // ---- control on data: it is known, so the domain decides --------------------------------------

  bool truth(Scalar scalar) { return scalar.as<bool>(); }
  std::optional<bool> decided(bool truth) { return truth; }
  bool both(bool a, bool b) { return a && b; }
  bool equals(ElementType type, Scalar literal, Scalar value) {
    if (is_float(type))
      return with_cpp_type(type, [&]<typename T>() { return literal.as<T>() == value.as<T>(); });
    return literal == value;
  }
  bool has_tag(const Value& sum, std::uint32_t tag) { return sum.tag() == tag; }
  std::span<const Value> payload(const Value& sum, std::uint32_t) { return sum.fields(); }
  std::span<Value> payload(Value& sum, std::uint32_t) { return sum.fields(); }
  bool same_size(Scalar a, Scalar b) { return a == b; }

  template <typename Then, typename Else>
  auto branch(bool truth, Then&& then_branch, Else&& else_branch) {
    return truth ? then_branch() : else_branch();
  }
  template <typename Failure>
  void require(bool truth, Failure&& failure) {
    if (!truth) failure();
  }
  template <typename At, typename Body>
  Value loop_for(const LoopPlace<Concrete>& place, At&& at, ElementType type, Scalar first,
                 Scalar bound, Value state, Body&& body) {
    // Sign or zero extension makes all integer types but u64 comparable as i64.
    auto less = [type](Scalar a, Scalar b) {
      return type == ElementType::U64 ? a.bits < b.bits
                                      : a.as<std::int64_t>() < b.as<std::int64_t>();
    };
    if (accelerator_) [[unlikely]] {
      LoopOffers offers(innermost_);
      for (Scalar i = first; less(i, bound); ++i.bits) {
        if (offers.is_due())
          if (auto result = at([&] { return offer_loop(place, state, i, bound, nullptr, offers); }))
            return std::move(*result);
        state = body(i, std::move(state));
      }
      return state;
    }
    if (type == ElementType::U64) {
      for (std::uint64_t i = first.bits; i < bound.bits; ++i)
        state = body(Scalar::of(i), std::move(state));
    } else {
      const std::int64_t end = bound.as<std::int64_t>();
      for (std::int64_t i = first.as<std::int64_t>(); i < end; ++i)
        state = body(Scalar::of(i), std::move(state));
    }
    return state;
  }
  template <typename At, typename Body>
  Value loop_in(const LoopPlace<Concrete>& place, At&& at, Value array, Value state, Body&& body) {
    const std::int64_t count = array.array()->shape.front();
    LoopOffers offers(innermost_);
    for (std::int64_t i = 0; i < count; ++i) {
      if (accelerator_ && offers.is_due()) [[unlikely]]
        if (auto result = at([&] {
              return offer_loop(place, state, Scalar::of(i), Scalar::of(count), &array, offers);
            }))
          return std::move(*result);
      state = body(get_element(array.array(), i), std::move(state));
    }
    return state;
  }
  template <typename At, typename Enter, typename Condition, typename Body>
  Value loop_while(const LoopPlace<Concrete>& place, At&& at, Value state, Enter&& enter,
                   Condition&& condition, Body&& body) {
    LoopOffers offers(innermost_);
    for (;;) {
      if (accelerator_ && offers.is_due()) [[unlikely]]
        if (auto result = at([&] { return offer_loop(place, state, {}, {}, nullptr, offers); }))
          return std::move(*result);
      enter(std::as_const(state));
      if (!condition()) return state;
      state = Value(); // the loop's variables are the only owners now
      state = body();
    }
  }

  // ---- arrays ----------------------------------------------------------------------------------

  Value bytes(std::string_view text);
  Value array_literal(std::span<Value> elements, ConcreteSite& site);
  Value range(const RangeBounds<Concrete>& bounds, ConcreteSite& site);
  Value index(const Value& array, std::span<const ConcreteIndexPart> parts) {
    const ArrayObject& object = *array.array();
    if (parts.size() == 1 && object.shape.size() == 1 && object.element->is_scalar() &&
        !parts[0].is_slice && parts[0].index.bits < static_cast<std::uint64_t>(object.shape[0])) {
      const Leaf& leaf = object.leaves.front();
      return load_scalar(leaf.element, leaf.buffer->contents(),
                         leaf.offset + parts[0].index.as<std::int64_t>() * leaf.strides[0]);
    }
    return index_general(array.array(), parts);
  }
  Value update(Value array, std::span<const ConcreteIndexPart> parts, Value replacement);
  Value array_operation(primitives::ArrayOperation operation, std::span<Value> arguments,
                        ConcreteSite& site);
  std::optional<Scalar> extent(const Value& value, std::span<const std::uint32_t> fields,
                               std::uint32_t dimension) {
    std::optional<std::int64_t> found = extent_at(value, fields, dimension);
    return found ? std::optional<Scalar>(Scalar::of(*found)) : std::nullopt;
  }

  // ---- words -----------------------------------------------------------------------------------

  std::string show(const Value& value, const Representation* type);
  std::string text(ElementType type, Scalar scalar) { return print(type, scalar, false); }

  /// How many elements are handled before the wish to stop is looked for, where no function is
  /// called.
  static constexpr std::int64_t poll_interval = 1 << 16;

private:
  /// When a loop's rest is offered: before the first iteration, then after 1, 2, 4, 8, … more, at
  /// last after every 1024.
  class LoopOffers {
  public:
    explicit LoopOffers(Accelerator::Candidate* around) { watch.around = around; }
    bool is_due() {
      if (--until_next_ > 0) return false;
      done_ += passed_;
      passed_ = until_next_ = interval_;
      if (interval_ < 1024) interval_ *= 2;
      return true;
    }
    /// Where an offer is due: the number of iterations so far.
    std::int64_t done() const { return done_; }

    Accelerator::Watch watch;

  private:
    std::int32_t until_next_ = 1, interval_ = 1, passed_ = 0;
    std::int64_t done_ = 0;
  };

  std::optional<Value> offer_call(const core::Function& function, const Value* captures,
                                  std::span<Value> arguments, Accelerator::Watch& watch);
  std::optional<Value> offer_loop(const LoopPlace<Concrete>& place, Value& state, Scalar next,
                                  Scalar bound, const Value* elements, LoopOffers& offers);

  /// Makes a candidate the innermost one as long as the scope lasts.
  class Inside {
  public:
    Inside(Accelerator::Candidate*& innermost, Accelerator::Candidate& candidate)
        : innermost_(innermost), around_(std::exchange(innermost, &candidate)) {}
    ~Inside() { innermost_ = around_; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

  private:
    Accelerator::Candidate*& innermost_;
    Accelerator::Candidate* around_;
  };
  /// Evaluates a candidate; `reset` puts things back to where `body` can run again.
  template <typename At, typename Reset, typename Body>
  Value run(Accelerator::Candidate& candidate, At&& at, Reset&& reset, Body&& body) {
    if (!candidate.may_begin_again || !may_begin_again_) {
      Value result = body();
      if (candidate.site) accelerator_->interpreted(candidate);
      return result;
    }
    while (true) {
      try {
        const Inside inside(innermost_, candidate);
        Value result = body();
        if (candidate.site) accelerator_->interpreted(candidate);
        return result;
      } catch (const Accelerator::Restart& restart) {
        if (restart.candidate != &candidate) throw;
      }
      candidate.may_begin_again = false; // once is enough
      if (std::optional<Value> result = at([&] { return accelerator_->begin_again(candidate); }))
        return std::move(*result);
      reset();
    }
  }
  /// (Not inlined: a candidate would enlarge the frames of all that recurses.)
  template <typename At, typename Body>
  [[gnu::noinline]] Value run_call(const Accelerator::Watch& watch, const core::Function& function,
                                   const Value* captures, std::span<Value> arguments, At&& at,
                                   Body&& body) {
    Accelerator::Candidate candidate{watch};
    note_call(candidate, function, captures, arguments);
    const auto reset = [&] {
      std::move(candidate.arguments.begin(), candidate.arguments.end(), arguments.begin());
    };
    return run(candidate, at, reset, body);
  }
  static void note_call(Accelerator::Candidate& candidate, const core::Function& function,
                        const Value* captures, std::span<const Value> arguments);

  [[noreturn]] static void fail_undefined(const primitives::Primitive& primitive);
  Value index_general(const ArrayRef& array, std::span<const ConcreteIndexPart> parts);

  // Each array operation has a function of this shape, named as its row (concrete_soacs.cpp,
  // concrete_writes.cpp, concrete_rearranging.cpp); a row without one does not compile.
#define SINTER_ARRAY_OPERATION(Id, ...) Value apply_##Id(std::span<Value>, ConcreteSite&);
#define SINTER_ARRAY_MEMBER(...)
#define SINTER_ARRAY_FAMILY(Family)                                                                \
  Value apply_##Family(std::span<Value>, std::size_t count, ConcreteSite&);
#include "lang/primitives/array_operations.def"

  /// An operation whose functions are being interpreted, and what the accelerator wants of it.
  struct Running {
    primitives::ArrayOperation operation{};
    std::int64_t ask_at = Accelerator::Watch::never;
    std::int64_t fails_at = Accelerator::Watch::never;
    Accelerator::Watch* watch = nullptr; ///< where there is an accelerator
    bool may_be_asked() const { return ask_at != Accelerator::Watch::never; }
  };
  /// To be called once, first, by an operation that can be taken over between two elements.
  Running start() {
    return std::exchange(running_, {});
  }
  /// Before the element that `running.ask_at` names: whether the accelerator wants the elements
  /// from that one on; else it has said when to ask again.
  bool wants_rest(Running& running, std::span<const Value> arguments, std::int64_t count,
                  ConcreteSite& site);
  /// The operation's result on the arguments that make up the rest, if the accelerator takes it.
  std::optional<Value> offer_rest(const Running& running, std::span<Value> arguments,
                                  ConcreteSite& site);
  /// Both: the result on all elements from `done` on, where the arguments at the positions `arrays`
  /// have the elements; on the arguments as they are, where there are no such positions.
  std::optional<Value> take_over(Running& running, std::span<const Value> arguments,
                                 std::span<const std::size_t> arrays, std::int64_t done,
                                 std::int64_t count, ConcreteSite& site);

  Value interpret(primitives::ArrayOperation operation, std::span<Value> arguments,
                  ConcreteSite& site);
  Value reduce(std::span<Value> arguments, ConcreteSite& site);
  Value stream(std::span<Value> elements_and_function, ConcreteAccumulator start,
               ConcreteSite& site);

  MemoryBudget& memory_;
  Representations& representations_;
  Accelerator* accelerator_;
  Accelerator::Candidate* innermost_ = nullptr;
  bool may_begin_again_ = true;
  bool computes_constant_ = false; ///< the next expression is a global's
  Running running_;                ///< between an offer and the beginning of the operation
  Globals globals_;
};

static_assert(Domain<ConcreteDomain>);

} // namespace sinter::eval
