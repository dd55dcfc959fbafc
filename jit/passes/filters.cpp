#include "jit/passes/filters.h"

#include "jit/ir/groups.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"
#include "jit/passes/algebra.h"
#include "jit/passes/counted_filters.h"
#include "jit/passes/counted_partitions.h"
#include "jit/passes/rewrite.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

/// What a body may cost that runs for elements that are dropped.
constexpr unsigned wasted_cost_limit = 64;

/// Where a filter group is in its SOAC.
struct FilterPlace {
  std::size_t group = 0, body_result = 0, result = 0;
};

class FilterFuser {
public:
  explicit FilterFuser(Function& function) : function_(function) {}

  void body(Body& body) {
    for (Statement& statement : body.statements)
      for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
    for (std::size_t at = 0; at < body.statements.size(); ++at) {
      const auto place = find_filter(body.statements[at]);
      if (!place) continue;
      // The filter's arrays grow as consumers that are maps join; look again until none does.
      std::size_t next = at + 1;
      while (next < body.statements.size())
        if (absorb(body, at, *place, next))
          next = at + 1;
        else
          ++next;
    }
  }

private:
  static std::optional<FilterPlace> find_filter(const Statement& statement) {
    const auto* soac = std::get_if<Soac>(&statement.operation);
    if (!soac) return std::nullopt;
    std::optional<FilterPlace> result;
    std::size_t group_index = 0;
    for_each_group(*soac, [&](const Group& group, std::size_t from, std::size_t to) {
      if (!result && std::holds_alternative<FilterGroup>(group))
        result = FilterPlace{group_index, from, to};
      ++group_index;
    });
    return result;
  }

  /// Moves the consumer at `next` into the filter at `at`, if it is one and may be.
  bool absorb(Body& body, std::size_t at, const FilterPlace& place, std::size_t next) {
    Statement& producer = body.statements[at];
    Statement& consumer = body.statements[next];
    auto* from = std::get_if<Soac>(&producer.operation);
    auto* to = std::get_if<Soac>(&consumer.operation);
    if (!to || to->extent != Operand(producer.results[place.result])) return false;
    const auto& group = std::get<FilterGroup>(from->groups[place.group]);
    const auto first = producer.results.begin() + static_cast<std::ptrdiff_t>(place.result);
    const auto last = first + 1 + group.value_count;
    for (ValueId input : to->inputs)
      if (std::find(first + 1, last, input) == last) return false;
    if (!may_run_always(*to, is_one_row(*from)) || !is_known_before(body, at, *to)) return false;
    std::vector<std::size_t> folds;
    if (has_group<ScanGroup>(*to)) {
      const std::optional<std::vector<std::size_t>> found =
          folds_of_prefixes(body, next, {first + 1, last});
      if (!found) return false;
      folds = *found;
    }

    Substitution elements;
    for (std::size_t i = 0; i < to->inputs.size(); ++i) {
      const auto value =
          static_cast<std::size_t>(std::find(first + 1, last, to->inputs[i]) - (first + 1));
      elements.set(to->body.parameters[i + 1], from->body.results[place.body_result + 1 + value]);
    }
    merge(producer, place, consumer, elements);
    for (const std::size_t fold : folds)
      fold_kept(producer, place, body.statements[fold]);
    body.statements.erase(body.statements.begin() + static_cast<std::ptrdiff_t>(next));
    return true;
  }

  /// Whether what is kept of it is folded from the left, however much that is.
  static bool is_one_row(const Soac& soac) {
    return soac.extent.is_constant() &&
           soac.extent.scalar().as<std::int64_t>() <= primitives::row_length;
  }

