#include "jit/passes/delay.h"

#include "jit/ir/groups.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/cost.h"
#include "jit/passes/dead_code.h"
#include "jit/passes/index_reads.h"
#include "jit/passes/joined_elements.h"
#include "jit/passes/read_places.h"
#include "jit/passes/rewrite.h"
#include "jit/passes/simplify.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

/// Costs (in additions) below which elements are computed anew at every use, at a few uses of the
/// same nesting, and at a single one.
constexpr unsigned free_cost = 3, few_uses_cost = 16, single_use_cost = 24;
/// Uses, of the same nesting, at which branches are taken anew: for an element, few of them are.
constexpr std::size_t most_uses_of_choices = 2;

/// A map that can be delayed, one result of it.
struct Producer {
  Soac soac;
  std::size_t body_result = 0; ///< the element
  unsigned cost = 0;
  unsigned level = 0;   ///< nesting of its statement
  bool chooses = false; ///< branches compute it
  // What is known of its uses.
  std::size_t uses = 0;
  std::size_t elementwise_uses = 0; ///< by SOACs beside it, of the same extent
  std::size_t inputs_of_rows = 0;   ///< of such SOACs
  unsigned deepest = 0;             ///< nesting of the deepest use, relative to its own
  bool is_possible = true;
};
using Producers = std::unordered_map<std::uint32_t, Producer>; ///< by array
using Arrays = std::unordered_set<std::uint32_t>;

/// Finds producers, and how they are used.
class DelayedFinder {
public:
  /// Of the arrays of `wanted` it is known already.
  DelayedFinder(const Function& function, const Arrays& wanted)
      : function_(function), aliases_(function), places_(read_places(function)), wanted_(wanted) {}

  Producers run() {
    body(function_.body, 0);
    std::erase_if(producers_, [&](const auto& entry) {
      return !is_worthwhile(entry.second, wanted_.contains(entry.first), places_[entry.first]);
    });
    return std::move(producers_);
  }

private:
  static bool is_worthwhile(const Producer& producer, bool is_wanted, const ReadPlaces& places) {
    if (!producer.is_possible || producer.uses == 0) return false;
    if (is_wanted) return true;
    if (producer.chooses && (producer.uses > most_uses_of_choices || producer.deepest > 1))
      return false;
    // Fusion takes an only consumer; several ones may be unable to join each other.
    const bool is_fused = producer.uses == producer.elementwise_uses;
    if (is_fused && (producer.uses == 1 || producer.uses * producer.cost > few_uses_cost))
      return false;
    if (producer.cost <= free_cost) return true;
    if (producer.deepest > 1) {
      const bool is_fused_by_rows = producer.uses == 1 && producer.inputs_of_rows == 1;
      if (is_fused_by_rows || !places.is_read_once || !places.is_read_in_order) return false;
    }
    return producer.uses * producer.cost <=
           (producer.uses == 1 || producer.chooses ? single_use_cost : few_uses_cost);
  }

  void body(const Body& body, unsigned level) {
    for (const Statement& statement : body.statements)
      this->statement(statement, level);
    for (const Operand& result : body.results)
      if (result.is_value()) forbid(result.value());
  }

  void statement(const Statement& statement, unsigned level) {
    if (is_strided_view(statement.operation)) {
      const ValueId array = source_array(statement.operation);
      if (function_.type(statement.results[0]).is_scalar())
        use(array, level);
      else
        view(statement.results[0], array);
    } else if (const auto* soac = std::get_if<Soac>(&statement.operation)) {
      for (std::size_t i = 0; i < soac->inputs.size(); ++i) {
        const ValueId element = soac->body.parameters[i + 1];
        if (function_.type(element).is_scalar())
          use(soac->inputs[i], level + 1);
        else
          view(element, soac->inputs[i]);
        const auto direct = producers_.find(soac->inputs[i].index);
        if (direct != producers_.end() && direct->second.level == level &&
            direct->second.soac.extent == soac->extent)
          ++(function_.type(element).is_scalar() ? direct->second.elementwise_uses
                                                 : direct->second.inputs_of_rows);
      }
      for (const Group& group : soac->groups)
        for_each_operand(group, [&](const Operand& operand) {
          if (operand.is_value()) forbid(operand.value());
        });
    } else {
      for_each_operand(statement.operation, [&](const Operand& operand) {
        if (operand.is_value()) forbid(operand.value());
      });
    }
    for_each_body(statement.operation, [&](const Body& inner) { body(inner, level + 1); });
    if (const auto* soac = std::get_if<Soac>(&statement.operation)) note(*soac, statement, level);
  }

