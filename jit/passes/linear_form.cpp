#include "jit/passes/linear_form.h"

#include <algorithm>
#include <cstddef>

namespace sinter::jit {

std::int64_t LinearForm::coefficient(std::uint32_t atom) const {
  const auto own = std::find_if(terms.begin(), terms.end(),
                                [&](const auto& term) { return term.first == atom; });
  return own == terms.end() ? 0 : own->second;
}

LinearForm LinearForm::without(std::uint32_t atom) const {
  LinearForm rest = *this;
  std::erase_if(rest.terms, [&](const auto& term) { return term.first == atom; });
  return rest;
}

std::optional<LinearForm> combine(const LinearForm& a, const LinearForm& b, std::int64_t factor) {
  LinearForm result;
  std::int64_t scaled = 0;
  if (__builtin_mul_overflow(b.constant, factor, &scaled) ||
      __builtin_add_overflow(a.constant, scaled, &result.constant))
    return std::nullopt;
  std::size_t i = 0, j = 0;
  while (i < a.terms.size() || j < b.terms.size()) {
    const bool takes_a =
        j == b.terms.size() || (i < a.terms.size() && a.terms[i].first <= b.terms[j].first);
    const bool takes_b =
        i == a.terms.size() || (j < b.terms.size() && b.terms[j].first <= a.terms[i].first);
    const std::uint32_t atom = takes_a ? a.terms[i].first : b.terms[j].first;
    std::int64_t coefficient = takes_a ? a.terms[i++].second : 0;
    if (takes_b && (__builtin_mul_overflow(b.terms[j++].second, factor, &scaled) ||
                    __builtin_add_overflow(coefficient, scaled, &coefficient)))
      return std::nullopt;
    if (coefficient != 0) result.terms.emplace_back(atom, coefficient);
  }
  return result;
}

} // namespace sinter::jit
