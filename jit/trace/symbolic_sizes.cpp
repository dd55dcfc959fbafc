// Symbolic arrays: numbers that are their sizes.
//
// The extents of compiled code are at least 0 and below ir::extent_limit.  The evaluator has arrays
// of any size that has no elements, and takes a negative size, which only an array without elements
// around can have, for 0.  So every number that becomes an extent passes through here; those that
// are not known to be extents are checked, and where one is none the evaluator goes on.
#include "jit/trace/symbolic_domain.h"

#include <algorithm>

namespace sinter::jit {

void SymbolicDomain::check_extent(const Operand& number) {
  if (sizes_.is_extent(number)) return;
  sizes_.note_extent(number);
  leave_unless(both(binary(Operation::LessEqual, Operand::i64(0), number),
                    binary(Operation::Less, number, Operand::i64(ir::extent_limit))),
               "a size that compiled code does not have: it is negative, or 2^48 or more");
}

void SymbolicDomain::leave_unless(const Operand& condition, std::string why) {
  check(condition, ir::FailureSite{FailureKind::OutOfMemory,
                                   std::move(why),
                                   span_,
                                   call_stack_ ? call_stack_(span_) : std::vector<StackFrame>(),
                                   {}});
}

ir::Operand SymbolicDomain::sum_of_extents(const Operand& a, const Operand& b) {
  const Operand sum = binary(Operation::Add, a, b);
  check_extent(sum);
  return sum;
}

ir::Operand SymbolicDomain::product_of_extents(const Operand& a, const Operand& b) {
  const Operand product = binary(Operation::Multiply, a, b);
  // (Factors that are constants and small leave the upper half 0 whatever the other one is.)
  constexpr std::int64_t small = INT64_MAX / ir::extent_limit;
  const auto is_small = [](const Operand& factor) {
    return factor.is_constant() && factor.scalar().as<std::int64_t>() <= small;
  };
  const Operand zero = Operand::i64(0);
  if (!is_small(a) && !is_small(b)) {
    const Operand upper = binary(Operation::MultiplyHigh, a, b);
    check_extent(select(binary(Operation::Equal, upper, zero), product, Operand::i64(-1)));
    sizes_.note_extent(product);
  }
  check_extent(product);
  return product;
}

std::vector<std::optional<ir::Operand>> SymbolicDomain::named_extents(SymbolicSite& site) {
  std::vector<std::optional<Operand>> result(site.type()->extent_count);
  try {
    const std::vector<std::optional<SymbolicScalar>> extents = site.extents();
    for (std::size_t i = 0; i < extents.size() && i < result.size(); ++i)
      if (extents[i]) result[i] = operand(*extents[i]);
  } catch (const RuntimeError&) { // a size that cannot be told
  } catch (const CannotTrace&) {  // nor traced
  }
  for (std::optional<Operand>& extent : result) {
    if (!extent) continue;
    if (extent->is_constant() && extent->scalar().as<std::int64_t>() < 0)
      extent = Operand::i64(0);
    else
      check_extent(*extent);
  }
  return result;
}

/// A name for a size in the innermost body that is known around it, if checks say that it has one.
ir::Operand SymbolicDomain::name_outside(const Operand& size) const {
  const auto is_outside = [&](ValueId value) { return !builder_.is_defined_within(value, 1); };
  if (size.is_constant() || is_outside(size.value())) return size;
  return sizes_.name(size, is_outside).value_or(size);
}

} // namespace sinter::jit