  void note(const Soac& soac, const Statement& statement, unsigned level) {
    if (!reads_constant_arrays(soac.inputs)) return;
    for_each_group(soac, [&](const Group& group, std::size_t from, std::size_t to) {
      if (!std::holds_alternative<MapGroup>(group)) return;
      const ValueId result = statement.results[to];
      if (aliases_.is_consumed(result)) return;
      const auto cost = cost_of_elements(soac, from);
      if (cost) producers_[result.index] = {soac, from, *cost, level, chooses(soac.body)};
    });
  }

  bool reads_constant_arrays(const std::vector<ValueId>& arrays) const {
    return std::none_of(arrays.begin(), arrays.end(),
                        [&](ValueId array) { return aliases_.is_consumed(array); });
  }

  /// Nothing if elements are not computed by a few scalar operations and element reads, or by
  /// choices of such.
  std::optional<unsigned> cost_of_elements(const Soac& soac, std::size_t body_result) const {
    unsigned cost = 0;
    const Operand element = soac.body.results[body_result];
    if (element.is_value() && !function_.type(element).is_scalar()) {
      // A row: it must be a map of the same kind, or known already.
      std::optional<unsigned> of_row;
      for (const Statement& statement : soac.body.statements)
        if (const auto* inner = std::get_if<Soac>(&statement.operation))
          for_each_group(*inner, [&](const Group& group, std::size_t from, std::size_t to) {
            if (statement.results[to] == element.value() &&
                std::holds_alternative<MapGroup>(group) && reads_constant_arrays(inner->inputs) &&
                !depends_on_soac(soac.body, statement))
              of_row = cost_of_elements(*inner, from);
          });
      if (!of_row) return std::nullopt;
      cost += *of_row;
    } else if (is_soac_result(soac.body, element))
      return std::nullopt;
    for (std::size_t i = 0; i < soac.inputs.size(); ++i)
      cost += function_.type(soac.body.parameters[i + 1]).is_scalar() ? 2 : 0;
    for (const Statement& statement : soac.body.statements) {
      if (std::holds_alternative<Soac>(statement.operation)) continue; // judged above, or not used
      if (!is_simple(statement)) return std::nullopt;
      cost += jit::cost(statement);
      if (depends_on_soac(soac.body, statement)) return std::nullopt;
    }
    return cost;
  }

  bool is_simple(const Statement& statement) const {
    const ir::Operation& operation = statement.operation;
    if (const auto* index = std::get_if<ir::Index>(&operation))
      return !aliases_.is_consumed(index->array);
    if (const auto* choice = std::get_if<If>(&operation)) {
      const auto is_scalar = [&](ValueId result) { return function_.type(result).is_scalar(); };
      const auto is_simple_there = [&](const Statement& each) { return is_simple(each); };
      return std::ranges::all_of(statement.results, is_scalar) &&
             std::ranges::all_of(choice->then_body.statements, is_simple_there) &&
             std::ranges::all_of(choice->else_body.statements, is_simple_there);
    }
    return is_scalar_operation(operation) || is_strided_view(operation);
  }
  /// Whether it, or a map in it, has branches.
  static bool chooses(const Body& body) {
    return std::ranges::any_of(body.statements, [](const Statement& statement) {
      const auto* const inner = std::get_if<Soac>(&statement.operation);
      return std::holds_alternative<If>(statement.operation) || (inner && chooses(inner->body));
    });
  }

  /// Whether a statement needs the result of a SOAC beside it.
  bool depends_on_soac(const Body& body, const Statement& statement) const {
    const std::vector<ValueId> read = free_values(function_, statement);
    return std::any_of(read.begin(), read.end(),
                       [&](ValueId value) { return is_soac_result(body, value); });
  }
  static bool is_soac_result(const Body& body, const Operand& operand) {
    return operand.is_value() &&
           std::any_of(body.statements.begin(), body.statements.end(), [&](const Statement& other) {
             return std::holds_alternative<Soac>(other.operation) &&
                    std::find(other.results.begin(), other.results.end(), operand.value()) !=
                        other.results.end();
           });
  }

  /// The producer behind a value: itself, or what it is a view of.
  Producer* producer(ValueId value) {
    const auto seen = views_.find(value.index);
    const auto found = producers_.find(seen == views_.end() ? value.index : seen->second);
    return found == producers_.end() ? nullptr : &found->second;
  }
  void view(ValueId result, ValueId of) {
    const auto seen = views_.find(of.index);
    views_[result.index] = seen == views_.end() ? of.index : seen->second;
  }
  void use(ValueId array, unsigned level) {
    Producer* found = producer(array);
    if (!found) return;
    ++found->uses;
    found->deepest = std::max(found->deepest, level - found->level);
  }
  void forbid(ValueId value) {
    if (Producer* found = producer(value)) found->is_possible = false;
  }

  const Function& function_;
  AliasClasses aliases_;
  std::unordered_map<std::uint32_t, ReadPlaces> places_; ///< by array
  const Arrays& wanted_;
  Producers producers_;
  std::unordered_map<std::uint32_t, std::uint32_t> views_; ///< what a value is a view of
};

