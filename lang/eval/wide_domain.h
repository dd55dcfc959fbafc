// The domain of wide numbers: the program runs as it does over ordinary values, but a float is a
// number of 50 or more digits (wide_numbers.h).
//
// Integers, truth values, control and arrays are those of the ordinary domain: a wide number is a
// position in a list, which moves through arrays, records and functions as a float would.  So this
// domain says anew only what looks at floats: literals, primitives, comparison, text.
#pragma once

#include "lang/eval/concrete_domain.h"
#include "lang/eval/wide_numbers.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace sinter::eval {

class WideDomain : private ConcreteDomain {
public:
  using Values = Concrete;
  using Truth = bool;

  WideDomain(MemoryBudget& memory, Representations& representations, unsigned digits)
      : ConcreteDomain(memory, representations), memory_(memory), representations_(representations),
        numbers_(make_wide_numbers(digits, memory)) {}

  const WideNumbers& numbers() const { return *numbers_; }
  WideNumbers& numbers() { return *numbers_; }
  /// The same value with every float widened (or wide number rounded), arrays in fresh memory.
  Value widen(const Value& value, const Representation* type);
  Value narrow(const Value& value, const Representation* type) const;

  /// Gives a global an ordinary value that comes from outside; it is widened when it is used.
  void define(const core::Global& global, Value value) { given_[&global] = std::move(value); }
  /// Globals have these ordinary values, widened, where there are any, instead of being computed.
  /// `known` must outlive the domain.
  void take_from(const Globals& known) { known_ = &known; }
  template <typename Compute>
  Value global(const core::Global& global, Compute&& compute) {
    return ConcreteDomain::global(global, [&] {
      const auto given = given_.find(&global);
      if (given != given_.end()) return widen(given->second, global.type);
      const Value* known = known_ ? known_->peek(global) : nullptr;
      return known ? widen(*known, global.type) : compute();
    });
  }

  // What the ordinary domain says holds here too.
  using ConcreteDomain::array_literal;
  using ConcreteDomain::both;
  using ConcreteDomain::branch;
  using ConcreteDomain::bytes;
  using ConcreteDomain::call;
  using ConcreteDomain::decided;
  using ConcreteDomain::extent;
  using ConcreteDomain::has_tag;
  using ConcreteDomain::here;
  using ConcreteDomain::index;
  using ConcreteDomain::loop_for;
  using ConcreteDomain::loop_in;
  using ConcreteDomain::loop_while;
  using ConcreteDomain::payload;
  using ConcreteDomain::range;
  using ConcreteDomain::require;
  using ConcreteDomain::same_size;
  using ConcreteDomain::take;
  using ConcreteDomain::truth;
  using ConcreteDomain::update;

  Scalar literal(ElementType type, Scalar value) {
    if (!is_float(type)) return value;
    const auto known = literals_.find({type, value.bits});
    if (known != literals_.end()) return known->second;
    const Scalar wide = numbers_->widen(type, value);
    literals_.emplace(std::pair{type, value.bits}, wide);
    return wide;
  }
  Scalar primitive(const primitives::Primitive& primitive, Scalar a, Scalar b, Scalar c) {
    if (is_float(primitive.operand) || is_float(primitive.result))
      return numbers_->apply(primitive, a, b, c);
    return ConcreteDomain::primitive(primitive, a, b, c);
  }
  bool equals(ElementType type, Scalar literal, Scalar value) {
    if (is_float(type)) return numbers_->are_equal(this->literal(type, literal), value);
    return ConcreteDomain::equals(type, literal, value);
  }
  Value array_operation(primitives::ArrayOperation operation, std::span<Value> arguments,
                        ConcreteSite& site);
  std::string show(const Value& value, const Representation* type) {
    return ConcreteDomain::show(narrow(value, type), type);
  }
  std::string text(ElementType type, Scalar scalar) {
    return ConcreteDomain::text(type, is_float(type) ? numbers_->narrow(type, scalar) : scalar);
  }

private:
  std::optional<Value> fold(primitives::ArrayOperation operation, std::span<Value> arguments,
                            ConcreteSite& site);
  bool equal(const Value& a, const Value& b, const Representation* type) const;

  MemoryBudget& memory_;
  Representations& representations_;
  std::unique_ptr<WideNumbers> numbers_;
  std::map<std::pair<ElementType, std::uint64_t>, Scalar> literals_;
  std::map<const core::Global*, Value> given_;
  const Globals* known_ = nullptr;
};

static_assert(Domain<WideDomain>);

} // namespace sinter::eval
