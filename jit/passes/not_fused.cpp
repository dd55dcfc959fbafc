#include "jit/passes/not_fused.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/fusion_rules.h"
#include "jit/passes/kept_whole.h"

#include <algorithm>
#include <utility>

namespace sinter::jit {

using namespace ir;

namespace {

class Finder {
public:
  explicit Finder(const Function& function) : function_(function), aliases_(function) {}

  std::vector<NotFused> find() && {
    find_in(function_.body);
    return std::move(found_);
  }

private:
  using Node = DependencyGraph::Node;

  void find_in(const Body& body, bool is_streamed = false) {
    const DependencyGraph graph(function_, aliases_, body.statements, body.results);
    for (Node node = 0; node < graph.size(); ++node) {
      const Operation& operation = graph.statement(node).operation;
      if (graph.soac(node))
        find_in(body, graph, node, is_streamed);
      else if (!std::holds_alternative<Stream>(operation)) // stays in caches
        for_each_body(operation, [&](const Body& inner) { find_in(inner, has_stream(operation)); });
    }
  }

  /// Whether it is the choice between a stream and the whole.
  static bool has_stream(const Operation& operation) {
    const auto* choice = std::get_if<If>(&operation);
    return choice && choice->is_shortcut &&
           std::ranges::any_of(choice->then_body.statements, [](const Statement& statement) {
             return std::holds_alternative<Stream>(statement.operation);
           });
  }

  void find_in(const Body& body, const DependencyGraph& graph, Node consumer, bool is_streamed) {
    std::vector<Node> producers; // each once, by the first of its arrays
    for (const ValueId read : graph.reads(consumer)) {
      if (function_.type(read).is_scalar()) continue;
      const auto [array, is_seen_through] = behind_views(graph, read);
      const std::optional<Node> producer = graph.definition(array);
      if (!producer || !graph.soac(*producer) ||
          std::ranges::find(producers, *producer) != producers.end())
        continue;
      producers.push_back(*producer);
      NotFused& found = found_.emplace_back(
          NotFused{graph.statement(*producer).span, graph.statement(consumer).span, array,
                   is_seen_through ? Reason::OtherElements : reason(graph, *producer, consumer),
                   std::nullopt});
      if (!is_streamed) found.kept_whole = kept_whole(function_, body, *producer, consumer);
    }
  }

  /// The array that is looked at, and whether that is another one.
  static std::pair<ValueId, bool> behind_views(const DependencyGraph& graph, ValueId value) {
    for (bool is_seen_through = false;; is_seen_through = true) {
      const std::optional<Node> node = graph.definition(value);
      if (!node || !ir::is_view(graph.statement(*node).operation)) return {value, is_seen_through};
      value = source_array(graph.statement(*node).operation);
    }
  }

  Reason reason(const DependencyGraph& graph, Node producer, Node consumer) const {
    const FusionRules rules(function_, aliases_, graph);
    if (const auto against = rules.against_reading(producer, consumer)) return *against;
    return rules.against_joining(producer, consumer).value_or(Reason::NeverTried);
  }

  const Function& function_;
  AliasClasses aliases_;
  std::vector<NotFused> found_;
};

} // namespace

std::vector<NotFused> not_fused(const Function& function) {
  return Finder(function).find();
}

} // namespace sinter::jit