/// Puts the producers' code where their elements are read.
class Inliner {
public:
  Inliner(Function& function, const Producers& producers)
      : function_(function), producers_(producers) {}

  void run() {
    body(function_.body);
    if (!substitution_.empty()) substitution_.apply(function_, function_.body);
  }

private:
  void body(Body& body) {
    std::vector<Statement> before = std::move(body.statements);
    body.statements.clear();
    for (Statement& statement : before)
      this->statement(std::move(statement), body.statements);
  }

  void statement(Statement statement, std::vector<Statement>& out) {
    const auto* index = std::get_if<ir::Index>(&statement.operation);
    if (index && function_.type(statement.results[0]).is_scalar()) {
      const auto found = producers_.find(index->array.index);
      if (found != producers_.end()) {
        const Operand element = this->element(found->second.soac, found->second.body_result,
                                              index->indices, statement.span, out);
        substitution_.set(statement.results[0], element);
        return;
      }
    }
    // Producers themselves are about to die: nothing need be put into them.
    const bool dies =
        !statement.results.empty() &&
        std::all_of(statement.results.begin(), statement.results.end(),
                    [&](ValueId result) { return producers_.contains(result.index); });
    if (!dies) for_each_body(statement.operation, [&](Body& inner) { body(inner); });
    out.push_back(std::move(statement));
  }

  /// The code of one element, at as many indices as lead to a scalar.
  Operand element(const Soac& soac, std::size_t body_result, const std::vector<Operand>& indices,
                  Span span, std::vector<Statement>& out) {
    std::vector<Replacement> replacements = {{soac.body.parameters[0], indices[0]}};
    for (std::size_t i = 0; i < soac.inputs.size(); ++i) {
      const ValueInfo info = function_.values[soac.body.parameters[i + 1].index];
      const ValueId read = function_.add_value(info.type, info.name);
      replacements.emplace_back(soac.body.parameters[i + 1], Operand(read));
      statement({{read}, ir::Index{soac.inputs[i], {indices[0]}}, span}, out);
    }
    const Operand wanted = soac.body.results[body_result];
    std::vector<Operand> rest(indices.begin() + 1, indices.end());
    for (const Statement& each : soac.body.statements) {
      if (const auto* inner = std::get_if<Soac>(&each.operation)) {
        std::optional<std::size_t> row;
        for_each_group(*inner, [&](const Group&, std::size_t from, std::size_t to) {
          if (wanted == Operand(each.results[to])) row = from;
        });
        if (!row) continue;
        const Statement copy = clone(function_, each, replacements);
        return element(std::get<Soac>(copy.operation), *row, rest, span, out);
      }
      statement(clone(function_, each, replacements), out);
    }
    Operand result = wanted;
    for (const Replacement& replacement : replacements)
      if (Operand(replacement.first) == wanted) result = replacement.second;
    result = substitution_.resolve(result);
    if (rest.empty()) return result;
    const ValueId read = function_.add_value({function_.type(result).element, {}}, "");
    statement({{read}, ir::Index{result.value(), rest}, span}, out);
    return substitution_.resolve(read);
  }

  Function& function_;
  const Producers& producers_;
  Substitution substitution_;
};

constexpr int round_limit = 4;

/// Those of the arrays that can be delayed.
Producers producers_of(const Function& function, const Arrays& arrays) {
  Producers producers = DelayedFinder(function, arrays).run();
  std::erase_if(producers, [&](const auto& entry) { return !arrays.contains(entry.first); });
  return producers;
}

} // namespace

Arrays delayable(const Function& function, const Arrays& arrays) {
  Arrays result;
  for (const auto& [array, producer] : producers_of(function, arrays))
    result.insert(array);
  return result;
}

void inline_arrays(Function& function, const Arrays& arrays) {
  const Producers producers = producers_of(function, arrays);
  Inliner(function, producers).run();
  simplify(function);
  remove_dead_code(function);
}

void inline_delayed(Function& function) {
  const Arrays joined = choose_joined_elements(function);
  // (So that their readers do not ask who has read a part's element for them.)
  if (!joined.empty()) remove_dead_code(function);
  for (int round = 0; round < round_limit; ++round) {
    Producers producers = DelayedFinder(function, joined).run();
    if (producers.empty()) return;
    read_by_index(function, [&](ValueId array) { return producers.contains(array.index); });
    simplify(function);
    remove_dead_code(function);
    // Simplification renamed what producers read; take them as they are now.
    Producers now = DelayedFinder(function, joined).run();
    if (now.empty()) return;
    Inliner(function, now).run();
    simplify(function);
    remove_dead_code(function);
  }
}

} // namespace sinter::jit
