#include "jit/ir/consumption.h"

#include "jit/ir/groups.h"
#include "jit/ir/operations.h"
#include "jit/ir/print.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sinter::ir {
namespace {

/// Walks code in order and notes the first error.
class ConsumptionWalk {
public:
  explicit ConsumptionWalk(const Function& function) : function_(function), memory_(function) {}

  void body(const Body& body, BodyKind kind) {
    memory_.open(kind);
    inner(body);
    memory_.close();
  }
  void operation(const Operation& operation, const std::vector<ValueId>& results) {
    std::visit([&](const auto& o) { visit(o, results); }, operation);
  }

  bool is_dead(ValueId value) const { return memory_.is_dead(value); }
  std::vector<RootSet> take_roots() { return memory_.take_roots(); }
  std::optional<std::string> take_error() { return std::move(error_); }

private:
  void fail(std::string what) {
    if (error_) return;
    error_ = std::move(what);
    if (statement_) *error_ += "\nin: " + print(function_, *statement_);
  }
  std::string name(ValueId value) const {
    return "`" + function_.values[value.index].name + "` (value " + std::to_string(value.index) +
           ")";
  }

  // ---- uses, consumption

  void use(const Operand& operand) {
    if (!memory_.is_array(operand)) return;
    for (ValueId root : memory_.roots(operand))
      if (memory_.is_dead(root)) {
        fail(name(operand.value()) + " is used after its memory was consumed");
        return;
      }
  }
  void consume(const Operand& operand) {
    if (!memory_.is_array(operand)) return;
    for (ValueId root : memory_.roots(operand))
      switch (memory_.owner(root)) {
      case Memory::Owner::Here:
        break;
      case Memory::Owner::Around:
        fail(name(operand.value()) + " is consumed by a body that does not own it");
        break;
      case Memory::Owner::Lent:
        fail(name(operand.value()) +
             " is consumed, but parameters of a SOAC's body, an operator or a condition are not "
             "its own");
        break;
      }
    memory_.consume(operand);
  }
  void require_apart(const Operand& consumed, const Operand& other) {
    if (memory_.may_overlap(consumed, other))
      fail(name(consumed.value()) + " is consumed while " + name(other.value()) +
           " may share its memory");
  }

  /// Parameters, statements, uses of the results; the body is open.
  void inner(const Body& body) {
    for (ValueId parameter : body.parameters)
      memory_.parameter(parameter);
    for (const Statement& inner : body.statements) {
      const Statement* around = std::exchange(statement_, &inner);
      operation(inner.operation, inner.results);
      statement_ = around;
    }
    for (const Operand& result : body.results)
      use(result);
  }

  // ---- operations

  /// By its laws.
  template <typename Plain>
  void visit(const Plain& o, const std::vector<ValueId>& results) {
    for_each_operand(o, [&](const Operand& operand) { use(operand); });
    RootSet also;
    if constexpr ((laws::of<Plain> & laws::View) != 0) also = memory_.roots(o.array);
    if constexpr ((laws::of<Plain> & laws::Overwrites) != 0) {
      require_apart(o.array, o.value);
      consume(o.array);
    }
    for (ValueId result : results)
      memory_.define(result, also);
  }

  void visit(const If& o, const std::vector<ValueId>& results) {
    Memory::Branches branches = memory_.begin_branches();
    body(o.then_body, BodyKind::Branch);
    memory_.other_branch(branches);
    body(o.else_body, BodyKind::Branch);
    memory_.end_branches(branches, o, results);
  }