  /// Maps, reductions and scans of scalars by cheap scalar code that ignores where the element
  /// stands; no folds that show it, but reductions of one row, from which elements can be left out.
  bool may_run_always(const Soac& soac, bool is_one_row) const {
    unsigned cost = 0;
    for (const Statement& statement : soac.body.statements) {
      if (const auto* primitive = std::get_if<ir::Primitive>(&statement.operation))
        cost += primitive->primitive->cost;
      else if (!std::holds_alternative<Select>(statement.operation))
        return false;
      bool uses_index = false;
      for_each_operand(statement.operation, [&](const Operand& operand) {
        uses_index = uses_index || operand == Operand(soac.body.parameters[0]);
      });
      if (uses_index) return false;
    }
    for (const Operand& result : soac.body.results)
      if (result == Operand(soac.body.parameters[0]) || !function_.type(result).is_scalar())
        return false;
    for (const Group& group : soac.groups) {
      const auto* reduce = std::get_if<ReduceGroup>(&group);
      if (const auto* scan = std::get_if<ScanGroup>(&group)) {
        if (order_shows(*scan) || !scan->post.empty() || !scan->before.empty()) return false;
        continue;
      }
      if (!reduce && !std::holds_alternative<MapGroup>(group)) return false;
      if (reduce && order_shows(*reduce) && !(is_one_row && !may_fail(reduce->combine)))
        return false;
    }
    return cost <= wasted_cost_limit;
  }

  /// The statements that read what the scans at `scan` leave, of what the filter keeps (`kept`), if
  /// all of them fold it in any order: then nobody sees how many prefixes there are.
  std::optional<std::vector<std::size_t>>
  folds_of_prefixes(const Body& body, std::size_t scan, const std::vector<ValueId>& kept) const {
    const Statement& statement = body.statements[scan];
    std::vector<ValueId> prefixes;
    for_each_group(std::get<Soac>(statement.operation),
                   [&](const Group& group, std::size_t, std::size_t to) {
                     if (!std::holds_alternative<ScanGroup>(group)) return;
                     for (std::size_t i = 0; i < arity(group).results; ++i)
                       prefixes.push_back(statement.results[to + i]);
                   });
    const auto is_one_of = [](const std::vector<ValueId>& values, ValueId value) {
      return std::ranges::find(values, value) != values.end();
    };
    std::size_t reads = 0;
    std::vector<std::size_t> folds;
    for (std::size_t at = scan + 1; at < body.statements.size(); ++at) {
      const auto* soac = std::get_if<Soac>(&body.statements[at].operation);
      if (!soac || soac->extent != std::get<Soac>(statement.operation).extent) continue;
      const auto here = std::ranges::count_if(
          soac->inputs, [&](ValueId input) { return is_one_of(prefixes, input); });
      if (here == 0) continue;
      const bool knows_all = std::ranges::all_of(soac->inputs, [&](ValueId input) {
        return is_one_of(prefixes, input) ||
               (is_one_of(kept, input) && function_.type(input).rank() == 1);
      });
      if (!knows_all || !has_only<ReduceGroup>(*soac) || !may_run_always(*soac, false))
        return std::nullopt;
      reads += static_cast<std::size_t>(here);
      folds.push_back(at);
    }
    const std::vector<std::uint32_t> uses = count_uses(function_);
    std::size_t all = 0;
    for (const ValueId prefix : prefixes)
      all += uses[prefix.index];
    if (all != reads) return std::nullopt;
    return folds;
  }

  /// One of these: it goes over the elements that are not kept, too, which change nothing in it.
  void fold_kept(Statement& producer, const FilterPlace& place, Statement& fold) {
    Soac& from = std::get<Soac>(producer.operation);
    Soac& to = std::get<Soac>(fold.operation);
    const auto of_all = [&](const Operand& element) {
      Type type = function_.type(element);
      type.extents = {from.extent};
      producer.results.push_back(function_.add_value(std::move(type)));
      from.body.results.push_back(element);
      from.groups.emplace_back(MapGroup{});
      return producer.results.back();
    };
    const auto& group = std::get<FilterGroup>(from.groups[place.group]);
    const auto first = producer.results.begin() + static_cast<std::ptrdiff_t>(place.result);
    const std::vector<ValueId> kept(first + 1, first + 1 + group.value_count);
    for (ValueId& input : to.inputs)
      if (const auto found = std::ranges::find(kept, input); found != kept.end())
        input = of_all(from.body.results[place.body_result + 1 +
                                         static_cast<std::size_t>(found - kept.begin())]);
    to.extent = from.extent;
    to.inputs.push_back(of_all(from.body.results[place.body_result]));
    const ValueId is_kept = function_.add_value({ElementType::Bool, {}});
    to.body.parameters.push_back(is_kept);
    for_each_group(to, [&](Group& one, std::size_t body_result, std::size_t) {
      neutral_unless(is_kept, std::get<ReduceGroup>(one).neutral,
                     std::span(to.body.results).subspan(body_result), to.body, fold.span);
    });
  }

