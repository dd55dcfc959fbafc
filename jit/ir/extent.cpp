#include "jit/ir/extent.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <utility>

namespace sinter::ir {

namespace {

using Summand = Extent::Summand;

constexpr std::size_t most_summands = 16;
constexpr std::size_t most_factors = 8;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

std::uint64_t hash_of(const Extent& term) {
  std::uint64_t hash = mixed(0, term.constant());
  for (const Summand& summand : term.summands()) {
    hash = mixed(hash, summand.coefficient);
    for (const ValueId factor : summand.factors)
      hash = mixed(hash, factor.index);
  }
  return hash;
}

/// `a + factor·b`, of lists of summands.
std::vector<Summand> combined(const std::vector<Summand>& a, const std::vector<Summand>& b,
                              std::uint64_t factor) {
  std::vector<Summand> result;
  auto x = a.begin();
  auto y = b.begin();
  while (x != a.end() || y != b.end()) {
    const bool takes_x = y == b.end() || (x != a.end() && x->factors <= y->factors);
    const bool takes_y = x == a.end() || (y != b.end() && y->factors <= x->factors);
    Summand summand = takes_x ? *x : Summand{y->factors, 0};
    if (takes_y) summand.coefficient += factor * y->coefficient;
    if (takes_x) ++x;
    if (takes_y) ++y;
    if (summand.coefficient != 0) result.push_back(std::move(summand));
  }
  return result;
}

} // namespace

Term ExtentTable::intern(Extent term) {
  const std::uint64_t hash = hash_of(term);
  const auto [first, last] = terms_.equal_range(hash);
  for (auto known = first; known != last; ++known)
    if (known->second->constant() == term.constant() &&
        known->second->summands() == term.summands())
      return known->second.get();
  return terms_.emplace(hash, std::make_unique<const Extent>(std::move(term)))->second.get();
}

Term ExtentTable::number(std::uint64_t constant) {
  Extent term;
  term.constant_ = constant;
  return intern(std::move(term));
}

Term ExtentTable::atom(ValueId value) {
  Extent term;
  term.summands_.push_back({{value}, 1});
  return intern(std::move(term));
}

std::optional<Term> ExtentTable::sum(Term a, Term b, std::uint64_t factor) {
  Extent term;
  term.constant_ = a->constant() + factor * b->constant();
  term.summands_ = combined(a->summands(), b->summands(), factor);
  if (term.summands_.size() > most_summands) return std::nullopt;
  return intern(std::move(term));
}

std::optional<Term> ExtentTable::product(Term a, Term b) {
  Extent term;
  term.constant_ = a->constant() * b->constant();
  term.summands_ =
      combined(combined({}, a->summands(), b->constant()), b->summands(), a->constant());
  for (const Summand& x : a->summands())
    for (const Summand& y : b->summands()) {
      Summand summand{{}, x.coefficient * y.coefficient};
      std::ranges::merge(x.factors, y.factors, std::back_inserter(summand.factors));
      if (summand.factors.size() > most_factors) return std::nullopt;
      term.summands_ = combined(term.summands_, {std::move(summand)}, 1);
      if (term.summands_.size() > most_summands) return std::nullopt;
    }
  return intern(std::move(term));
}

std::optional<Term> ExtentTable::substitute(Term term, ValueId atom, Term by) {
  Term result = number(term->constant());
  for (const Summand& summand : term->summands()) {
    Extent rest; // the summand without the atom
    Summand others{{}, summand.coefficient};
    std::ranges::remove_copy(summand.factors, std::back_inserter(others.factors), atom);
    const std::size_t count = summand.factors.size() - others.factors.size();
    if (others.factors.empty())
      rest.constant_ = others.coefficient;
    else
      rest.summands_.push_back(std::move(others));
    std::optional<Term> product = intern(std::move(rest));
    for (std::size_t i = 0; i < count && product; ++i)
      product = this->product(*product, by);
    if (!product) return std::nullopt;
    const std::optional<Term> sum = this->sum(result, *product);
    if (!sum) return std::nullopt;
    result = *sum;
  }
  return result;
}

std::string print(Term term) {
  std::string text;
  const auto add = [&](std::uint64_t number, const std::string& factors) {
    const auto signed_number = static_cast<std::int64_t>(number);
    if (!text.empty()) text += signed_number < 0 ? " - " : " + ";
    const std::uint64_t magnitude = !text.empty() && signed_number < 0 ? 0 - number : number;
    if (factors.empty() || magnitude != 1)
      text += std::to_string(static_cast<std::int64_t>(magnitude)) + (factors.empty() ? "" : "·");
    text += factors;
  };
  if (term->constant() != 0 || term->is_number()) add(term->constant(), "");
  for (const Extent::Summand& summand : term->summands()) {
    std::string factors;
    for (const ValueId factor : summand.factors)
      factors += (factors.empty() ? "v" : "·v") + std::to_string(factor.index);
    add(summand.coefficient, factors);
  }
  return text;
}

void dump(Term term) {
  std::cerr << print(term) << '\n';
}

} // namespace sinter::ir
