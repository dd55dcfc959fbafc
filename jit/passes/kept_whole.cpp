#include "jit/passes/kept_whole.h"

#include "jit/ir/groups.h"
#include "jit/ir/walk.h"
#include "jit/passes/stream_group.h"

#include <algorithm>
#include <optional>
#include <set>

namespace sinter::jit {

using namespace ir;

namespace {

class Pair {
public:
  Pair(const Function& function, const Body& body, std::size_t producer, std::size_t consumer)
      : function_(function), body_(body), producer_(body.statements[producer]),
        consumer_(body.statements[consumer]) {}

  Reason reason() const {
    if (const auto against = against_rows(producer_)) return *against;
    if (const auto against = against_rows(consumer_)) return *against;
    if (needs_total()) return Reason::NeededByElements;
    if (!is_handed_on()) return Reason::OtherIndices;
    const bool is_kept = soac(consumer_).extent != soac(producer_).extent;
    for (const Group& group : soac(producer_).groups)
      if (const auto against = against_pieces(function_, group, false)) return *against;
    for (const Group& group : soac(consumer_).groups)
      if (const auto against = against_pieces(function_, group, is_kept)) return *against;
    if (is_needed(producer_) || is_needed(consumer_)) return Reason::ArrayIsNeeded;
    return Reason::InTheWay;
  }

private:
  static const Soac& soac(const Statement& statement) {
    return std::get<Soac>(statement.operation);
  }

  /// Whether elements are arrays, as are those of what is read or made.
  std::optional<Reason> against_rows(const Statement& statement) const {
    const auto is_scalar = [&](const Operand& element) {
      return function_.type(element).is_scalar();
    };
    const auto is_flat = [&](ValueId input) { return function_.type(input).rank() == 1; };
    if (std::ranges::all_of(soac(statement).body.results, is_scalar) &&
        std::ranges::all_of(soac(statement).inputs, is_flat))
      return std::nullopt;
    return Reason::ElementsAreArrays;
  }

  /// Whether the second one needs, for each element, what the first one gives as a whole.
  bool needs_total() const {
    std::set<ValueId> made(producer_.results.begin(), producer_.results.end());
    for (const Statement& statement : body_.statements) {
      if (&statement == &consumer_) break;
      if (std::holds_alternative<Soac>(statement.operation)) continue;
      for (ValueId used : free_values(function_, statement))
        if (made.contains(used)) made.insert(statement.results.begin(), statement.results.end());
    }
    // (An array that is read elsewhere than at the own index is another thing.)
    std::erase_if(made, [&](ValueId value) {
      return !function_.type(value).is_scalar() && std::ranges::count(producer_.results, value) > 0;
    });
    bool needs = false;
    const auto look_at = [&](ValueId value) { needs = needs || made.contains(value); };
    for_each_body(consumer_.operation, [&](const Body& inner) {
      for (ValueId value : free_values(function_, inner))
        look_at(value);
    });
    for (const Group& group : soac(consumer_).groups)
      for_each_operand(group, [&](const Operand& operand) {
        if (operand.is_value()) look_at(operand.value());
      });
    return needs;
  }

  /// Whether the second one reads elements of the first one at its own index.
  bool is_handed_on() const {
    return std::ranges::any_of(soac(consumer_).inputs, [&](ValueId input) {
      return std::ranges::count(producer_.results, input) > 0 &&
             function_.type(input).extents[0] == soac(consumer_).extent;
    });
  }

  /// Whether an array of its elements is read otherwise than by the elements of SOACs.
  bool is_needed(const Statement& statement) const {
    std::set<ValueId> arrays;
    for_each_group(soac(statement), [&](const Group& group, std::size_t, std::size_t to) {
      if (!destinations(group).empty()) return;
      for (std::size_t i = 0; i < arity(group).results; ++i)
        if (const ValueId result = statement.results[to + i]; !function_.type(result).is_scalar())
          arrays.insert(result);
    });
    const auto is_one = [&](const Operand& operand) {
      return operand.is_value() && arrays.contains(operand.value());
    };
    if (std::ranges::any_of(body_.results, is_one)) return true;
    return std::ranges::any_of(body_.statements, [&](const Statement& user) {
      const auto* reader = std::get_if<Soac>(&user.operation);
      if (!reader) return std::ranges::any_of(free_values(function_, user), is_one);
      bool is_read = false;
      for_each_body(user.operation, [&](const Body& inner) {
        is_read = is_read || std::ranges::any_of(free_values(function_, inner), is_one);
      });
      for (const Group& group : reader->groups)
        for_each_operand(group,
                         [&](const Operand& operand) { is_read = is_read || is_one(operand); });
      return is_read;
    });
  }

  const Function& function_;
  const Body& body_;
  const Statement &producer_, &consumer_;
};

} // namespace

Reason kept_whole(const Function& function, const Body& body, std::size_t producer,
                  std::size_t consumer) {
  return Pair(function, body, producer, consumer).reason();
}

} // namespace sinter::jit
