#include "jit/passes/counted_partitions.h"

#include "jit/ir/groups.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"
#include "jit/passes/counted_elements.h"
#include "jit/passes/dead_code.h"
#include "jit/passes/linear_form.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;

namespace {

/// More are not filtered at once: each costs all elements something.
constexpr std::size_t most_kinds = 8;

/// A number that is 0 or 1: whether another one, of the scan's body, that is one of those is `one`.
struct ZeroOrOne {
  Operand number;
  std::int64_t one = 1;
};

struct Kind {
  Operand condition;  ///< in the scan's body; a constant if it is a number that says it
  ValueId counts;     ///< by the scan
  ValueId count;      ///< their element, in the scatter's body
  std::size_t before; ///< so many kinds have their places before
  std::optional<ZeroOrOne> number{};
};

/// A scan of counts, and a scatter that they may be the places of.
class CountedPartition {
public:
  CountedPartition(Function& function, std::span<const Body* const> around,
                   const Statement& counted, const Statement& scattered)
      : function_(function), around_(around), counted_(counted), scattered_(scattered),
        scan_(std::get<Soac>(counted.operation)), soac_(std::get<Soac>(scattered.operation)) {}

  /// What defines the scatter's result, at the place of the scan; nothing if it is something else.
  std::optional<std::vector<Statement>> filters() {
    const auto* scatter = only_group<ScatterGroup>(soac_);
    if (!scatter) return std::nullopt;
    const Type& type = function_.type(scattered_.results[0]);
    if (scatter->index_count != 1 || type.rank() != 1 || soac_.extent != scan_.extent ||
        type.extents[0] != scan_.extent || !is_early_code(function_, soac_) || !find_kinds() ||
        !are_all_kinds() || !find_places())
      return std::nullopt;
    return write();
  }

private:
  bool find_kinds() {
    for_each_group(scan_, [&](const Group& group, std::size_t body_result, std::size_t result) {
      const ValueId counts = counted_.results[result];
      const auto input = std::ranges::find(soac_.inputs, counts);
      if (input == soac_.inputs.end()) return;
      const Operand condition = counted_condition(scan_, group, body_result);
      const auto at = static_cast<std::size_t>(input - soac_.inputs.begin());
      const ValueId count = soac_.body.parameters[at + 1];
      if (condition.is_value())
        kinds_.push_back({condition, counts, count, 0});
      else if (const auto number = counted_number(scan_, group, body_result))
        if (const auto one = zero_or_one_of_scan(*number))
          kinds_.push_back({condition, counts, count, 0, one});
    });
    if (std::ranges::any_of(kinds_, [](const Kind& kind) { return kind.number.has_value(); }))
      return kinds_.size() == 2;
    return kinds_.size() >= 2 && kinds_.size() <= most_kinds;
  }

  /// The number, in the scan's body, as one bit of another one, or the opposite of it.
  std::optional<ZeroOrOne> zero_or_one_of_scan(Operand number) const {
    std::int64_t one = 1;
    for (;;) {
      const auto* const made = defining<ir::Primitive>(scan_.body.statements, number);
      if (!made || !is_integer(made->primitive->operand)) return std::nullopt;
      const std::vector<Operand>& arguments = made->arguments;
      if (made->primitive->operation == ScalarOperation::Convert) {
        number = arguments[0];
      } else if (made->primitive->operation == ScalarOperation::Subtract &&
                 is_number(arguments[0], 1)) {
        number = arguments[1];
        one = 1 - one;
      } else if (made->primitive->operation == ScalarOperation::And &&
                 (is_number(arguments[0], 1) || is_number(arguments[1], 1))) {
        return ZeroOrOne{number, one};
      } else {
        return std::nullopt;
      }
    }
  }
  static bool is_number(const Operand& operand, std::int64_t number) {
    return operand.is_constant() && is_integer(operand.element()) &&
           operand.scalar().as<std::int64_t>() == number;
  }
  /// What a number of the scatter's body that is 0 or 1 comes to where the element is of the kind.
  std::optional<std::int64_t> bit_for(const Operand& operand, std::size_t kind) const {
    if (!kinds_[kind].number || operand.is_constant()) return std::nullopt;
    for (std::size_t i = 0; i < soac_.inputs.size(); ++i) {
      if (Operand(soac_.body.parameters[i + 1]) != operand) continue;
      std::optional<Operand> of_scan;
      for_each_group(scan_, [&](const Group& group, std::size_t from, std::size_t to) {
        if (std::holds_alternative<MapGroup>(group) && counted_.results[to] == soac_.inputs[i])
          of_scan = scan_.body.results[from];
      });
      const std::optional<ZeroOrOne> bit = of_scan ? zero_or_one_of_scan(*of_scan) : std::nullopt;
      if (!bit || !CodeComparison(scan_, scan_).are_same(bit->number, kinds_[kind].number->number))
        return std::nullopt;
      return bit->one == kinds_[kind].number->one ? 1 : 0;
    }
    const auto* const made = defining<ir::Primitive>(soac_.body.statements, operand);
    if (!made) return std::nullopt;
    if (CodeComparison(scan_, soac_).are_same(kinds_[kind].number->number, operand))
      return kinds_[kind].number->one;
    if (made->primitive->operation == ScalarOperation::Convert &&
        is_integer(made->primitive->operand))
      return bit_for(made->arguments[0], kind);
    if (made->primitive->operation == ScalarOperation::Subtract && is_number(made->arguments[0], 1))
      if (const std::optional<std::int64_t> bit = bit_for(made->arguments[1], kind))
        return 1 - *bit;
    return std::nullopt;
  }

