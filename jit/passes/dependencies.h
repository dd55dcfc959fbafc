// The order that the statements of one body must keep: who needs whose results, who must read an
// array before somebody overwrites it, and what is safe only after a check.
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/rewrite.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sinter::jit {

/// A body's statements as a graph whose nodes can be merged.  Nodes are numbered as the statements
/// were; a merged node has the number of the later one.
class DependencyGraph {
public:
  using Node = std::uint32_t;

  DependencyGraph(const ir::Function& function, const AliasClasses& aliases,
                  std::vector<ir::Statement> statements, const std::vector<ir::Operand>& results);

  std::size_t size() const { return nodes_.size(); }
  bool is_alive(Node node) const { return nodes_[node].alive; }
  ir::Statement& statement(Node node) { return nodes_[node].statement; }
  const ir::Statement& statement(Node node) const { return nodes_[node].statement; }
  /// Null if it is another operation.
  const ir::Soac* soac(Node node) const {
    return std::get_if<ir::Soac>(&statement(node).operation);
  }
  /// Who defines the value, if a statement of this body does.
  std::optional<Node> definition(ir::ValueId value) const;
  /// Values from outside that the statement reads.
  const std::vector<ir::ValueId>& reads(Node node) const { return nodes_[node].reads; }
  /// Whether anybody but that statement reads the value: another one, or who has the body's
  /// results.
  bool is_needed_elsewhere(ir::ValueId value, Node reader) const;

  bool has_edge(Node from, Node to) const;
  /// Whether `to` must come after `from` because of a third statement between them.
  bool has_indirect_path(Node from, Node to) const;
  /// Whether one reads what the other overwrites.
  bool interfere(Node a, Node b) const;

  /// Puts `fused` in the place of two statements: `later`'s.  The caller has seen to it that no
  /// third statement must lie between.
  void merge(Node earlier, Node later, ir::Statement fused);

  /// The statements in an order that keeps all dependencies, as near to the first one as possible.
  std::vector<ir::Statement> take_statements();

private:
  struct NodeData {
    ir::Statement statement;
    std::vector<ir::ValueId> reads, consumes;
    std::vector<std::uint32_t> reads_classes, consumes_classes;
    std::vector<Node> before, after; ///< edges, each once, to nodes that are alive
    bool alive = true;
  };
  void describe(NodeData& node) const;
  void connect(Node from, Node to);

  const ir::Function& function_;
  const AliasClasses& aliases_;
  std::vector<NodeData> nodes_;
  std::unordered_map<std::uint32_t, Node> definitions_;
  std::unordered_map<std::uint32_t, std::uint32_t> readers_;
  std::unordered_set<std::uint32_t> results_; ///< of the body
};

} // namespace sinter::jit
