#include "jit/passes/dependencies.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace sinter::jit {

using namespace ir;

namespace {

/// Whether it can run although a check before it would have failed: it reads no element of an array
/// that the check may be about (arrays that are put together may owe their extents to a check, and
/// so may inputs of a SOAC that do not have its extent by their types).
bool is_safe_anywhere(const Function& function, const ir::Operation& operation) {
  if (const auto* soac = std::get_if<Soac>(&operation))
    for (const ValueId input : soac->inputs)
      if (function.type(input).extents.front() != soac->extent) return false;
  if (const auto* literal = std::get_if<ArrayLiteral>(&operation))
    return std::all_of(literal->elements.begin(), literal->elements.end(),
                       [&](const Operand& element) { return function.type(element).is_scalar(); });
  const OperationRow& row = row_of(operation);
  bool result = row.has(laws::Total) || row.has(laws::TotalIfBodiesAre);
  for_each_body(operation, [&](const Body& body) {
    for (const Statement& statement : body.statements)
      result = result && is_safe_anywhere(function, statement.operation);
  });
  return result;
}

template <typename T>
bool contains(const std::vector<T>& in, T what) {
  return std::find(in.begin(), in.end(), what) != in.end();
}

template <typename T>
void unite(std::vector<T>& into, const std::vector<T>& from) {
  for (const T& each : from)
    if (std::find(into.begin(), into.end(), each) == into.end()) into.push_back(each);
}

} // namespace

DependencyGraph::DependencyGraph(const Function& function, const AliasClasses& aliases,
                                 std::vector<Statement> statements,
                                 const std::vector<Operand>& results)
    : function_(function), aliases_(aliases) {
  for (const Operand& result : results)
    if (result.is_value()) results_.insert(result.value().index);
  nodes_.reserve(statements.size());
  struct Traffic {
    std::optional<Node> last_consumer;
    std::vector<Node> readers; ///< since then
  };
  std::unordered_map<std::uint32_t, Traffic> traffic; // by class
  std::optional<Node> last_check;
  for (Statement& statement : statements) {
    const Node node = static_cast<Node>(nodes_.size());
    nodes_.push_back({std::move(statement)});
    describe(nodes_[node]);
    for (ValueId value : nodes_[node].reads) {
      ++readers_[value.index];
      const auto defined = definitions_.find(value.index);
      if (defined != definitions_.end()) connect(defined->second, node);
    }
    for (const std::uint32_t read : nodes_[node].reads_classes) {
      Traffic& of_class = traffic[read];
      if (of_class.last_consumer) connect(*of_class.last_consumer, node);
      of_class.readers.push_back(node);
    }
    for (const std::uint32_t consumed : nodes_[node].consumes_classes) {
      Traffic& of_class = traffic[consumed];
      for (const Node reader : of_class.readers)
        connect(reader, node);
      of_class = {node, {}};
    }
    const bool fails = may_fail(nodes_[node].statement.operation);
    if (last_check && (fails || !is_safe_anywhere(function, nodes_[node].statement.operation)))
      connect(*last_check, node);
    if (std::holds_alternative<Check>(nodes_[node].statement.operation)) last_check = node;
    for (ValueId result : nodes_[node].statement.results)
      definitions_.insert_or_assign(result.index, node);
  }
}

void DependencyGraph::describe(NodeData& node) const {
  node.reads = free_values(function_, node.statement);
  for (ValueId value : node.reads)
    if (!function_.type(value).is_scalar()) unite(node.reads_classes, {aliases_.of(value)});
  node.consumes = consumed_values(function_, node.statement.operation);
  for (ValueId value : node.consumes)
    unite(node.consumes_classes, {aliases_.of(value)});
}

void DependencyGraph::connect(Node from, Node to) {
  if (from == to || contains(nodes_[from].after, to)) return;
  nodes_[from].after.push_back(to);
  nodes_[to].before.push_back(from);
}

std::optional<DependencyGraph::Node> DependencyGraph::definition(ValueId value) const {
  const auto found = definitions_.find(value.index);
  return found == definitions_.end() ? std::nullopt : std::optional(found->second);
}