  /// The values, which `body` gives to a fold, become neutral ones where the element is not kept.
  void neutral_unless(const Operand& is_kept, const std::vector<Operand>& neutral,
                      std::span<Operand> values, Body& body, Span span) {
    for (std::size_t i = 0; i < neutral.size(); ++i) {
      const ValueId chosen = function_.add_value(function_.type(values[i]));
      body.statements.push_back({{chosen}, Select{is_kept, values[i], neutral[i]}, span});
      values[i] = chosen;
    }
  }

  /// Whether the consumer needs nothing that is computed from the filter on, but its elements.
  bool is_known_before(const Body& body, std::size_t at, const Soac& soac) const {
    std::vector<ValueId> needed = free_values(function_, soac.body);
    for (const Group& group : soac.groups) {
      for_each_operand(group, [&](const Operand& operand) {
        if (operand.is_value()) needed.push_back(operand.value());
      });
      for_each_body(group, [&](const Body& combine) {
        const std::vector<ValueId> inside = free_values(function_, combine);
        needed.insert(needed.end(), inside.begin(), inside.end());
      });
    }
    for (std::size_t i = at; i < body.statements.size(); ++i)
      for (ValueId result : body.statements[i].results)
        if (std::find(needed.begin(), needed.end(), result) != needed.end()) return false;
    return true;
  }

  void merge(Statement& producer, const FilterPlace& place, Statement& consumer,
             const Substitution& elements) {
    Soac& from = std::get<Soac>(producer.operation);
    Soac& to = std::get<Soac>(consumer.operation);
    elements.apply(function_, to.body);
    std::move(to.body.statements.begin(), to.body.statements.end(),
              std::back_inserter(from.body.statements));
    const Operand keep = from.body.results[place.body_result];
    for_each_group(to, [&](Group& group, std::size_t body_result, std::size_t result) {
      auto* const reduce = std::get_if<ReduceGroup>(&group);
      if (reduce && order_shows(*reduce)) {
        from.body.results.push_back(keep);
        producer.results.push_back(function_.add_value({ElementType::Bool, {}}));
        for (std::size_t i = 0; i < reduce->neutral.size(); ++i) {
          from.body.results.push_back(to.body.results[body_result + i]);
          producer.results.push_back(consumer.results[result + i]);
        }
        from.groups.push_back(leaving_out(*reduce, consumer.span));
      } else if (reduce || std::holds_alternative<ScanGroup>(group)) {
        const std::vector<Operand>& neutral =
            reduce ? reduce->neutral : std::get<ScanGroup>(group).neutral;
        const auto values = std::span(to.body.results).subspan(body_result, neutral.size());
        neutral_unless(keep, neutral, values, from.body, consumer.span);
        from.body.results.insert(from.body.results.end(), values.begin(), values.end());
        for (std::size_t i = 0; i < neutral.size(); ++i) {
          producer.results.push_back(consumer.results[result + i]);
          if (!reduce) function_.values[producer.results.back().index].type.extents = {from.extent};
        }
        from.groups.push_back(std::move(group));
      } else {
        // One more of the filter's values.
        auto& filter = std::get<FilterGroup>(from.groups[place.group]);
        ++filter.value_count;
        const auto offset = static_cast<std::ptrdiff_t>(filter.value_count);
        from.body.results.insert(from.body.results.begin() +
                                     static_cast<std::ptrdiff_t>(place.body_result) + offset,
                                 to.body.results[body_result]);
        producer.results.insert(producer.results.begin() +
                                    static_cast<std::ptrdiff_t>(place.result) + offset,
                                consumer.results[result]);
      }
    });
  }

