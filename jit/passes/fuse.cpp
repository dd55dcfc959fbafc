#include "jit/passes/fuse.h"

#include "jit/ir/groups.h"
#include "jit/ir/walk.h"
#include "jit/passes/dependencies.h"
#include "jit/passes/fusion_rules.h"
#include "jit/passes/index_reads.h"
#include "jit/passes/rewrite.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

/// Siblings that a statement is compared with: long programs must not take long to compile.
constexpr std::size_t sibling_limit = 8;

using Node = DependencyGraph::Node;

/// Fuses the statements of one body.
class BodyFuser {
public:
  BodyFuser(Function& function, const AliasClasses& aliases, Body& body)
      : function_(function), body_(body), aliases_(aliases),
        graph_(function, aliases, std::move(body.statements), body.results) {}

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
  const Soac* soac(Node node) const { return graph_.is_alive(node) ? graph_.soac(node) : nullptr; }

  bool fuse_with_a_producer(Node consumer) {
    for (ValueId input : soac(consumer)->inputs) {
      const std::optional<Node> producer = graph_.definition(input);
      if (!producer || *producer == consumer || !soac(*producer)) continue;
      if (rules_.against_joining(*producer, consumer) ||
          rules_.against_reading(*producer, consumer))
        continue;
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
      if (graph_.has_edge(node, other) || rules_.against_joining(node, other)) continue;
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
      if (is_map && !graph_.is_needed_elsewhere(from.results[at], later)) return;
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
  const FusionRules rules_{function_, aliases_, graph_};
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
  take_own_elements(function);
  const AliasClasses aliases(function);
  fuse(function, aliases, function.body);
}

} // namespace sinter::jit