  void visit(const For& o, const std::vector<ValueId>& results) {
    memory_.open(BodyKind::Owner);
    inner(o.body);
    finish_loop(o.body, 1, o.initial, free_values(function_, o.body), results);
  }
  void visit(const Stream& o, const std::vector<ValueId>& results) {
    memory_.open(BodyKind::Owner);
    inner(o.body);
    finish_loop(o.body, 2, o.initial, free_values(function_, o.body), results);
  }
  void visit(const While& o, const std::vector<ValueId>& results) {
    body(o.condition, BodyKind::Guest);
    std::vector<ValueId> free = free_values(function_, o.body);
    const std::vector<ValueId> more = free_values(function_, o.condition);
    free.insert(free.end(), more.begin(), more.end());
    memory_.open(BodyKind::Owner);
    inner(o.body);
    finish_loop(o.body, 0, o.initial, free, results);
  }
  /// The loop's body is still open: what happens from one iteration to the next.
  void finish_loop(const Body& body, std::size_t first, const std::vector<Operand>& initial,
                   const std::vector<ValueId>& free, const std::vector<ValueId>& results) {
    for (const Operand& operand : initial)
      use(operand);
    const std::set<std::size_t> consumed = memory_.consumed_state(body, first);
    for (std::size_t i : consumed) {
      for (ValueId root : memory_.roots(body.results[i]))
        if (!memory_.is_made_inside(root))
          fail("the loop's body consumes " + name(body.parameters[first + i]) +
               ", but the next iteration's may be an array from outside of the loop");
      for (std::size_t j = 0; j < initial.size(); ++j) {
        if (j == i) continue;
        require_apart(initial[i], initial[j]);
        if (memory_.may_overlap(body.results[i], body.results[j]))
          fail("the loop's body consumes " + name(body.parameters[first + i]) +
               ", but the next iteration's may share memory with another parameter's");
      }
      for (ValueId value : free)
        require_apart(initial[i], value);
    }
    const std::vector<RootSet> may_be = memory_.loop_results(body, first, initial, consumed);
    memory_.close();
    for (std::size_t i : consumed)
      consume(initial[i]);
    memory_.end_loop(may_be, results);
  }

  void visit(const Soac& o, const std::vector<ValueId>& results) {
    std::vector<Operand> destinations;
    for (const Group& group : o.groups)
      for (const Operand& destination : ir::destinations(group))
        destinations.push_back(destination);
    for_each_operand(o, [&](const Operand& operand) { use(operand); });
    for (std::size_t i = 0; i < destinations.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j)
        require_apart(destinations[i], destinations[j]);
      for (ValueId input : o.inputs)
        require_apart(destinations[i], input);
      for_each_body(o, [&](const Body& inner) {
        for (ValueId value : free_values(function_, inner))
          require_apart(destinations[i], value);
      });
    }
    for_each_body(o, [&](const Body& inner) { body(inner, BodyKind::Guest); });
    for (const Operand& destination : destinations)
      consume(destination);
    for (ValueId result : results)
      memory_.define(result);
  }

  const Function& function_;
  Memory memory_;
  const Statement* statement_ = nullptr;
  std::optional<std::string> error_;
};

} // namespace

Roots::Roots(const Function& function) {
  ConsumptionWalk walk(function);
  walk.body(function.body, BodyKind::Owner);
  roots_ = walk.take_roots();
}

std::optional<std::string> find_consumption_error(const Function& function) {
  ConsumptionWalk walk(function);
  walk.body(function.body, BodyKind::Owner);
  return walk.take_error();
}

std::vector<ValueId> directly_consumed(const Operation& operation) {
  std::vector<ValueId> result;
  if (row_of(operation).has(laws::Overwrites)) result.push_back(source_array(operation));
  if (const auto* soac = std::get_if<Soac>(&operation))
    for (const Group& group : soac->groups)
      for (const Operand& destination : ir::destinations(group))
        if (destination.is_value()) result.push_back(destination.value());
  return result;
}

namespace {

/// Whether a body within overwrites anything.
bool overwrites_inside(const Operation& operation) {
  bool result = false;
  for_each_body(operation, [&](const Body& body) {
    result =
        result || std::ranges::any_of(body.statements, [](const Statement& inner) {
          return !directly_consumed(inner.operation).empty() || overwrites_inside(inner.operation);
        });
  });
  return result;
}

} // namespace

std::vector<ValueId> consumed_values(const Function& function, const Operation& operation) {
  // Mostly there is no need to walk (and to make the memory of all values for that: of each
  // statement of a long function).
  const std::vector<ValueId> direct = directly_consumed(operation);
  const bool is_inside = overwrites_inside(operation);
  if (direct.empty() && !is_inside) return {};
  if (!is_inside) {
    std::vector<ValueId> consumed;
    for (ValueId value : free_values(function, operation))
      if (std::ranges::find(direct, value) != direct.end()) consumed.push_back(value);
    return consumed;
  }
  ConsumptionWalk walk(function);
  // The results' types are not needed: no result is looked at afterwards.
  std::vector<ValueId> results;
  walk.operation(operation, results);
  std::vector<ValueId> consumed;
  for (ValueId value : free_values(function, operation))
    if (walk.is_dead(value)) consumed.push_back(value);
  return consumed;
}

} // namespace sinter::ir
