#include "jit/passes/fuse.h"

#include "jit/ir/groups.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"
#include "jit/passes/cost.h"
#include "jit/passes/dependencies.h"
#include "jit/passes/rewrite.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

/// Bodies of scans run twice (once for the chunk's total, once for the prefixes): what costs more
/// than this is better stored.
constexpr unsigned scan_cost_limit = 200;
/// Statements in one body: beyond this, values no longer stay in registers.
constexpr std::size_t body_limit = 400;

/// Siblings that a statement is compared with: long programs must not take long to compile.
constexpr std::size_t sibling_limit = 8;

using Node = DependencyGraph::Node;

/// Fuses the statements of one body.
class BodyFuser {
public:
  BodyFuser(Function& function, const AliasClasses& aliases, Body& body)
      : function_(function), body_(body), aliases_(aliases),
        graph_(function, aliases, std::move(body.statements)) {
    for (const Operand& result : body.results)
      if (result.is_value()) ++result_uses_[result.value().index];
  }

  void run() {
    for (Node node = 0; node < graph_.size(); ++node)
      while (soac(node) && fuse_with_a_producer(node)) {
      }
    for (Node node = 0; node < graph_.size(); ++node)
      while (soac(node) && fuse_with_a_sibling(node)) {
      }
    body_.statements = graph_.take_statements();
  }

private:
  Soac* soac(Node node) {
    return graph_.is_alive(node) ? std::get_if<Soac>(&graph_.statement(node).operation) : nullptr;
  }

  bool fuse_with_a_producer(Node consumer) {
    for (ValueId input : soac(consumer)->inputs) {
      const std::optional<Node> producer = graph_.definition(input);
      if (!producer || *producer == consumer || !soac(*producer)) continue;
      if (!may_fuse(*producer, consumer) || !reads_elementwise(*producer, consumer)) continue;
      merge(*producer, consumer);
      return true;
    }
    return false;
  }

  /// Joins a later sibling to this one.
  bool fuse_with_a_sibling(Node node) {
    std::size_t tries = 0;
    for (Node other = node + 1; other < graph_.size() && tries < sibling_limit; ++other) {
      if (!soac(other) || soac(node)->extent != soac(other)->extent || !share_an_array(node, other))
        continue;
      ++tries;
      if (graph_.has_edge(node, other) || !may_fuse(node, other)) continue;
      if (graph_.has_edge(other, node) || graph_.has_indirect_path(other, node)) continue;
      merge(node, other);
      return true;
    }
    return false;
  }

  bool share_an_array(Node a, Node b) const {
    const auto& others = graph_.reads(b);
    return std::any_of(graph_.reads(a).begin(), graph_.reads(a).end(), [&](ValueId value) {
      return !function_.type(value).is_scalar() &&
             std::find(others.begin(), others.end(), value) != others.end();
    });
  }

  /// What both kinds of fusion need.
  bool may_fuse(Node earlier, Node later) {
    const Soac &a = *soac(earlier), &b = *soac(later);
    if (a.extent != b.extent) return false;
    if (a.body.statements.size() + b.body.statements.size() > body_limit) return false;
    const bool scans = has_group<ScanGroup>(a) || has_group<ScanGroup>(b);
    if (scans && (cost(a.body) > scan_cost_limit || cost(b.body) > scan_cost_limit)) return false;
    if (scans && (writes_elsewhere(a) || writes_elsewhere(b))) return false;
    if (are_cut_apart(a, b)) return false;
    return !graph_.interfere(earlier, later) && !graph_.has_indirect_path(earlier, later);
  }

  /// Histograms of both keep an order that goes by their numbers of bins, which may differ.
  bool are_cut_apart(const Soac& a, const Soac& b) const {
    const auto bins = [&](const Soac& soac) {
      std::vector<std::vector<Operand>> result;
      for (const Group& group : soac.groups)
        if (const auto* histogram = std::get_if<HistogramGroup>(&group);
            histogram && order_shows(*histogram)) {
          const auto& extents = function_.type(histogram->destinations[0]).extents;
          result.emplace_back(extents.begin(), extents.begin() + histogram->index_count);
        }
      return result;
    };
    const auto of_a = bins(a), of_b = bins(b);
    return !of_a.empty() && !of_b.empty() && of_a.front() != of_b.front();
  }

  /// Elements go to other places than their index.
  static bool writes_elsewhere(const Soac& soac) {
    return has_group<ScatterGroup>(soac) || has_group<HistogramGroup>(soac) ||
           has_group<FilterGroup>(soac);
  }

