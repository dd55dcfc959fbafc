#include "jit/ir/size_facts.h"

#include <algorithm>
#include <utility>

namespace sinter::ir {

namespace {

using Op = primitives::Operation;

constexpr std::uint64_t minus_one = ~std::uint64_t{0};
/// How many atoms are put in, and how deep choices in conditions of choices are looked into.
constexpr unsigned most_replacements = 64, most_choices = 3;

const Primitive* as_primitive(const Operation* operation) {
  return operation ? std::get_if<Primitive>(operation) : nullptr;
}

/// Whether every number of the one type is the same number of the other: a scalar's bits
/// (lang/values/scalar.h) stay.
bool keeps_numbers(ElementType from, ElementType to) {
  if (!is_integer(from) || !is_integer(to)) return false;
  if (byte_size(to) == 8) return true; // modulo 2^64
  return byte_size(from) <= byte_size(to) && is_signed(from) == is_signed(to);
}

/// An atom that a term says all of, and what else there is: the term is `± atom + rest`.
struct Solution {
  ValueId atom;
  bool is_negative = false;
};

std::optional<Solution> solution(const Extent& term) {
  const auto is_elsewhere = [&](ValueId atom) {
    return std::ranges::any_of(term.summands(), [&](const Extent::Summand& summand) {
      return summand.factors.size() > 1 && std::ranges::count(summand.factors, atom) > 0;
    });
  };
  // What was computed last is said in terms of what was there before.
  std::optional<Solution> found;
  for (const Extent::Summand& summand : term.summands())
    if (summand.factors.size() == 1 &&
        (summand.coefficient == 1 || summand.coefficient == minus_one) &&
        !is_elsewhere(summand.factors[0]))
      found = Solution{summand.factors[0], summand.coefficient == minus_one};
  return found;
}

} // namespace

// ---- terms -------------------------------------------------------------------------------------

Term SizeFacts::known_term(const Operand& operand) const {
  if (operand.is_constant()) return table_.number(operand.scalar().bits);
  const auto found = terms_.find(operand.value().index);
  return found == terms_.end() ? nullptr : found->second;
}

std::variant<Term, ValueId> SizeFacts::defined(ValueId value) const {
  const Primitive* primitive = as_primitive(definition_(value));
  return primitive ? defined(value, *primitive) : table_.atom(value);
}

std::variant<Term, ValueId> SizeFacts::defined(ValueId value, const Primitive& primitive) const {
  const primitives::Primitive& row = *primitive.primitive;
  const bool is_exact = row.operation == Op::Convert
                            ? keeps_numbers(row.operand, row.result)
                            : is_integer(row.operand) && byte_size(row.operand) == 8;
  const Term atom = table_.atom(value);
  switch (is_exact ? row.operation : Op::Equal) {
  case Op::Convert:
  case Op::Negate:
  case Op::Add:
  case Op::Subtract:
  case Op::Multiply:
    break;
  default:
    return atom;
  }
  std::vector<Term> parts;
  for (const Operand& argument : primitive.arguments) {
    parts.push_back(known_term(argument));
    if (!parts.back()) return argument.value();
  }
  switch (row.operation) {
  case Op::Convert:
    return parts[0];
  case Op::Negate:
    return table_.sum(table_.number(0), parts[0], minus_one).value_or(atom);
  case Op::Multiply:
    return table_.product(parts[0], parts[1]).value_or(atom);
  default:
    return table_.sum(parts[0], parts[1], row.operation == Op::Add ? 1 : minus_one).value_or(atom);
  }
}

Term SizeFacts::term(const Operand& value) const {
  if (const Term known = known_term(value)) return known;
  std::vector<ValueId> wanted{value.value()}; // each is an operand of the one before
  while (!wanted.empty()) {
    const std::variant<Term, ValueId> found = defined(wanted.back());
    if (const auto* first = std::get_if<ValueId>(&found)) {
      wanted.push_back(*first);
    } else {
      terms_.emplace(wanted.back().index, std::get<Term>(found));
      wanted.pop_back();
    }
  }
  return known_term(value);
}

// ---- what is known of terms --------------------------------------------------------------------

std::optional<Term> SizeFacts::replacement(ValueId atom, unsigned depth) const {
  if (const auto bound = bound_.find(atom.index); bound != bound_.end()) return bound->second;
  const Operation* definition = definition_(atom);
  const Select* choice = definition ? std::get_if<Select>(definition) : nullptr;
  if (!choice) return std::nullopt;
  const std::optional<bool> truth = decide(choice->condition, depth + 1);
  if (!truth) return std::nullopt;
  return term(*truth ? choice->then_value : choice->else_value);
}

Term SizeFacts::normal(Term term, unsigned depth) const {
  if (trail_.empty() || term->is_number()) return term;
  if (const auto known = normal_.find(term); known != normal_.end()) return known->second;
  Term result = term;
  const auto put_one_in = [&] {
    for (const Extent::Summand& summand : result->summands())
      for (const ValueId atom : summand.factors)
        if (const std::optional<Term> by = replacement(atom, depth))
          if (const std::optional<Term> next = table_.substitute(result, atom, *by)) {
            result = *next;
            return true;
          }
    return false;
  };
  for (unsigned count = 0; count < most_replacements && put_one_in(); ++count) {
  }
  if (depth == 0) normal_.emplace(term, result);
  return result;
}

std::optional<Term> SizeFacts::difference(Term a, Term b, unsigned depth) const {
  return table_.sum(normal(a, depth), normal(b, depth), minus_one);
}

bool SizeFacts::is_zero(Term difference, unsigned depth) const {
  return difference->is_zero() || std::ranges::any_of(equations_, [&](Term equation) {
           const Term known = normal(equation, depth);
           const std::optional<Term> sum = table_.sum(known, difference);
           return known == difference || (sum && (*sum)->is_zero());
         });
}

std::optional<bool> SizeFacts::decide(const Operand& condition, unsigned depth) const {
  if (condition.is_constant()) return condition.scalar().as<bool>();
  if (const auto known = truths_.find(condition.value().index); known != truths_.end())
    return known->second;
  const Primitive* primitive = as_primitive(definition_(condition.value()));
  if (!primitive || depth > most_choices) return std::nullopt;
  const primitives::Primitive& row = *primitive->primitive;
  if (row.operation == Op::Complement) {
    const std::optional<bool> inner = decide(primitive->arguments[0], depth + 1);
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  if ((row.operation != Op::Equal && row.operation != Op::NotEqual) || !is_integer(row.operand))
    return std::nullopt;
  const std::optional<Term> distance =
      difference(term(primitive->arguments[0]), term(primitive->arguments[1]), depth);
  if (!distance || !(*distance)->is_number()) return std::nullopt;
  return (*distance)->is_zero() == (row.operation == Op::Equal);
}

bool SizeFacts::are_equal(const Operand& a, const Operand& b) const {
  if (is_never_reached() || a == b) return true;
  const std::optional<Term> distance = difference(term(a), term(b));
  return distance && is_zero(*distance, 0);
}

bool SizeFacts::are_equal(const Type& a, const Type& b) const {
  return a.element == b.element &&
         std::ranges::equal(a.extents, b.extents,
                            [this](const Operand& x, const Operand& y) { return are_equal(x, y); });
}

std::optional<Operand> SizeFacts::name(const Operand& size,
                                       const std::function<bool(ValueId)>& is_wanted) const {
  if (const std::optional<std::int64_t> known = number(size))
    if (is_extent(Operand::i64(*known))) return Operand::i64(*known);
  for (const Step& step : trail_) {
    const auto* truth = std::get_if<Truth>(&step);
    const Primitive* compared = truth ? as_primitive(definition_(truth->condition)) : nullptr;
    if (!compared || compared->primitive->operation != Op::Equal ||
        compared->primitive->operand != ElementType::I64)
      continue;
    for (const Operand& side : compared->arguments)
      if (side.is_value() && is_wanted(side.value()) && are_equal(side, size)) return side;
  }
  return std::nullopt;
}

std::optional<std::int64_t> SizeFacts::number(const Operand& size) const {
  const Term known = normal(term(size));
  if (!known->is_number()) return std::nullopt;
  return static_cast<std::int64_t>(known->constant());
}

bool SizeFacts::is_extent(const Operand& number) const {
  const Term own = term(number), known = normal(own);
  if (known->is_number()) return known->constant() < std::uint64_t{extent_limit};
  return extents_.contains(own) || extents_.contains(known);
}

// ---- what is told ------------------------------------------------------------------------------

void SizeFacts::told(Step step) {
  trail_.push_back(step);
  normal_.clear();
}

void SizeFacts::never_reached() {
  ++impossible_;
  told(Impossible{});
}

void SizeFacts::note_extent(const Operand& number) {
  const Term own = term(number);
  if (!own->is_number() && extents_.insert(own).second) trail_.emplace_back(KnownExtent{own});
}

bool SizeFacts::solve(Term difference) {
  if (difference->is_zero()) return false;
  if (difference->is_number()) {
    never_reached();
    return false;
  }
  const std::optional<Solution> found = solution(*difference);
  if (!found) return false;
  const Term atom = table_.atom(found->atom);
  const Term rest = *table_.sum(difference, atom, found->is_negative ? 1 : minus_one);
  bound_.insert_or_assign(found->atom.index, found->is_negative
                                                 ? rest
                                                 : *table_.sum(table_.number(0), rest, minus_one));
  told(Bound{found->atom});
  return true;
}

void SizeFacts::equate(Term a, Term b) {
  const std::optional<Term> distance = difference(a, b);
  if (!distance || is_zero(*distance, 0)) return;
  bool is_news = solve(*distance);
  if (!is_news && !is_never_reached()) {
    equations_.push_back(*distance);
    told(Equation{});
  }
  // What is known of an atom now may say more of others.
  while (is_news && !is_never_reached()) {
    is_news = false;
    for (std::size_t i = 0; i < equations_.size() && !is_news; ++i)
      is_news = solve(normal(equations_[i]));
  }
}

void SizeFacts::assume(const Operand& condition, bool truth) {
  if (condition.is_constant()) {
    if (condition.scalar().as<bool>() != truth) never_reached();
    return;
  }
  const auto [known, is_new] = truths_.try_emplace(condition.value().index, truth);
  if (!is_new) {
    if (known->second != truth) never_reached();
    return;
  }
  told(Truth{condition.value()});
  const Primitive* primitive = as_primitive(definition_(condition.value()));
  if (!primitive) return;
  const primitives::Primitive& row = *primitive->primitive;
  const std::vector<Operand>& arguments = primitive->arguments;
  const bool is_equality = row.operation == Op::Equal || row.operation == Op::NotEqual;
  if (is_equality && is_integer(row.operand)) {
    if (truth == (row.operation == Op::Equal)) equate(term(arguments[0]), term(arguments[1]));
  } else if (row.operand == ElementType::Bool) {
    if (row.operation == Op::Complement) assume(arguments[0], !truth);
    if (row.operation == (truth ? Op::And : Op::Or))
      for (const Operand& part : arguments)
        assume(part, truth);
  }
}

/// Whether the condition is that the number is 0 or less; `max n 0i64` is where n is.
bool SizeFacts::is_none(const Operand& condition, const Operand& number) const {
  const auto defining = [&](const Operand& value) {
    return value.is_value() ? as_primitive(definition_(value.value())) : nullptr;
  };
  const Primitive* const compared = defining(condition);
  if (!compared || compared->primitive->operation != Op::LessEqual ||
      compared->primitive->operand != ElementType::I64 || compared->arguments[1] != Operand::i64(0))
    return false;
  if (are_equal(compared->arguments[0], number)) return true;
  const Primitive* const greater = defining(number);
  return greater && greater->primitive->operation == Op::Maximum &&
         greater->primitive->operand == ElementType::I64 &&
         greater->arguments[1] == Operand::i64(0) &&
         are_equal(greater->arguments[0], compared->arguments[0]);
}

void SizeFacts::assume_some(const Operand& number) {
  for (std::size_t i = 0; i < trail_.size(); ++i) { // (which gets longer)
    const auto* const truth = std::get_if<Truth>(&trail_[i]);
    if (!truth || !truths_.at(truth->condition.index)) continue;
    if (is_none(Operand(truth->condition), number)) return never_reached();
    const Primitive* const either = as_primitive(definition_(truth->condition));
    if (!either || either->primitive->operation != Op::Or ||
        either->primitive->operand != ElementType::Bool)
      continue;
    for (const std::size_t side : {0, 1})
      if (is_none(either->arguments[side], number)) assume(either->arguments[1 - side]);
  }
}

void SizeFacts::undo_to(std::size_t mark) {
  if (trail_.size() > mark) normal_.clear();
  for (; trail_.size() > mark; trail_.pop_back()) {
    const Step& last = trail_.back();
    if (const auto* bound = std::get_if<Bound>(&last)) bound_.erase(bound->atom.index);
    if (std::holds_alternative<Equation>(last)) equations_.pop_back();
    if (const auto* truth = std::get_if<Truth>(&last)) truths_.erase(truth->condition.index);
    if (const auto* extent = std::get_if<KnownExtent>(&last)) extents_.erase(extent->term);
    if (std::holds_alternative<Impossible>(last)) --impossible_;
  }
}

} // namespace sinter::ir
