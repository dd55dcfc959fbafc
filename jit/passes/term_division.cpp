#include "jit/passes/term_division.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace sinter::jit {

using ir::Extent;

std::optional<TermDivision> divide(ir::Term term, ir::Term by) {
  if (!by->is_number() && (by->constant() != 0 || by->summands().size() != 1)) return std::nullopt;
  const Extent::Summand divisor =
      by->is_number() ? Extent::Summand{{}, by->constant()} : by->summands()[0];
  const auto unit = static_cast<std::int64_t>(divisor.coefficient);
  if (unit <= 0) return std::nullopt;
  TermDivision result;
  for (const Extent::Summand& summand : term->summands()) {
    const auto coefficient = static_cast<std::int64_t>(summand.coefficient);
    Extent::Summand whole{{}, static_cast<std::uint64_t>(coefficient / unit)};
    std::ranges::set_difference(summand.factors, divisor.factors,
                                std::back_inserter(whole.factors));
    const bool goes_into = whole.factors.size() + divisor.factors.size() == summand.factors.size();
    if (goes_into && coefficient % unit == 0)
      result.whole.push_back(std::move(whole));
    else
      result.left.push_back(summand);
  }
  return result;
}

} // namespace sinter::jit
