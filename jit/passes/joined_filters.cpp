#include "jit/passes/joined_filters.h"

#include "jit/ir/fold.h"
#include "jit/ir/groups.h"
#include "jit/ir/walk.h"
#include "jit/passes/algebra.h"
#include "jit/passes/counted_elements.h"
#include "jit/passes/digits.h"
#include "jit/passes/rewrite.h"
#include "jit/passes/round_values.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;

namespace {

/// What a filter's elements have: a number that is equal to this.
struct Kind {
  Operand digit;
  std::int64_t number = 0;
};

/// A SOAC of filters, and what joins what they keep.
class JoinedFilters {
public:
  JoinedFilters(Function& function, const Body& body, std::size_t at)
      : function_(function), body_(body), at_(at), filters_(body.statements[at]),
        soac_(std::get<Soac>(filters_.operation)) {}

  /// Whether they are a partition.
  bool find() { return find_kinds() && find_joins(); }

  std::size_t kind_count() const { return kinds_.size(); }
  /// Where the statements are that join values, one for each.
  const std::vector<std::size_t>& joins() const { return joins_; }
  /// Where the sum of all counts stands as an extent.
  std::vector<Operand> totals() const {
    std::vector<Operand> totals;
    for (const std::size_t join : joins_)
      totals.push_back(function_.type(body_.statements[join].results[0]).extents[0]);
    return totals;
  }
  /// How many are of the kind that comes at this place.
  ValueId count_at(std::size_t place) const { return first_result(order_[place]); }

  /// The partition, and counts of it.
  std::vector<Statement> write() {
    Statement partition{{}, Soac{soac_.extent, soac_.inputs, soac_.body, {}}, filters_.span};
    auto& soac = std::get<Soac>(partition.operation);
    const auto count = static_cast<std::int64_t>(kinds_.size());
    soac.groups = {PartitionGroup{Operand::i64(count), value_count_}};
    soac.body.results = {number(soac.body)};
    const ValueId counts = function_.add_value({ElementType::I64, {Operand::i64(count)}});
    partition.results = {counts};
    for (std::uint32_t v = 0; v < value_count_; ++v) {
      soac.body.results.push_back(soac_.body.results[1 + v]);
      const ValueId joined = body_.statements[joins_[v]].results[0];
      function_.values[joined.index].type.extents = {soac_.extent};
      partition.results.push_back(joined);
    }
    std::vector<Statement> written{std::move(partition)};
    for (std::size_t place = 0; place < kinds_.size(); ++place)
      written.push_back({{count_at(place)},
                         Index{counts, {Operand::i64(static_cast<std::int64_t>(place))}},
                         filters_.span});
    return written;
  }

private:
  ValueId first_result(std::size_t filter) const {
    return filters_.results[filter * (1 + value_count_)];
  }

  bool find_kinds() {
    if (soac_.groups.size() < 2 || !has_only<FilterGroup>(soac_)) return false;
    value_count_ = std::get<FilterGroup>(soac_.groups[0]).value_count;
    for (std::size_t filter = 0; filter < soac_.groups.size(); ++filter) {
      const auto first = soac_.body.results.begin() +
                         static_cast<std::ptrdiff_t>(filter * (1 + std::size_t{value_count_}));
      if (std::get<FilterGroup>(soac_.groups[filter]).value_count != value_count_ ||
          !std::equal(first + 1, first + 1 + value_count_, soac_.body.results.begin() + 1))
        return false;
      const std::optional<Kind> kind = kind_of_condition(*first, false);
      if (!kind || !CodeComparison(soac_, soac_)
                        .are_same(kind->digit, kinds_.empty() ? kind->digit : kinds_[0].digit))
        return false;
      kinds_.push_back(*kind);
    }
    const std::optional<Digit> digit = digit_of(soac_.body.statements, kinds_[0].digit);
    return digit && digit->count() == static_cast<std::int64_t>(kinds_.size());
  }