  /// Whether each element is of one kind, and of no other.
  bool are_all_kinds() const {
    if (kinds_[0].number)
      return kinds_[1].number && kinds_[0].number->one != kinds_[1].number->one &&
             CodeComparison(scan_, scan_)
                 .are_same(kinds_[0].number->number, kinds_[1].number->number);
    if (kinds_.size() == 2 &&
        (is_opposite(kinds_[0], kinds_[1]) || is_opposite(kinds_[1], kinds_[0])))
      return true;
    std::vector<bool> is_met(kinds_.size(), false);
    for (const Kind& kind : kinds_) {
      const std::optional<std::size_t> digit = digit_of(kind);
      if (!digit || *digit >= is_met.size() || is_met[*digit]) return false;
      is_met[*digit] = true;
    }
    return true;
  }
  bool is_opposite(const Kind& kind, const Kind& of) const {
    const auto* negation = arguments_of(scan_.body.statements, kind.condition,
                                        ScalarOperation::Complement, ElementType::Bool);
    return negation && CodeComparison(scan_, scan_).are_same((*negation)[0], of.condition);
  }
  /// What a number, the same one for all kinds and less than their number, is equal to.
  std::optional<std::size_t> digit_of(const Kind& kind) const {
    const auto equal = [&](const Kind& each) -> const ir::Primitive* {
      const auto* test = defining<ir::Primitive>(scan_.body.statements, each.condition);
      return test && test->primitive->operation == ScalarOperation::Equal &&
                     is_integer(test->primitive->operand) && test->arguments[1].is_constant() &&
                     test->arguments[0].is_value()
                 ? test
                 : nullptr;
    };
    const ir::Primitive *own = equal(kind), *first = equal(kinds_[0]);
    if (!own || !first ||
        !CodeComparison(scan_, scan_).are_same(own->arguments[0], first->arguments[0]) ||
        !is_less(own->arguments[0], kinds_.size()))
      return std::nullopt;
    const auto digit = own->arguments[1].scalar().as<std::int64_t>();
    if (digit < 0) return std::nullopt;
    return static_cast<std::size_t>(digit);
  }
  /// Whether all bits of the integer but those that the power of two has below it are taken away.
  bool is_less(Operand number, std::size_t power) const {
    while (const auto* primitive = defining<ir::Primitive>(scan_.body.statements, number)) {
      if (primitive->primitive->operation == ScalarOperation::Convert &&
          is_integer(primitive->primitive->operand)) {
        number = primitive->arguments[0];
        continue;
      }
      if (primitive->primitive->operation != ScalarOperation::And ||
          primitive->primitive->operand == ElementType::Bool)
        return false;
      return std::ranges::any_of(primitive->arguments, [&](const Operand& mask) {
        return mask.is_constant() &&
               mask.scalar().as<std::int64_t>() == static_cast<std::int64_t>(power) - 1 &&
               (power & (power - 1)) == 0;
      });
    }
    return false;
  }

