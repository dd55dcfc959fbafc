#include "jit/passes/split_kinds.h"

#include "jit/ir/groups.h"
#include "jit/ir/operations.h"
#include "jit/ir/straight_code.h"
#include "jit/ir/walk.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

/// The first of these that there is stays with the elements: what consumes arrays comes behind
/// them, and scans compute their elements twice.
constexpr std::array kinds_in_order = {GroupKind::Reduce,  GroupKind::Filter,
                                       GroupKind::Scan,    GroupKind::Partition,
                                       GroupKind::Scatter, GroupKind::Histogram};

/// Scalars from scalars, by straight code that cannot fail.
bool is_plain(const Function& function, const Body& body) {
  return std::ranges::all_of(body.statements, [&](const Statement& statement) {
    if (const auto* branch = std::get_if<If>(&statement.operation))
      return std::ranges::all_of(
                 statement.results,
                 [&](ValueId result) { return function.type(result).is_scalar(); }) &&
             is_plain(function, branch->then_body) && is_plain(function, branch->else_body);
    return is_scalar_operation(statement.operation) && !may_fail(statement.operation);
  });
}

/// Takes one statement apart.
class KindSplitter : StatementWriter {
public:
  KindSplitter(Function& function, const Statement& statement)
      : StatementWriter(function, statement.span), statement_(statement),
        soac_(std::get<Soac>(statement.operation)) {}

  /// Nothing: it stays as it is.
  std::optional<Statements> run() {
    std::vector<GroupKind> kinds;
    for (const GroupKind kind : kinds_in_order)
      if (std::ranges::any_of(soac_.groups,
                              [&](const Group& group) { return kind_of(group) == kind; }))
        kinds.push_back(kind);
    // (Who partitions elements computes them twice.)
    const bool stores_all =
        !kinds.empty() && kinds[0] == GroupKind::Partition && !is_elementary(function_, soac_.body);
    if ((kinds.size() < 2 && !stores_all) || !are_simple()) return std::nullopt;
    Statements made;
    made.push_back({{}, Soac{soac_.extent, soac_.inputs, soac_.body, {}}, span_});
    std::get<Soac>(made[0].operation).body.results.clear();
    add_groups(stores_all ? GroupKind::Map : kinds[0], made[0]);
    Statements others;
    for (const GroupKind kind : std::span(kinds).subspan(stores_all ? 0 : 1))
      others.push_back(consumer(kind, made[0]));
    if (std::get<Soac>(made[0].operation).groups.empty()) return std::nullopt;
    std::ranges::move(others, std::back_inserter(made));
    return made;
  }

private:
  /// Whether groups but maps have elements that are scalars, and operators that cannot fail; and
  /// whether nobody else looks at what they consume.
  bool are_simple() const {
    bool are = !has_post(soac_);
    std::vector<ValueId> read = free_values(function_, soac_.body);
    read.insert(read.end(), soac_.inputs.begin(), soac_.inputs.end());
    for_each_group(soac_, [&](const Group& group, std::size_t first, std::size_t) {
      if (std::holds_alternative<MapGroup>(group)) return;
      if (const Body* const combine = operator_of(group))
        are = are && is_plain(function_, *combine);
      for (std::size_t i = 0; i < arity(group).body_results; ++i)
        are = are && function_.type(soac_.body.results[first + i]).is_scalar();
      for (const Operand& destination : destinations(group))
        are = are && !(destination.is_value() &&
                       std::ranges::find(read, destination.value()) != read.end());
    });
    return are;
  }

  /// Maps, and groups of that kind.
  void add_groups(GroupKind kind, Statement& whole) const {
    Soac& soac = std::get<Soac>(whole.operation);
    for_each_group(soac_, [&](const Group& group, std::size_t first, std::size_t result) {
      if (!std::holds_alternative<MapGroup>(group) && kind_of(group) != kind) return;
      const GroupArity size = arity(group);
      soac.groups.push_back(group);
      const auto taken = std::span(soac_.body.results).subspan(first, size.body_results);
      soac.body.results.insert(soac.body.results.end(), taken.begin(), taken.end());
      const auto results = std::span(statement_.results).subspan(result, size.results);
      whole.results.insert(whole.results.end(), results.begin(), results.end());
    });
  }

  /// Groups of that kind, over what `whole` stores of its elements.
  Statement consumer(GroupKind kind, Statement& whole) {
    Statement statement{{}, Soac{soac_.extent, {}, {}, {}}, span_};
    Soac& soac = std::get<Soac>(statement.operation);
    soac.body.parameters = {value({ElementType::I64, {}})};
    std::map<std::uint32_t, ValueId> elements; ///< by what they are of the whole's
    for_each_group(soac_, [&](const Group& group, std::size_t first, std::size_t result) {
      if (kind_of(group) != kind) return;
      const GroupArity size = arity(group);
      soac.groups.push_back(group);
      for (std::size_t i = 0; i < size.body_results; ++i)
        soac.body.results.push_back(passed(soac_.body.results[first + i], whole, soac, elements));
      const auto results = std::span(statement_.results).subspan(result, size.results);
      statement.results.insert(statement.results.end(), results.begin(), results.end());
    });
    return statement;
  }

  /// What a consumer yields in place of the whole's body.
  Operand passed(const Operand& wanted, Statement& whole, Soac& consumer,
                 std::map<std::uint32_t, ValueId>& elements) {
    if (wanted.is_constant()) return wanted;
    if (wanted == Operand(soac_.body.parameters[0])) return consumer.body.parameters[0];
    if (!is_defined_in(soac_.body, wanted)) return wanted;
    const auto [known, is_new] = elements.try_emplace(wanted.value().index);
    if (is_new) {
      consumer.inputs.push_back(array_of(wanted.value(), whole));
      known->second = value(function_.type(wanted));
      consumer.body.parameters.push_back(known->second);
    }
    return known->second;
  }

  /// An input, if it is one's element; a map's result, if there is one.
  ValueId array_of(ValueId element, Statement& whole) {
    for (std::size_t i = 0; i < soac_.inputs.size(); ++i)
      if (element == soac_.body.parameters[i + 1]) return soac_.inputs[i];
    Soac& soac = std::get<Soac>(whole.operation);
    std::optional<ValueId> stored;
    for_each_group(soac, [&](const Group& group, std::size_t first, std::size_t result) {
      if (std::holds_alternative<MapGroup>(group) && soac.body.results[first] == Operand(element))
        stored = whole.results[result];
    });
    if (stored) return *stored;
    const ValueId array = value(array_type(soac_.extent, function_.type(element)));
    soac.groups.emplace_back(MapGroup{});
    soac.body.results.emplace_back(element);
    whole.results.push_back(array);
    return array;
  }

  const Statement& statement_;
  const Soac& soac_;
};

} // namespace

void split_kinds(Function& function) {
  std::vector<Statement> before = std::move(function.body.statements);
  function.body.statements.clear();
  for (Statement& statement : before) {
    std::optional<std::vector<Statement>> made;
    if (std::holds_alternative<Soac>(statement.operation))
      made = KindSplitter(function, statement).run();
    if (made)
      std::ranges::move(*made, std::back_inserter(function.body.statements));
    else
      function.body.statements.push_back(std::move(statement));
  }
}

} // namespace sinter::jit