  std::optional<Kind> kind_of_condition(const Operand& condition, bool is_inverted) const {
    const auto* test = defining<ir::Primitive>(soac_.body.statements, condition);
    if (!test) return std::nullopt;
    const ScalarOperation operation = test->primitive->operation;
    if (operation == ScalarOperation::Complement)
      return kind_of_condition(test->arguments[0], !is_inverted);
    if ((operation != ScalarOperation::Equal && operation != ScalarOperation::NotEqual) ||
        !is_integer(test->primitive->operand) || !test->arguments[1].is_constant() ||
        test->arguments[0].is_constant())
      return std::nullopt;
    Kind kind{test->arguments[0], test->arguments[1].scalar().as<std::int64_t>()};
    // Of two kinds, what is not of the one is of the other.
    if (is_inverted != (operation == ScalarOperation::NotEqual)) {
      if (soac_.groups.size() != 2) return std::nullopt;
      kind.number ^= 1;
    }
    return kind;
  }

  /// Whether each value's arrays are joined, all of them, and nobody else reads them.
  bool find_joins() {
    const RoundValues values(function_, body_);
    for (std::uint32_t v = 0; v < value_count_; ++v) {
      const auto array = [&](std::size_t filter) {
        return filters_.results[filter * (1 + value_count_) + 1 + v];
      };
      std::optional<std::size_t> join;
      for (std::size_t next = at_ + 1; next < body_.statements.size() && !join; ++next)
        if (const auto* concat = std::get_if<Concat>(&body_.statements[next].operation))
          if (concat->arrays.size() == kinds_.size() &&
              std::ranges::count(concat->arrays, array(0)) == 1)
            join = next;
      if (!join) return false;
      std::vector<std::size_t> order;
      for (const ValueId joined : std::get<Concat>(body_.statements[*join].operation).arrays)
        for (std::size_t filter = 0; filter < kinds_.size(); ++filter)
          if (array(filter) == joined && values.uses(joined) == 1) order.push_back(filter);
      if (order.size() != kinds_.size() || (v > 0 && order != order_)) return false;
      order_ = std::move(order);
      joins_.push_back(*join);
    }
    // In ascending order of the digit, where some of its bits may be inverted.
    inverted_ = kinds_[order_[0]].number;
    for (std::size_t place = 0; place < order_.size(); ++place)
      if ((kinds_[order_[place]].number ^ inverted_) != static_cast<std::int64_t>(place))
        return false;
    return true;
  }

  /// The kind's place.
  Operand number(Body& body) {
    const Operand& digit = kinds_[0].digit;
    const ElementType element = function_.type(digit).element;
    const auto define = [&](const primitives::Primitive& row, std::vector<Operand> arguments) {
      const ValueId result = function_.add_value({row.result, {}});
      body.statements.push_back(
          {{result}, ir::Primitive{&row, std::move(arguments)}, filters_.span});
      return Operand(result);
    };
    Operand number = digit;
    if (element != ElementType::I32)
      number = define(*primitives::conversion(element, ElementType::I32), {number});
    if (inverted_ != 0)
      number = define(row(ScalarOperation::Xor, ElementType::I32),
                      {number, Operand::constant(ElementType::I32, Scalar::of(inverted_))});
    return number;
  }

  Function& function_;
  const Body& body_;
  std::size_t at_;
  const Statement& filters_;
  const Soac& soac_;
  std::uint32_t value_count_ = 0;
  std::vector<Kind> kinds_;        ///< by filter
  std::vector<std::size_t> order_; ///< of filters
  std::vector<std::size_t> joins_; ///< by value
  std::int64_t inverted_ = 0;      ///< bits of digits
};

/// What is known of sums of counts, each of another kind.
class CountSums {
public:
  CountSums(Function& function, Operand all) : function_(function), all_(all) {}

  void add(ValueId count, std::size_t kind, std::size_t kinds) {
    std::vector<bool> only(kinds, false);
    only[kind] = true;
    sums_.emplace(count.index, std::move(only));
  }
  void add_total(const Operand& total) {
    if (total.is_value() && total != all_) known_.set(total.value(), all_);
  }