bool DependencyGraph::is_needed_elsewhere(ValueId value, Node reader) const {
  const auto found = readers_.find(value.index);
  const std::uint32_t readers = found == readers_.end() ? 0 : found->second;
  const bool is_read_there = std::ranges::find(reads(reader), value) != reads(reader).end();
  return readers > (is_read_there ? 1U : 0U) || results_.contains(value.index);
}

bool DependencyGraph::has_edge(Node from, Node to) const {
  return contains(nodes_[from].after, to);
}

bool DependencyGraph::has_indirect_path(Node from, Node to) const {
  std::vector<bool> seen(nodes_.size(), false);
  std::vector<Node> work;
  for (const Node next : nodes_[from].after)
    if (next != to) work.push_back(next);
  while (!work.empty()) {
    const Node node = work.back();
    work.pop_back();
    if (node == to) return true;
    if (seen[node]) continue;
    seen[node] = true;
    work.insert(work.end(), nodes_[node].after.begin(), nodes_[node].after.end());
  }
  return false;
}

bool DependencyGraph::interfere(Node a, Node b) const {
  const auto overwrites = [&](const NodeData& consumer, const NodeData& reader) {
    return std::any_of(reader.reads.begin(), reader.reads.end(), [&](ValueId value) {
      // What a statement reads lies elsewhere than what it overwrites, whatever its class.
      const bool lies_elsewhere =
          contains(consumer.reads, value) && !contains(consumer.consumes, value);
      return !lies_elsewhere && !function_.type(value).is_scalar() &&
             contains(consumer.consumes_classes, aliases_.of(value));
    });
  };
  return overwrites(nodes_[a], nodes_[b]) || overwrites(nodes_[b], nodes_[a]);
}

void DependencyGraph::merge(Node earlier, Node later, Statement fused) {
  NodeData& gone = nodes_[earlier];
  NodeData& stays = nodes_[later];
  for (const NodeData* node : {&gone, &stays})
    for (ValueId value : node->reads)
      --readers_[value.index];
  stays.statement = std::move(fused);
  const auto old_reads = std::move(stays.reads_classes);
  const auto old_consumed = std::move(stays.consumes_classes);
  stays.reads_classes.clear();
  stays.consumes_classes.clear();
  // Uses inside the bodies that are to be renamed are of values that live there: the union is
  // right.
  std::vector<ValueId> reads = gone.reads;
  unite(reads, stays.reads);
  std::erase_if(reads, [&](ValueId value) {
    const auto defined = definitions_.find(value.index);
    return defined != definitions_.end() &&
           (defined->second == earlier || defined->second == later);
  });
  stays.reads = std::move(reads);
  for (ValueId value : stays.reads)
    ++readers_[value.index];
  unite(stays.consumes, gone.consumes);
  unite(stays.reads_classes, gone.reads_classes);
  unite(stays.reads_classes, old_reads);
  unite(stays.consumes_classes, gone.consumes_classes);
  unite(stays.consumes_classes, old_consumed);
  for (auto& [value, node] : definitions_)
    if (node == earlier) node = later;
  gone.alive = false;
  for (const Node before : gone.before) {
    std::erase(nodes_[before].after, earlier);
    connect(before, later);
  }
  for (const Node after : gone.after) {
    std::erase(nodes_[after].before, earlier);
    connect(later, after);
  }
  gone.before.clear();
  gone.after.clear();
}

std::vector<Statement> DependencyGraph::take_statements() {
  std::vector<std::size_t> missing(nodes_.size(), 0);
  std::priority_queue<Node, std::vector<Node>, std::greater<>> ready;
  for (Node node = 0; node < nodes_.size(); ++node) {
    if (!nodes_[node].alive) continue;
    missing[node] = nodes_[node].before.size();
    if (missing[node] == 0) ready.push(node);
  }
  std::vector<Statement> result;
  while (!ready.empty()) {
    const Node node = ready.top();
    ready.pop();
    result.push_back(std::move(nodes_[node].statement));
    for (const Node after : nodes_[node].after)
      if (--missing[after] == 0) ready.push(after);
  }
  return result;
}

} // namespace sinter::jit