  /// Whether each kind's places begin where others' end.
  bool find_places() {
    std::vector<std::unordered_set<std::size_t>> before(kinds_.size());
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      const std::optional<LinearForm> place = place_of(soac_.body.results[0], kind);
      if (!place || place->constant != -1 || place->coefficient(kinds_[kind].count.index) != 1)
        return false;
      for (const auto& [atom, factor] : place->without(kinds_[kind].count.index).terms) {
        const auto of = std::ranges::find_if(kinds_, [&, atom = atom](const Kind& each) {
          return is_sum(ValueId{atom}, each) ||
                 is_total_of(around_, ValueId{atom}, each.counts, scan_.extent);
        });
        if (factor != 1 || of == kinds_.end()) return false;
        before[kind].insert(static_cast<std::size_t>(of - kinds_.begin()));
      }
      kinds_[kind].before = before[kind].size();
    }
    // (All kinds that have fewer before them, and no other.)
    for (std::size_t a = 0; a < kinds_.size(); ++a)
      for (std::size_t b = 0; b < kinds_.size(); ++b)
        if (before[a].contains(b) != (kinds_[b].before < kinds_[a].before) ||
            (a != b && kinds_[a].before == kinds_[b].before))
          return false;
    return true;
  }
  /// Whether the value sums beside the counts what is counted.
  bool is_sum(ValueId value, const Kind& kind) const {
    std::optional<Operand> summed, counted;
    for_each_group(scan_, [&](const Group& group, std::size_t from, std::size_t to) {
      const auto* const reduce = std::get_if<ReduceGroup>(&group);
      if (counted_.results[to] == kind.counts) counted = scan_.body.results[from];
      if (!reduce || counted_.results[to] != value || reduce->neutral.size() != 1 ||
          !reduce->before.empty() || !is_number(reduce->neutral[0], 0))
        return;
      const primitives::Primitive* const combine = component_operation(reduce->combine, 0);
      if (combine && combine->operation == ScalarOperation::Add) summed = scan_.body.results[from];
    });
    return summed && counted && CodeComparison(scan_, scan_).are_same(*summed, *counted);
  }
  /// A number of the scatter's body where the element is of that kind, by counts and totals.
  std::optional<LinearForm> place_of(const Operand& operand, std::size_t kind) const {
    if (operand.is_constant()) return LinearForm{operand.scalar().as<std::int64_t>(), {}};
    const auto atom = LinearForm{0, {{operand.value().index, 1}}};
    const Statement* statement = definition_in(soac_.body.statements, operand);
    if (!statement) statement = definition_around(around_, operand);
    if (!statement) return atom;
    if (const auto* select = std::get_if<Select>(&statement->operation)) {
      const std::optional<bool> holds = holds_for(select->condition, kind);
      if (!holds) return std::nullopt;
      return place_of(*holds ? select->then_value : select->else_value, kind);
    }
    const auto* primitive = std::get_if<ir::Primitive>(&statement->operation);
    if (!primitive) return atom;
    const ScalarOperation operation = primitive->primitive->operation;
    if (primitive->primitive == primitives::conversion(ElementType::I32, ElementType::I64))
      return place_of(primitive->arguments[0], kind);
    if (operation == ScalarOperation::Multiply)
      for (const std::size_t side : {0, 1})
        if (const std::optional<std::int64_t> bit = bit_for(primitive->arguments[side], kind))
          return *bit == 0 ? LinearForm{} : place_of(primitive->arguments[1 - side], kind);
    if ((primitive->primitive->operand != ElementType::I64 &&
         primitive->primitive->operand != ElementType::I32) ||
        (operation != ScalarOperation::Add && operation != ScalarOperation::Subtract))
      return std::nullopt;
    const std::optional<LinearForm> a = place_of(primitive->arguments[0], kind);
    const std::optional<LinearForm> b = place_of(primitive->arguments[1], kind);
    if (!a || !b) return std::nullopt;
    return combine(*a, *b, operation == ScalarOperation::Add ? 1 : -1);
  }
  /// Whether a condition of the scatter's body holds where the element is of that kind.
  std::optional<bool> holds_for(const Operand& condition, std::size_t kind) const {
    if (kinds_[kind].number) {
      const auto* const equal = defining<ir::Primitive>(soac_.body.statements, condition);
      if (!equal || equal->primitive->operation != ScalarOperation::Equal ||
          !equal->arguments[1].is_constant())
        return std::nullopt;
      const std::optional<std::int64_t> bit = bit_for(equal->arguments[0], kind);
      if (!bit) return std::nullopt;
      return *bit == equal->arguments[1].scalar().as<std::int64_t>();
    }
    for (std::size_t each = 0; each < kinds_.size(); ++each)
      if (CodeComparison(scan_, soac_).are_same(kinds_[each].condition, condition))
        return each == kind;
    const auto* negation = arguments_of(soac_.body.statements, condition,
                                        ScalarOperation::Complement, ElementType::Bool);
    if (!negation) return std::nullopt;
    const std::optional<bool> holds = holds_for((*negation)[0], kind);
    if (!holds) return std::nullopt;
    return !*holds;
  }

  std::optional<std::vector<Statement>> write() {
    std::ranges::sort(kinds_, {}, &Kind::before);
    std::vector<Operand> conditions;
    for (const Kind& kind : kinds_)
      conditions.push_back(kind.number ? kind.number->number : kind.condition);
    Soac filter;
    filter.extent = scan_.extent;
    filter.inputs = scan_.inputs;
    filter.body.parameters = scan_.body.parameters;
    filter.body.statements = statements_needed(function_, scan_.body, conditions);
    if (std::ranges::any_of(filter.body.statements, [](const Statement& statement) {
          return !std::holds_alternative<ir::Primitive>(statement.operation) &&
                 !std::holds_alternative<Select>(statement.operation) &&
                 !std::holds_alternative<Index>(statement.operation);
        }))
      return std::nullopt;

    StatementWriter writer(function_, scattered_.span);
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      if (!kinds_[i].number) continue;
      const ElementType type = function_.type(conditions[i]).element;
      conditions[i] =
          writer.scalar(row(ScalarOperation::Equal, type),
                        {conditions[i], Operand::constant(type, Scalar::of(kinds_[i].number->one))},
                        filter.body.statements);
    }