  /// Takes away what follows, from that statement on.
  void settle(Body& body, std::size_t from) {
    std::vector<Statement> left;
    for (std::size_t at = from; at < body.statements.size(); ++at) {
      Statement& statement = body.statements[at];
      known_.apply(function_, statement);
      if (!follows(statement)) left.push_back(std::move(statement));
    }
    body.statements.resize(from);
    std::ranges::move(left, std::back_inserter(body.statements));
    known_.apply(function_, body);
  }

private:
  bool follows(const Statement& statement) {
    if (const auto* check = std::get_if<Check>(&statement.operation))
      return check->condition.is_constant() && check->condition.scalar().as<bool>();
    const auto* primitive = std::get_if<ir::Primitive>(&statement.operation);
    if (!primitive) return false;
    const ValueId result = statement.results[0];
    if (known_.resolve(result) != Operand(result)) return true; // a total
    const std::optional<Operand> value = value_of(*primitive, result);
    if (value) known_.set(result, *value);
    return value.has_value();
  }

  std::optional<Operand> value_of(const ir::Primitive& primitive, ValueId result) {
    const ScalarOperation operation = primitive.primitive->operation;
    const std::vector<Operand>& arguments = primitive.arguments;
    const Operand holds = Operand::constant(ElementType::Bool, Scalar::of(true));
    if (primitive.primitive->operand == ElementType::Bool)
      return fold(*primitive.primitive, arguments,
                  [](ValueId) -> const ir::Primitive* { return nullptr; });
    if (primitive.primitive->operand != ElementType::I64 || arguments.size() != 2)
      return std::nullopt;
    const Operand &a = arguments[0], &b = arguments[1];
    if (operation == ScalarOperation::Add) return sum(a, b, result);
    if ((operation == ScalarOperation::Equal || operation == ScalarOperation::LessEqual) &&
        a == b && a == all_)
      return holds;
    if (operation == ScalarOperation::LessEqual && a == Operand::i64(0) && is_count(b))
      return holds;
    if (operation == ScalarOperation::Less && is_count(a) && b.is_constant() &&
        b.scalar().as<std::int64_t>() >= extent_limit)
      return holds;
    return std::nullopt;
  }
  bool is_count(const Operand& operand) const {
    return operand == all_ || (operand.is_value() && sums_.contains(operand.value().index));
  }
  std::optional<Operand> sum(const Operand& a, const Operand& b, ValueId result) {
    if (!a.is_value() || !b.is_value()) return std::nullopt;
    const auto one = sums_.find(a.value().index), other = sums_.find(b.value().index);
    if (one == sums_.end() || other == sums_.end()) return std::nullopt;
    std::vector<bool> both = one->second;
    for (std::size_t kind = 0; kind < both.size(); ++kind) {
      if (both[kind] && other->second[kind]) return std::nullopt;
      both[kind] = both[kind] || other->second[kind];
    }
    if (std::ranges::all_of(both, [](bool is_in) { return is_in; })) return all_;
    sums_.emplace(result.index, std::move(both));
    return std::nullopt;
  }

  Function& function_;
  Operand all_;
  std::unordered_map<std::uint32_t, std::vector<bool>> sums_; ///< by value: of which kinds
  Substitution known_;
};

} // namespace

bool join_filters(Function& function, Body& body, std::size_t fewest_kinds) {
  bool is_changed = false;
  for (std::size_t at = 0; at < body.statements.size(); ++at) {
    if (!std::holds_alternative<Soac>(body.statements[at].operation)) continue;
    JoinedFilters filters(function, body, at);
    if (!filters.find() || filters.kind_count() < fewest_kinds) continue;
    CountSums sums(function, std::get<Soac>(body.statements[at].operation).extent);
    for (std::size_t place = 0; place < filters.kind_count(); ++place)
      sums.add(filters.count_at(place), place, filters.kind_count());
    for (const Operand& total : filters.totals())
      sums.add_total(total);
    std::vector<std::size_t> gone = filters.joins();
    std::vector<Statement> written = filters.write();
    const std::size_t count = written.size();
    std::ranges::sort(gone, std::ranges::greater());
    for (const std::size_t join : gone)
      body.statements.erase(body.statements.begin() + static_cast<std::ptrdiff_t>(join));
    body.statements.erase(body.statements.begin() + static_cast<std::ptrdiff_t>(at));
    body.statements.insert(body.statements.begin() + static_cast<std::ptrdiff_t>(at),
                           std::make_move_iterator(written.begin()),
                           std::make_move_iterator(written.end()));
    sums.settle(body, at + count);
    is_changed = true;
  }
  return is_changed;
}

} // namespace sinter::jit
