#include "jit/passes/facts.h"

#include "jit/passes/term_division.h"

#include <algorithm>
#include <utility>

namespace sinter::jit {

using namespace ir;
using primitives::Operation;

namespace {

constexpr unsigned search_depth = 6;
constexpr unsigned step_limit = 200;
constexpr unsigned bits_depth = 4; ///< of operations on bits that are looked through
constexpr std::int64_t small_bound = extent_limit;
constexpr std::int64_t form_bound = std::int64_t{1} << 62;

/// `lesser <= greater`, or `<`.
struct Order {
  Operand lesser, greater;
  bool is_strict = false;
};

/// What the comparison says where it holds (or does not); nothing of other operations.
std::optional<Order> order_of(const ir::Primitive& comparison, bool truth) {
  const Operation operation = comparison.primitive->operation;
  const bool is_less = operation == Operation::Less || operation == Operation::LessEqual;
  if (!is_less && operation != Operation::Greater && operation != Operation::GreaterEqual)
    return std::nullopt;
  const bool is_strict = operation == Operation::Less || operation == Operation::Greater;
  const Operand &a = comparison.arguments[0], &b = comparison.arguments[1];
  // `not (a < b)` is `b <= a`.
  return is_less == truth ? Order{a, b, is_strict == truth} : Order{b, a, is_strict == truth};
}

bool is_logical(const primitives::Primitive& row, Operation operation) {
  return row.operation == operation && row.operand == ElementType::Bool;
}

} // namespace

void Facts::back_to(const Mark& mark) {
  while (facts_.size() > mark.facts) {
    for (const auto& [atom, coefficient] : facts_.back().form.terms)
      facts_of_[atom].pop_back();
    facts_.pop_back();
  }
  truths_.resize(mark.truths);
  flat_.resize(mark.flat);
  sizes_.undo_to(mark.sizes);
  while (bounded_.size() > mark.bounded) {
    --bounded_count_[bounded_.back()];
    bounded_.pop_back();
  }
  while (counted_.size() > mark.counted) {
    --counted_count_[counted_.back()];
    counted_.pop_back();
  }
}

// ---- forms -------------------------------------------------------------------------------------

Facts::Form Facts::form(const Operand& operand) const {
  if (operand.is_constant()) return {operand.scalar().as<std::int64_t>(), {}};
  const auto known = forms_.find(operand.value().index);
  if (known != forms_.end()) return known->second;
  return {0, {{operand.value().index, 1}}};
}

bool Facts::is_bounded(std::uint32_t atom) const {
  const auto found = bounded_count_.find(atom);
  if (found != bounded_count_.end() && found->second > 0) return true;
  const ElementType element = function_.values[atom].type.element;
  return is_integer(element) && byte_size(element) <= 4;
}

bool Facts::is_small(const Form& form) const {
  __int128 magnitude = form.constant < 0 ? -static_cast<__int128>(form.constant) : form.constant;
  for (const auto& [atom, coefficient] : form.terms) {
    if (!is_bounded(atom)) return false;
    magnitude += static_cast<__int128>(coefficient < 0 ? -coefficient : coefficient) * small_bound;
  }
  return magnitude < form_bound;
}

std::optional<Facts::Form> Facts::defined_form(const ir::Primitive& primitive) const {
  const auto& row = *primitive.primitive;
  const auto argument = [&](std::size_t i) { return form(primitive.arguments[i]); };
  if (row.operation == Operation::Convert) {
    // The same number, if every number of the one type is one of the other.
    if (!is_signed(row.result) || !is_integer(row.operand)) return std::nullopt;
    const std::size_t from = byte_size(row.operand), to = byte_size(row.result);
    if (is_signed(row.operand) && from <= to) return argument(0);
    return std::nullopt;
  }
  // Sums in 64 bits only: in narrower types, atoms may be as large as the type.
  if (row.operand != ElementType::I64) return std::nullopt;
  std::optional<Form> result;
  if (row.operation == Operation::Add) {
    result = combine(argument(0), argument(1), 1);
  } else if (row.operation == Operation::Subtract) {
    result = combine(argument(0), argument(1), -1);
  } else if (row.operation == Operation::Negate) {
    result = combine({}, argument(0), -1);
  } else if (row.operation == Operation::Multiply) {
    const Form a = argument(0), b = argument(1);
    if (a.terms.empty()) result = combine({}, b, a.constant);
    if (b.terms.empty()) result = combine({}, a, b.constant);
  }
  if (!result || !is_small(*result)) return std::nullopt;
  return result;
}

std::optional<Facts::Form> Facts::difference(const Operand& a, const Operand& b,
                                             bool strict) const {
  const ElementType element = function_.type(a).element;
  if (!is_signed(element)) return std::nullopt;
  std::optional<Form> result = combine(form(b), form(a), -1);
  if (result && strict && __builtin_sub_overflow(result->constant, 1, &result->constant))
    return std::nullopt;
  return result;
}

// ---- what is told ------------------------------------------------------------------------------

void Facts::add(Form form) {
  if (form.terms.empty()) return;
  for (const auto& [atom, coefficient] : form.terms)
    facts_of_[atom].push_back(static_cast<std::uint32_t>(facts_.size()));
  facts_.push_back({std::move(form)});
}

void Facts::add_order(const Operand& lesser, const Operand& greater, bool is_strict) {
  if (auto d = difference(lesser, greater, is_strict)) add(std::move(*d));
}

void Facts::bound(std::uint32_t atom) {
  bounded_.push_back(atom);
  ++bounded_count_[atom];
}

void Facts::count_with(std::uint32_t atom) {
  bound(atom);
  counted_.push_back(atom);
  ++counted_count_[atom];
}

void Facts::define(const Statement& statement) {
  for (ValueId result : statement.results)
    note_type(function_.type(result));
  if (statement.results.size() != 1) return;
  const ValueId result = statement.results[0];
  if (const auto* reshape = std::get_if<Reshape>(&statement.operation)) {
    const Type *flat = &function_.type(result), *rows = &function_.type(reshape->array);
    if (flat->rank() == 2) std::swap(flat, rows);
    if (flat->rank() == 1 && rows->rank() == 2)
      flat_.push_back({flat->extents[0], rows->extents[0], rows->extents[1]});
  }
  if (const auto* select = std::get_if<Select>(&statement.operation)) {
    definitions_.insert_or_assign(result.index, statement.operation);
    define(result, *select);
  } else if (const auto* primitive = std::get_if<ir::Primitive>(&statement.operation)) {
    definitions_.insert_or_assign(result.index, statement.operation);
    define(result, *primitive);
  }
}

void Facts::define(ValueId result, const Select& select) {
  if (function_.type(result).element == ElementType::I64 && is_small(form(select.then_value)) &&
      is_small(form(select.else_value)))
    bound(result.index);
}

void Facts::define(ValueId result, const ir::Primitive& primitive) {
  forms_.erase(result.index);
  if (std::optional<Form> sum = defined_form(primitive)) {
    forms_.insert_or_assign(result.index, std::move(*sum));
    return;
  }
  const auto& row = *primitive.primitive;
  if (row.operation == Operation::And || row.operation == Operation::Convert)
    return define_bits(result, primitive);
  if (row.arity != 2 || !is_signed(row.operand) || row.operand != row.result) return;
  switch (row.operation) {
  case Operation::Minimum:
  case Operation::Maximum:
    return define_extreme(result, primitive);
  case Operation::Modulo:
  case Operation::Remainder:
    return define_remainder(result, primitive);
  case Operation::Divide:
  case Operation::Quotient:
    return define_quotient(result, primitive);
  default:
    return;
  }
}

void Facts::define_extreme(ValueId result, const ir::Primitive& primitive) {
  const bool is_minimum = primitive.primitive->operation == Operation::Minimum;
  const Operand &a = primitive.arguments[0], &b = primitive.arguments[1];
  const bool are_small = is_small(form(a)) && is_small(form(b));
  for (const Operand& argument : {a, b})
    is_minimum ? add_order(result, argument, false) : add_order(argument, result, false);
  if (are_small) bound(result.index);
}

void Facts::define_remainder(ValueId result, const ir::Primitive& primitive) {
  const auto& row = *primitive.primitive;
  const Operand zero = Operand::constant(row.operand, Scalar::of<std::int64_t>(0));
  const Operand &dividend = primitive.arguments[0], &divisor = primitive.arguments[1];
  if (!holds(zero, divisor, true)) return;
  if (row.operation == Operation::Remainder && !holds(zero, dividend, false)) return;
  add_order(zero, result, false);
  add_order(result, divisor, true);
  if (is_small(form(divisor))) bound(result.index);
}

/// What a number is at most, by a fact about it alone.
std::optional<std::int64_t> Facts::greatest_known(const Form& form) const {
  if (form.terms.size() != 1 || form.terms[0].second != 1) return std::nullopt;
  const auto facts = facts_of_.find(form.terms[0].first);
  if (facts == facts_of_.end()) return std::nullopt;
  for (const std::uint32_t fact : facts->second) {
    const Form& known = facts_[fact].form;
    const bool is_most = known.terms.size() == 1 && known.terms[0].second == -1;
    std::int64_t most = 0;
    if (is_most && !__builtin_add_overflow(known.constant, form.constant, &most)) return most;
  }
  return std::nullopt;
}

void Facts::define_quotient(ValueId result, const ir::Primitive& primitive) {
  const Operand zero = Operand::constant(primitive.primitive->operand, Scalar::of<std::int64_t>(0));
  const Operand &dividend = primitive.arguments[0], &divisor = primitive.arguments[1];
  if (!holds(zero, divisor, true) || !holds(zero, dividend, false)) return;
  add_order(zero, result, false);
  add_order(result, dividend, false);
  if (const auto most = greatest_known(form(dividend)); most && divisor.is_constant()) {
    const std::int64_t number = *most / divisor.scalar().as<std::int64_t>();
    add_order(result, Operand::constant(primitive.primitive->operand, Scalar::of(number)), false);
  }
  if (is_small(form(dividend))) bound(result.index);
}

void Facts::define_bits(ValueId result, const ir::Primitive& primitive) {
  const ElementType element = primitive.primitive->result;
  if (!is_signed(element) || !is_integer(element)) return;
  const std::optional<std::int64_t> most = greatest(primitive, bits_depth);
  if (!most) return;
  const auto constant = [&](std::int64_t number) {
    return Operand::constant(element, Scalar::of(number));
  };
  add_order(constant(0), result, false);
  add_order(result, constant(*most), false);
  if (*most < small_bound) bound(result.index);
}

std::optional<std::int64_t> Facts::greatest(const Operand& operand, unsigned depth) const {
  if (operand.is_constant()) {
    const auto number = operand.scalar().as<std::int64_t>();
    return is_integer(operand.element()) && number >= 0 ? std::optional(number) : std::nullopt;
  }
  const ElementType element = function_.type(operand).element;
  if (element == ElementType::Bool) return 1;
  const ir::Primitive* primitive = depth == 0 ? nullptr : this->primitive(operand);
  if (primitive)
    if (const auto known = greatest(*primitive, depth - 1)) return known;
  if (!is_integer(element) || is_signed(element) || byte_size(element) > 4) return std::nullopt;
  return (std::int64_t{1} << (8 * byte_size(element))) - 1;
}

std::optional<std::int64_t> Facts::greatest(const ir::Primitive& primitive, unsigned depth) const {
  const auto& row = *primitive.primitive;
  const auto argument = [&](std::size_t i) { return greatest(primitive.arguments[i], depth); };
  if (!is_integer(row.result)) return std::nullopt;
  switch (row.operation) {
  case Operation::And: {
    // Each takes bits from the other, whatever sign that has.
    const auto a = argument(0), b = argument(1);
    return a && b ? std::min(a, b) : a ? a : b;
  }
  case Operation::ShiftRight: {
    const auto number = argument(0);
    const Operand& by = primitive.arguments[1];
    if (!number || !by.is_constant() || by.scalar().as<std::int64_t>() < 0) return number;
    return *number >> std::min<std::int64_t>(by.scalar().as<std::int64_t>(), 63);
  }
  case Operation::Convert: {
    // (Unless bits are cut off, or the number turns negative.)
    if (!is_integer(row.operand) && row.operand != ElementType::Bool) return std::nullopt;
    const auto number = argument(0);
    const std::size_t bits = 8 * byte_size(row.result) - (is_signed(row.result) ? 1 : 0);
    return number && (bits >= 63 || *number >> bits == 0) ? number : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

void Facts::note_type(const Type& type) {
  for (const Operand& extent : type.extents)
    if (extent.is_value() && !forms_.contains(extent.value().index)) {
      const std::uint32_t atom = extent.value().index;
      if (const auto known = counted_count_.find(atom);
          known != counted_count_.end() && known->second > 0)
        continue;
      count_with(atom);
      add(form(extent));
    }
}

void Facts::index_below(ValueId index, const Operand& extent) {
  count_with(index.index);
  add(form(index));
  add_order(index, extent, true);
  // There are some: of an extent that may be none, it is the other one.
  const ir::Operation* const made = extent.is_value() ? definition(extent.value().index) : nullptr;
  if (const auto* const found = made ? std::get_if<Select>(made) : nullptr) {
    const Select choice = *found;
    for (const bool side : {true, false}) {
      const Operand& none = side ? choice.then_value : choice.else_value;
      const Operand& other = side ? choice.else_value : choice.then_value;
      if (!holds(none, Operand::i64(0), false)) continue;
      suppose(choice.condition, !side);
      add_order(index, other, true);
      break;
    }
  }
  // `c or n <= 0` says that `c` holds.
  for (std::size_t i = 0; i < truths_.size(); ++i)
    if (const ir::Primitive* const condition = primitive(truths_[i].first))
      suppose_other(*condition, truths_[i].second);
}

void Facts::lies_between(ValueId number, std::int64_t least, const Operand& extent) {
  if (least == 0) return index_below(number, extent);
  bound(number.index);
  if (std::optional<Form> above = combine(form(number), {least, {}}, -1)) add(*std::move(above));
  add_order(number, extent, true);
}

/// Of two conditions one of which has this value, the other one has it where the first is known not
/// to.
void Facts::suppose_other(const ir::Primitive& condition, bool truth) {
  if (!is_logical(*condition.primitive, truth ? Operation::Or : Operation::And)) return;
  const std::vector<Operand> arguments = condition.arguments;
  for (const std::size_t side : {0, 1})
    if (decide(arguments[side]) == !truth && decide(arguments[1 - side]) != truth)
      suppose(arguments[1 - side], truth);
}

void Facts::grows(ValueId number, const Operand& initial, const Operand& rounds,
                  std::int64_t most) {
  const Form from = form(initial);
  const std::optional<Form> greatest = combine(from, form(rounds), most);
  if (!greatest || !is_small(*greatest) || !is_nonnegative(from)) return;
  bound(number.index);
  for (const auto& [form, factor] : {std::pair(from, -1), std::pair(*greatest, 1)})
    if (std::optional<Form> fact = combine({}, form, factor))
      if ((fact = combine(*fact, this->form(number), -factor))) add(std::move(*fact));
}

void Facts::suppose(const Operand& condition, bool truth) {
  if (!condition.is_value()) return;
  truths_.emplace_back(condition, truth);
  const ir::Primitive* primitive = this->primitive(condition);
  if (!primitive) return;
  const auto& row = *primitive->primitive;
  const auto& arguments = primitive->arguments;
  if (row.operation == Operation::Complement) {
    suppose(arguments[0], !truth);
  } else if (is_logical(row, truth ? Operation::And : Operation::Or)) {
    for (const Operand& argument : arguments)
      suppose(argument, truth);
  } else if (const auto order = order_of(*primitive, truth)) {
    suppose_order(order->lesser, order->greater, order->is_strict);
  } else if (row.operation == Operation::Equal || row.operation == Operation::NotEqual) {
    suppose_equal(arguments[0], arguments[1], truth == (row.operation == Operation::Equal));
  }
}

void Facts::suppose_equal(const Operand& a, const Operand& b, bool truth) {
  if (truth) {
    suppose_order(a, b, false);
    suppose_order(b, a, false);
  } else if (is_at_most(a, b)) {
    suppose_order(a, b, true);
  } else if (is_at_most(b, a)) {
    suppose_order(b, a, true);
  }
}

void Facts::suppose_order(const Operand& lesser, const Operand& greater, bool is_strict) {
  add_order(lesser, greater, is_strict);
  // Numbers between bounds are bounded themselves; that is what lets sums of them be understood.
  for (const Operand& side : {lesser, greater}) {
    if (!side.is_value() || forms_.contains(side.value().index)) continue;
    const std::uint32_t atom = side.value().index;
    if (is_bounded(atom) || function_.type(side).element != ElementType::I64) continue;
    if (is_between_bounds(atom)) bound(atom);
  }
}

bool Facts::is_between_bounds(std::uint32_t atom) {
  bool below = false, above = false;
  for (const std::uint32_t fact : facts_of_[atom]) {
    const Form& known = facts_[fact].form;
    if (is_small(known.without(atom))) (known.coefficient(atom) > 0 ? below : above) = true;
  }
  return below && above;
}

// ---- what is asked -----------------------------------------------------------------------------

const ir::Operation* Facts::definition(std::uint32_t atom) const {
  const auto found = definitions_.find(atom);
  return found == definitions_.end() ? nullptr : &found->second;
}

const ir::Primitive* Facts::primitive(const Operand& operand) const {
  if (!operand.is_value()) return nullptr;
  const ir::Operation* found = definition(operand.value().index);
  return found ? std::get_if<ir::Primitive>(found) : nullptr;
}

std::optional<bool> Facts::decide(const Operand& condition) {
  if (condition.is_constant()) return condition.scalar().as<bool>();
  for (auto known = truths_.rbegin(); known != truths_.rend(); ++known)
    if (known->first == condition) return known->second;
  const ir::Primitive* primitive = this->primitive(condition);
  if (!primitive) return std::nullopt;
  const auto& row = *primitive->primitive;
  if (is_logical(row, Operation::Complement)) {
    const auto inner = decide(primitive->arguments[0]);
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  if (is_logical(row, Operation::And) || is_logical(row, Operation::Or))
    return decide_logical(*primitive);
  if (row.operation == Operation::Equal || row.operation == Operation::NotEqual)
    return decide_equal(*primitive);
  for (const bool truth : {true, false})
    if (const auto order = order_of(*primitive, truth))
      if (holds(order->lesser, order->greater, order->is_strict)) return truth;
  return std::nullopt;
}

std::optional<bool> Facts::decide_logical(const ir::Primitive& primitive) {
  const bool dominant = primitive.primitive->operation == Operation::Or;
  const auto a = decide(primitive.arguments[0]), b = decide(primitive.arguments[1]);
  if (a == dominant || b == dominant) return dominant;
  if (a && b) return !dominant;
  if (!dominant && is_flat_place(primitive)) return true;
  return std::nullopt;
}

bool Facts::is_flat_place(const ir::Primitive& conjunction) {
  const Operand none = Operand::i64(0);
  for (const std::size_t side : {0, 1}) {
    const ir::Primitive* const below = primitive(conjunction.arguments[side]);
    const ir::Primitive* const above = primitive(conjunction.arguments[1 - side]);
    if (!below || !above) continue;
    const auto upper = order_of(*below, true), lower = order_of(*above, true);
    if (!upper || !lower || !upper->is_strict || lower->is_strict || lower->lesser != none ||
        lower->greater != upper->lesser || !upper->lesser.is_value())
      continue;
    for (std::size_t i = 0; i < flat_.size(); ++i) {
      const Flat flat = flat_[i];
      if (flat.extent == upper->greater && row_place(upper->lesser, flat.rows, flat.width))
        return true;
    }
  }
  return false;
}

std::optional<Facts::RowPlace> Facts::row_place(const Operand& place, const Operand& rows,
                                                const Operand& width) {
  const Term whole = sizes_.term(place);
  const std::optional<TermDivision> parts = divide(whole, sizes_.term(width));
  if (!parts || width == Operand::i64(1)) return std::nullopt;
  const auto form_of = [](const std::vector<Extent::Summand>& summands, std::int64_t constant) {
    std::optional<LinearForm> sum = LinearForm{constant, {}};
    for (const Extent::Summand& summand : summands) {
      if (summand.factors.size() > 1) return std::optional<LinearForm>();
      const LinearForm unit = summand.factors.empty()
                                  ? LinearForm{1, {}}
                                  : LinearForm{0, {{summand.factors[0].index, 1}}};
      if (sum) sum = combine(*sum, unit, static_cast<std::int64_t>(summand.coefficient));
    }
    return sum;
  };
  const auto row = form_of(parts->whole, 0);
  const auto column = form_of(parts->left, static_cast<std::int64_t>(whole->constant()));
  if (!row || !column) return std::nullopt;
  const auto is_below = [&](const LinearForm& number, const Operand& extent) {
    const LinearForm bound = extent.is_constant()
                                 ? LinearForm{extent.scalar().as<std::int64_t>(), {}}
                                 : LinearForm{0, {{extent.value().index, 1}}};
    return is_less(LinearForm{-1, {}}, number) && is_less(number, bound);
  };
  const bool is_there = is_below(*row, rows) && is_below(*column, width);
  return is_there ? std::optional(RowPlace{*row, *column}) : std::nullopt;
}

std::optional<bool> Facts::decide_equal(const ir::Primitive& primitive) {
  const auto& row = *primitive.primitive;
  const bool is_equal = row.operation == Operation::Equal;
  const Operand &a = primitive.arguments[0], &b = primitive.arguments[1];
  if (holds(a, b, true) || holds(b, a, true)) return !is_equal;
  if (is_integer(row.operand) && sizes_.are_equal(a, b)) return is_equal;
  if (row.operand != ElementType::I64 && holds(a, b, false) && holds(b, a, false)) return is_equal;
  return std::nullopt;
}

bool Facts::holds(const Operand& lesser, const Operand& greater, bool is_strict) {
  const auto form = difference(lesser, greater, is_strict);
  return form && is_nonnegative(*form);
}

bool Facts::is_less(const LinearForm& a, const LinearForm& b) {
  std::optional<Form> difference = Form{-1, {}};
  const auto take = [&](const LinearForm& sum, std::int64_t factor) {
    if (difference) difference = combine(*difference, {sum.constant, {}}, factor);
    for (const auto& [atom, coefficient] : sum.terms)
      if (difference) difference = combine(*difference, form(ValueId{atom}), factor * coefficient);
  };
  take(b, 1);
  take(a, -1);
  return difference && is_nonnegative(*difference);
}

bool Facts::is_within(const Operand& index, const Operand& extent) {
  const auto below = difference(index, extent, true);
  return below && is_nonnegative(form(index)) && is_nonnegative(*below);
}

std::optional<std::pair<ValueId, std::int64_t>>
Facts::without_multiples(const Operand& dividend, const Operand& divisor) const {
  const Form by = form(divisor), whole = form(dividend);
  if (by.constant != 0 || by.terms.size() != 1 || by.terms[0].second != 1) return std::nullopt;
  const std::uint32_t atom = by.terms[0].first;
  if (whole.coefficient(atom) == 0) return std::nullopt;
  const Form rest = whole.without(atom);
  if (rest.terms.size() != 1 || rest.terms[0].second != 1 || !is_small(rest)) return std::nullopt;
  const ValueId value{rest.terms[0].first};
  if (function_.type(value).element != ElementType::I64) return std::nullopt; // it was widened
  return std::pair(value, rest.constant);
}

/// Whether it is of extents and indices alone, and none of those that there are make it negative.
bool Facts::is_surely_nonnegative(const Form& form) const {
  __int128 least = form.constant;
  for (const auto& [atom, coefficient] : form.terms) {
    const auto found = counted_count_.find(atom);
    if (found == counted_count_.end() || found->second == 0) return false;
    if (coefficient < 0) least += static_cast<__int128>(coefficient) * (extent_limit - 1);
  }
  return least >= 0;
}

bool Facts::is_nonnegative(const Form& form) {
  if (is_surely_nonnegative(form)) return true;
  // A search assumes conditions, and that asks again: all share the steps of the first question,
  // else there would be no end.
  const bool is_first = steps_ == 0;
  const bool result = search(form, search_depth);
  if (is_first) steps_ = 0;
  return result;
}

bool Facts::search(const Form& form, unsigned depth) {
  if (form.terms.empty()) return form.constant >= 0;
  if (depth == 0 || ++steps_ > step_limit) return false;
  const auto [atom, coefficient] = form.terms.back();
  const auto facts = facts_of_.find(atom);
  if (facts != facts_of_.end()) {
    // Younger facts first: they are about what is near.  Copied, since alternatives add facts.
    const std::vector<std::uint32_t> candidates(facts->second.rbegin(), facts->second.rend());
    for (const std::uint32_t fact : candidates) {
      const Form& known = facts_[fact].form;
      const std::int64_t own = known.coefficient(atom);
      if ((own > 0) != (coefficient > 0) || coefficient % own != 0) continue;
      const auto rest = combine(form, known, -(coefficient / own));
      if (rest && search(*rest, depth - 1)) return true;
    }
  }
  return search_alternatives(form, depth);
}

/// A minimum, maximum or choice in the form is one of two things: both must do.
bool Facts::search_alternatives(const Form& form, unsigned depth) {
  for (const auto& [atom, coefficient] : form.terms) {
    const ir::Operation* found = definition(atom);
    if (!found) continue;
    const auto with = [&](const Operand& alternative) {
      const auto replaced = combine(form.without(atom), this->form(alternative), coefficient);
      return replaced && search(*replaced, depth - 1);
    };
    if (const auto* select = std::get_if<Select>(found)) {
      const auto under = [&](const Operand& alternative, bool truth) {
        const Mark before = mark();
        suppose(select->condition, truth);
        const bool result = with(alternative);
        back_to(before);
        return result;
      };
      return under(select->then_value, true) && under(select->else_value, false);
    }
    const auto& primitive = std::get<ir::Primitive>(*found);
    const Operation operation = primitive.primitive->operation;
    if ((operation == Operation::Minimum && coefficient > 0) ||
        (operation == Operation::Maximum && coefficient < 0))
      return with(primitive.arguments[0]) && with(primitive.arguments[1]);
  }
  return false;
}

} // namespace sinter::jit