    const Operand value = soac_.body.results[1];
    std::ranges::move(statements_needed(function_, soac_.body, std::span(&value, 1)),
                      std::back_inserter(filter.body.statements));
    const std::vector<ValueId> wanted =
        free_values(function_, Body{{}, filter.body.statements, {value}});
    // (What the value is must not follow from the counts.)
    if (std::ranges::any_of(
            kinds_, [&](const Kind& kind) { return std::ranges::count(wanted, kind.count) > 0; }))
      return std::nullopt;
    for (std::size_t i = 0; i < soac_.inputs.size(); ++i)
      if (std::ranges::count(wanted, soac_.body.parameters[i + 1]) > 0) {
        filter.inputs.push_back(soac_.inputs[i]);
        filter.body.parameters.push_back(soac_.body.parameters[i + 1]);
      }

    Statement filtered;
    filtered.span = scattered_.span;
    Concat joined;
    const ElementType element = function_.type(scattered_.results[0]).element;
    for (const Operand& condition : conditions) {
      filter.body.results.push_back(condition);
      filter.body.results.push_back(value);
      filter.groups.emplace_back(FilterGroup{1});
      const ValueId count = function_.add_value({ElementType::I64, {}});
      joined.arrays.push_back(function_.add_value({element, {count}}));
      filtered.results.push_back(count);
      filtered.results.push_back(joined.arrays.back());
    }
    const Replacement index{soac_.body.parameters[0], Operand(scan_.body.parameters[0])};
    replace_uses(function_, filter.body, {&index, 1});
    filter.body = clone(function_, filter.body);
    filtered.operation = std::move(filter);
    std::vector<Statement> result;
    result.push_back(std::move(filtered));
    if (function_.type(kinds_[0].counts).element == ElementType::I32) {
      constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
      const Operand fits = writer.scalar(row(ScalarOperation::LessEqual, ElementType::I64),
                                         {scan_.extent, Operand::i64(most)}, result);
      writer.require(fits,
                     "counts that wrap around in 32 bits, which compiled code does not have here",
                     result);
    }
    result.push_back({scattered_.results, std::move(joined), scattered_.span});
    return result;
  }

  Function& function_;
  std::span<const Body* const> around_;
  const Statement &counted_, &scattered_;
  const Soac &scan_, &soac_;
  std::vector<Kind> kinds_;
};

class CountedPartitions {
public:
  explicit CountedPartitions(Function& function) : function_(function) {}

  void body(Body& body) {
    around_.push_back(&body);
    for (Statement& statement : body.statements)
      for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
    for (std::size_t at = 0; at < body.statements.size(); ++at)
      for (std::size_t next = at + 1; next < body.statements.size(); ++next)
        if (is_of(body.statements[at], body.statements[next]) && replace(body, at, next)) break;
    around_.pop_back();
  }

private:
  static bool is_of(const Statement& counted, const Statement& scattered) {
    const auto* scan = std::get_if<Soac>(&counted.operation);
    const auto* scatter = std::get_if<Soac>(&scattered.operation);
    return scan && scatter && has_group<ScanGroup>(*scan) && has_only<ScatterGroup>(*scatter) &&
           std::ranges::any_of(scatter->inputs, [&](ValueId input) {
             return std::ranges::count(counted.results, input) > 0;
           });
  }

  bool replace(Body& body, std::size_t at, std::size_t next) {
    auto filters =
        CountedPartition(function_, around_, body.statements[at], body.statements[next]).filters();
    if (!filters) return false;
    // Nothing that it reads is made only on the way.
    const std::vector<ValueId> read = free_values(function_, filters->front());
    for (std::size_t i = at; i < next; ++i)
      for (const ValueId result : body.statements[i].results)
        if (std::ranges::count(read, result) > 0) return false;
    body.statements.erase(body.statements.begin() + static_cast<std::ptrdiff_t>(next));
    body.statements.insert(body.statements.begin() + static_cast<std::ptrdiff_t>(at),
                           std::make_move_iterator(filters->begin()),
                           std::make_move_iterator(filters->end()));
    return true;
  }

  Function& function_;
  std::vector<const Body*> around_; ///< the last one is at hand
};

} // namespace

void write_counted_partitions(Function& function) {
  CountedPartitions(function).body(function.body);
}

} // namespace sinter::jit