  /// The reduction of elements from the left, each with whether it takes part.
  ReduceGroup leaving_out(const ReduceGroup& reduce, Span span) {
    const std::size_t width = reduce.neutral.size();
    const Body original = clone(function_, reduce.combine);
    const auto fresh_flag = [&] { return function_.add_value({ElementType::Bool, {}}); };
    const ValueId is_left_kept = fresh_flag(), is_kept = fresh_flag();
    ReduceGroup result;
    result.neutral = reduce.neutral;
    result.neutral.insert(result.neutral.begin(),
                          Operand::constant(ElementType::Bool, Scalar::of(false)));
    Body& combine = result.combine;
    combine.parameters = original.parameters;
    combine.parameters.insert(combine.parameters.begin() + static_cast<std::ptrdiff_t>(width),
                              is_kept);
    combine.parameters.insert(combine.parameters.begin(), is_left_kept);
    combine.statements = original.statements;
    combine.results.emplace_back(is_kept);
    for (std::size_t i = 0; i < width; ++i) {
      const ValueId left = original.parameters[i];
      const ValueId chosen = function_.add_value(function_.type(left));
      combine.statements.push_back({{chosen}, Select{is_kept, original.results[i], left}, span});
      combine.results.emplace_back(chosen);
    }
    return result;
  }

  Function& function_;
};

/// Filters whose arrays nobody reads: sums of ones, or nothing; and arrays that nobody reads go.
class FilterPruner {
public:
  explicit FilterPruner(Function& function) : function_(function), uses_(count_uses(function)) {}

  void body(Body& body) {
    for (Statement& statement : body.statements) {
      for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
      if (auto* soac = std::get_if<Soac>(&statement.operation)) prune(statement, *soac);
    }
  }

private:
  void prune(Statement& statement, Soac& soac) {
    std::vector<Group> groups;
    std::vector<Operand> body_results;
    std::vector<ValueId> results;
    for_each_group(soac, [&](Group& group, std::size_t from, std::size_t to) {
      const GroupArity size = arity(group);
      auto* filter = std::get_if<FilterGroup>(&group);
      if (!filter) {
        for (std::size_t i = 0; i < size.body_results; ++i)
          body_results.push_back(soac.body.results[from + i]);
        for (std::size_t i = 0; i < size.results; ++i)
          results.push_back(statement.results[to + i]);
        groups.push_back(std::move(group));
        return;
      }
      std::vector<std::size_t> used;
      for (std::size_t i = 1; i <= filter->value_count; ++i)
        if (uses_[statement.results[to + i].index] > 0) used.push_back(i);
      results.push_back(statement.results[to]);
      if (used.empty()) {
        body_results.push_back(one_if(soac.body.results[from], soac.body, statement.span));
        groups.push_back(sum());
        return;
      }
      body_results.push_back(soac.body.results[from]);
      for (const std::size_t i : used) {
        body_results.push_back(soac.body.results[from + i]);
        results.push_back(statement.results[to + i]);
      }
      groups.push_back(FilterGroup{static_cast<std::uint32_t>(used.size())});
    });
    soac.groups = std::move(groups);
    soac.body.results = std::move(body_results);
    statement.results = std::move(results);
  }

  Operand one_if(const Operand& keep, Body& body, Span span) {
    const ValueId one = function_.add_value({ElementType::I64, {}});
    body.statements.push_back({{one}, Select{keep, Operand::i64(1), Operand::i64(0)}, span});
    return one;
  }

  ReduceGroup sum() {
    const Type type{ElementType::I64, {}};
    const ValueId a = function_.add_value(type), b = function_.add_value(type);
    const ValueId c = function_.add_value(type);
    Body combine;
    combine.parameters = {a, b};
    combine.statements.push_back(
        {{c}, ir::Primitive{&row(primitives::Operation::Add, ElementType::I64), {a, b}}, {}});
    combine.results = {c};
    return {{Operand::i64(0)}, std::move(combine), true};
  }

  Function& function_;
  std::vector<std::uint32_t> uses_;
};

} // namespace

void fuse_filters(Function& function) {
  write_counted_filters(function);
  write_counted_partitions(function);
  FilterFuser(function).body(function.body);
  FilterPruner(function).body(function.body);
}

} // namespace sinter::jit