  /// Whether the consumer needs of the producer only elements of maps at the same index.
  bool reads_elementwise(Node producer, Node consumer) {
    const Statement &from = graph_.statement(producer), &to = graph_.statement(consumer);
    const Soac& reader = std::get<Soac>(to.operation);
    std::vector<ValueId> maps;
    for_each_group(std::get<Soac>(from.operation),
                   [&](const Group& group, std::size_t, std::size_t result) {
                     if (std::holds_alternative<MapGroup>(group))
                       maps.push_back(from.results[result]);
                   });
    for (std::size_t i = 0; i < reader.inputs.size(); ++i) {
      if (!is_result(from, reader.inputs[i])) continue;
      if (std::find(maps.begin(), maps.end(), reader.inputs[i]) == maps.end()) return false;
      // A row that the consumer overwrites must be a row of an array in memory.
      const ValueId element = reader.body.parameters[i + 1];
      if (!function_.type(element).is_scalar() && aliases_.is_consumed(element)) return false;
    }
    // Apart from its inputs, the consumer must not read it.
    bool elsewhere = false;
    const auto note = [&](const Operand& operand) {
      if (operand.is_value() && is_result(from, operand.value())) elsewhere = true;
    };
    note(reader.extent);
    for (ValueId value : free_values(function_, reader.body))
      note(value);
    for (const Group& group : reader.groups) {
      for_each_operand(group, note);
      for_each_body(group, [&](const Body& combine) {
        for (ValueId value : free_values(function_, combine))
          note(value);
      });
    }
    for (ValueId result : to.results)
      for (const Operand& extent : function_.type(result).extents)
        note(extent);
    return !elsewhere;
  }

  static bool is_result(const Statement& statement, ValueId value) {
    return std::find(statement.results.begin(), statement.results.end(), value) !=
           statement.results.end();
  }

  /// Whether anybody but these two needs the value.
  bool is_needed_elsewhere(ValueId value, Node consumer) const {
    const auto& reads = graph_.reads(consumer);
    const bool by_consumer = std::find(reads.begin(), reads.end(), value) != reads.end();
    return graph_.reader_count(value) > (by_consumer ? 1u : 0u) ||
           result_uses_.contains(value.index);
  }

  void merge(Node earlier, Node later) {
    Statement from = std::move(graph_.statement(earlier));
    Statement to = std::move(graph_.statement(later));
    Soac& producer = std::get<Soac>(from.operation);
    Soac& consumer = std::get<Soac>(to.operation);
    Soac fused;
    fused.extent = consumer.extent;
    Statement result;
    result.span = to.span;

    // The producer's groups that are still needed.
    std::unordered_map<std::uint32_t, Operand> elements; // of the producer's maps
    for_each_group(producer, [&](Group& group, std::size_t body_result, std::size_t at) {
      const GroupArity size = arity(group);
      const bool is_map = std::holds_alternative<MapGroup>(group);
      if (is_map) elements[from.results[at].index] = producer.body.results[body_result];
      if (is_map && !is_needed_elsewhere(from.results[at], later)) return;
      for (std::size_t i = 0; i < size.body_results; ++i)
        fused.body.results.push_back(producer.body.results[body_result + i]);
      for (std::size_t i = 0; i < size.results; ++i)
        result.results.push_back(from.results[at + i]);
      fused.groups.push_back(std::move(group));
    });

    fused.inputs = producer.inputs;
    fused.body.parameters = producer.body.parameters;
    Substitution substitution;
    substitution.set(consumer.body.parameters[0], producer.body.parameters[0]);
    for (std::size_t i = 0; i < consumer.inputs.size(); ++i) {
      const ValueId input = consumer.inputs[i], parameter = consumer.body.parameters[i + 1];
      const auto made = elements.find(input.index);
      const auto same = std::find(fused.inputs.begin(), fused.inputs.end(), input);
      // Elements that are overwritten keep a parameter of their own.
      const bool is_own = !function_.type(parameter).is_scalar() && aliases_.is_consumed(parameter);
      if (made != elements.end()) {
        substitution.set(parameter, made->second);
      } else if (same != fused.inputs.end() && !is_own) {
        substitution.set(
            parameter,
            fused.body.parameters[static_cast<std::size_t>(same - fused.inputs.begin() + 1)]);
      } else {
        fused.inputs.push_back(input);
        fused.body.parameters.push_back(parameter);
      }
    }
    fused.body.statements = std::move(producer.body.statements);
    std::move(consumer.body.statements.begin(), consumer.body.statements.end(),
              std::back_inserter(fused.body.statements));
    fused.body.results.insert(fused.body.results.end(), consumer.body.results.begin(),
                              consumer.body.results.end());
    std::move(consumer.groups.begin(), consumer.groups.end(), std::back_inserter(fused.groups));
    result.results.insert(result.results.end(), to.results.begin(), to.results.end());
    result.operation = std::move(fused);
    substitution.apply(function_, result);
    graph_.merge(earlier, later, std::move(result));
  }

  Function& function_;
  Body& body_;
  const AliasClasses& aliases_;
  DependencyGraph graph_;
  std::unordered_map<std::uint32_t, std::uint32_t> result_uses_; ///< by the body's results
};

/// A body, then what is inside of it: fused bodies have more to fuse.
void fuse(Function& function, const AliasClasses& aliases, Body& body) {
  const auto is_soac = [](const Statement& statement) {
    return std::holds_alternative<Soac>(statement.operation);
  };
  if (std::count_if(body.statements.begin(), body.statements.end(), is_soac) > 1)
    BodyFuser(function, aliases, body).run();
  for (Statement& statement : body.statements)
    for_each_body(statement.operation, [&](Body& inner) { fuse(function, aliases, inner); });
}

} // namespace

void fuse(Function& function) {
  const AliasClasses aliases(function);
  fuse(function, aliases, function.body);
}

} // namespace sinter::jit
