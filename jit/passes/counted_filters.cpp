#include "jit/passes/counted_filters.h"

#include "jit/ir/walk.h"
#include "jit/passes/counted_elements.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;

namespace {

class CountedFilters {
public:
  explicit CountedFilters(Function& function) : function_(function) {}

  void body(Body& body) {
    around_.push_back(&body);
    for (Statement& statement : body.statements)
      for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
    for (std::size_t at = 0; at < body.statements.size(); ++at)
      if (const Operand keep = kept(body.statements[at]); keep.is_value())
        for (std::size_t next = at + 1; next < body.statements.size(); ++next)
          if (replace(body, at, keep, next)) break;
    around_.pop_back();
  }

private:
  /// The condition whose counts the statement gives, and nothing else; a constant if it does not.
  static Operand kept(const Statement& statement) {
    const auto* soac = std::get_if<Soac>(&statement.operation);
    return soac && soac->groups.size() == 1 ? counted_condition(*soac, soac->groups[0], 0)
                                            : Operand::i64(0);
  }

  bool replace(Body& body, std::size_t at, const Operand& keep, std::size_t next) {
    const auto& scan = std::get<Soac>(body.statements[at].operation);
    const ValueId counts = body.statements[at].results[0];
    const auto* soac = std::get_if<Soac>(&body.statements[next].operation);
    if (!soac || soac->extent != scan.extent) return false;
    const auto* scatter = only_group<ScatterGroup>(*soac);
    if (!scatter) return false;
    const Type& type = function_.type(body.statements[next].results[0]);
    if (scatter->index_count != 1 || type.rank() != 1 || !is_early_code(function_, *soac))
      return false;
    const Operand total = type.extents[0];
    // (What defines the total goes.)
    if (!is_total_of(around_, total, counts, scan.extent) ||
        definition_in(body.statements, total)->results.size() != 1)
      return false;

    const auto& statements = soac->body.statements;
    const auto* place = defining<Select>(statements, soac->body.results[0]);
    const auto* one_less = place ? definition_in(statements, place->then_value) : nullptr;
    if (!one_less || !place->else_value.is_constant() ||
        place->else_value.scalar().as<std::int64_t>() >= 0 ||
        !CodeComparison(scan, *soac).are_same(keep, place->condition))
      return false;
    const auto input = std::ranges::find(soac->inputs, counts);
    if (input == soac->inputs.end()) return false;
    const auto position = static_cast<std::size_t>(input - soac->inputs.begin());
    const ValueId count = soac->body.parameters[position + 1];
    if (!is_one_less(statements, place->then_value, count)) return false;

    // Its code without the places, as far as it was known before the counts.
    Statement filter = body.statements[next];
    Soac& kept = std::get<Soac>(filter.operation);
    kept.body.results = {place->condition, soac->body.results[1]};
    const auto is_place = [&](const Statement& statement) {
      return statement.results == one_less->results ||
             statement.results == std::vector{soac->body.results[0].value()};
    };
    std::erase_if(kept.body.statements, is_place);
    kept.inputs.erase(kept.inputs.begin() + static_cast<std::ptrdiff_t>(position));
    kept.body.parameters.erase(kept.body.parameters.begin() +
                               static_cast<std::ptrdiff_t>(position) + 1);
    kept.groups = {FilterGroup{1}};
    const std::vector<ValueId> needed = free_values(function_, kept);
    const auto is_needed = [&](ValueId value) { return std::ranges::count(needed, value) > 0; };
    for (std::size_t i = at; i < next; ++i)
      if (std::ranges::any_of(body.statements[i].results, is_needed)) return false;
    if (is_needed(count) || is_needed(soac->body.results[0].value()) ||
        std::ranges::any_of(one_less->results, is_needed))
      return false;

    filter.results.insert(filter.results.begin(), total.value());
    body.statements.erase(body.statements.begin() + static_cast<std::ptrdiff_t>(next));
    std::erase_if(body.statements, [&](const Statement& statement) {
      return statement.results == std::vector{total.value()};
    });
    body.statements.insert(body.statements.begin() + static_cast<std::ptrdiff_t>(at),
                           std::move(filter));
    return true;
  }

  Function& function_;
  std::vector<const Body*> around_; ///< the last one is at hand
};

} // namespace

void write_counted_filters(Function& function) {
  CountedFilters(function).body(function.body);
}

} // namespace sinter::jit
