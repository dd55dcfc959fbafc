#include "jit/ir/consumption.h"

#include "jit/ir/print.h"
#include "jit/ir/root_set.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace sinter::ir {
namespace {

/// Walks code in order, follows roots and consumption, and notes the first error.
class ConsumptionWalk {
public:
  explicit ConsumptionWalk(const Function& function)
      : function_(function), roots_(function.values.size()),
        home_(function.values.size(), {0, false}),
        is_dead_(function.values.size(), false), kinds_{BodyKind::Owner} {
    // Values that the walk does not see defined belong to whatever is around.
    for (std::uint32_t i = 0; i < function.values.size(); ++i)
      if (!function.values[i].type.is_scalar()) roots_[i] = {ValueId{i}};
  }

  void body(const Body& body, BodyKind kind) {
    kinds_.push_back(kind);
    inner(body);
    kinds_.pop_back();
  }
  void operation(const Operation& operation, const std::vector<ValueId>& results) {
    std::visit([&](const auto& o) { visit(o, results); }, operation);
  }

  bool is_dead(ValueId value) const { return is_dead_[value.index]; }
  std::vector<RootSet> take_roots() { return std::move(roots_); }
  std::optional<std::string> take_error() { return std::move(error_); }

private:
  struct Home {
    std::uint32_t depth; ///< index into kinds_ of the body that owns the root
    bool is_parameter;
  };

  std::uint32_t depth() const { return static_cast<std::uint32_t>(kinds_.size()) - 1; }
  bool is_array(const Operand& operand) const {
    return operand.is_value() && !function_.type(operand.value()).is_scalar();
  }
  const RootSet& roots(const Operand& operand) const {
    static const RootSet none;
    return operand.is_value() ? roots_[operand.value().index] : none;
  }

  void fail(std::string what) {
    if (error_) return;
    error_ = std::move(what);
    if (statement_) *error_ += "\nin: " + print(function_, *statement_);
  }
  std::string name(ValueId value) const {
    return "`" + function_.values[value.index].name + "` (value " + std::to_string(value.index) +
           ")";
  }

  // ---- definitions, uses, consumption

  void define(ValueId value, bool is_parameter, const RootSet& also = {}) {
    home_[value.index] = {depth(), is_parameter};
    if (function_.type(value).is_scalar()) return;
    RootSet& roots = roots_[value.index];
    roots = {value};
    merge(roots, also);
  }
  void use(const Operand& operand) {
    if (!is_array(operand)) return;
    for (ValueId root : roots(operand))
      if (is_dead_[root.index]) {
        fail(name(operand.value()) + " is used after its memory was consumed");
        return;
      }
  }
  void kill(ValueId root) {
    if (is_dead_[root.index]) return;
    is_dead_[root.index] = true;
    killed_.push_back(root);
  }
  void consume(const Operand& operand) {
    if (!is_array(operand)) return;
    for (ValueId root : roots(operand)) {
      const Home home = home_[root.index];
      for (std::uint32_t d = depth(); d > home.depth; --d)
        if (kinds_[d] != BodyKind::Branch)
          fail(name(operand.value()) + " is consumed by a body that does not own it");
      if (home.is_parameter && kinds_[home.depth] == BodyKind::Guest)
        fail(name(operand.value()) +
             " is consumed, but parameters of a SOAC's body, an operator or a condition are not "
             "its own");
      kill(root);
    }
  }
  void require_apart(const Operand& consumed, const Operand& other) {
    if (overlap(roots(consumed), roots(other)))
      fail(name(consumed.value()) + " is consumed while " + name(other.value()) +
           " may share its memory");
  }

  // ---- bodies

  /// Parameters, statements, uses of the results; the body is open.
  void inner(const Body& body) {
    for (ValueId parameter : body.parameters)
      define(parameter, true);
    for (const Statement& inner : body.statements) {
      const Statement* around = std::exchange(statement_, &inner);
      operation(inner.operation, inner.results);
      statement_ = around;
    }
    for (const Operand& result : body.results)
      use(result);
  }
  /// Roots that a body made belong to the body around where its results have them.
  void hand_up(const RootSet& roots) {
    for (ValueId root : roots)
      if (home_[root.index].depth > depth()) home_[root.index] = {depth(), false};
  }

  // ---- operations

  template <typename Plain>
  void visit(const Plain& o, const std::vector<ValueId>& results) {
    for_each_operand(o, [&](const Operand& operand) { use(operand); });
    for (ValueId result : results)
      define(result, false);
  }
  void view(ValueId array, const std::vector<ValueId>& results) {
    use(array);
    for (ValueId result : results)
      define(result, false, roots(array));
  }
  void visit(const Index& o, const std::vector<ValueId>& results) { view(o.array, results); }
  void visit(const Slice& o, const std::vector<ValueId>& results) { view(o.array, results); }
  void visit(const Transpose& o, const std::vector<ValueId>& results) { view(o.array, results); }
  void visit(const Reshape& o, const std::vector<ValueId>& results) { view(o.array, results); }

  void overwrite(const Operand& array, const Operand& value, const std::vector<ValueId>& results) {
    use(array);
    use(value);
    require_apart(array, value);
    consume(array);
    for (ValueId result : results)
      define(result, false);
  }
  void visit(const Update& o, const std::vector<ValueId>& results) {
    overwrite(o.array, o.value, results);
  }
  void visit(const UpdateSlice& o, const std::vector<ValueId>& results) {
    overwrite(o.array, o.value, results);
  }

  void visit(const If& o, const std::vector<ValueId>& results) {
    const std::size_t before = killed_.size();
    body(o.then_body, BodyKind::Branch);
    const std::vector<ValueId> killed_by_then(killed_.begin() + static_cast<std::ptrdiff_t>(before),
                                              killed_.end());
    for (ValueId root : killed_by_then)
      is_dead_[root.index] = false;
    killed_.resize(before);
    body(o.else_body, BodyKind::Branch);
    for (ValueId root : killed_by_then)
      kill(root);
    // What one branch consumes the other may hand on: then only the results have it, and the first
    // of them stands for it.
    std::map<ValueId, ValueId> successors;
    for (std::size_t i = 0; i < results.size(); ++i) {
      RootSet both;
      for (const Body* branch : {&o.then_body, &o.else_body}) {
        hand_up(roots(branch->results[i]));
        merge(both, roots(branch->results[i]));
      }
      for (ValueId& root : both)
        if (is_dead_[root.index]) root = successors.emplace(root, results[i]).first->second;
      std::sort(both.begin(), both.end());
      define(results[i], false, both);
    }
  }

  void visit(const For& o, const std::vector<ValueId>& results) {
    kinds_.push_back(BodyKind::Owner);
    inner(o.body);
    finish_loop(o.body, 1, o.initial, free_values(function_, o.body), results);
  }
  void visit(const While& o, const std::vector<ValueId>& results) {
    body(o.condition, BodyKind::Guest);
    std::vector<ValueId> free = free_values(function_, o.body);
    const std::vector<ValueId> more = free_values(function_, o.condition);
    free.insert(free.end(), more.begin(), more.end());
    kinds_.push_back(BodyKind::Owner);
    inner(o.body);
    finish_loop(o.body, 0, o.initial, free, results);
  }
  /// The loop's body is still open: what happens from one iteration to the next.
  void finish_loop(const Body& body, std::size_t first, const std::vector<Operand>& initial,
                   const std::vector<ValueId>& free, const std::vector<ValueId>& results) {
    for (const Operand& operand : initial)
      use(operand);
    const std::size_t count = initial.size();
    const std::set<std::size_t> consumed = consumed_parameters(body, first);
    for (std::size_t i : consumed) {
      for (ValueId root : roots(body.results[i]))
        if (home_[root.index].depth < depth())
          fail("the loop's body consumes " + name(body.parameters[first + i]) +
               ", but the next iteration's may be an array from outside of the loop");
      for (std::size_t j = 0; j < count; ++j) {
        if (j == i) continue;
        require_apart(initial[i], initial[j]);
        if (overlap(roots(body.results[i]), roots(body.results[j])))
          fail("the loop's body consumes " + name(body.parameters[first + i]) +
               ", but the next iteration's may share memory with another parameter's");
      }
      for (ValueId value : free)
        require_apart(initial[i], value);
    }
    // What each result may be: the initial value, or what an iteration gives.
    std::vector<RootSet> reach(count);
    for (bool grew = true; grew;) {
      grew = false;
      for (std::size_t i = 0; i < count; ++i) {
        if (consumed.contains(i)) continue; // nobody else has any of its memory
        RootSet more = roots(initial[i]);
        for (ValueId root : roots(body.results[i])) {
          const auto parameter =
              std::find(body.parameters.begin() + static_cast<std::ptrdiff_t>(first),
                        body.parameters.end(), root);
          if (parameter == body.parameters.end())
            merge(more, {root});
          else
            merge(more,
                  reach[static_cast<std::size_t>(parameter - body.parameters.begin()) - first]);
        }
        grew = merge(reach[i], more) || grew;
      }
    }
    kinds_.pop_back();
    for (std::size_t i : consumed)
      consume(initial[i]);
    for (std::size_t i = 0; i < results.size(); ++i) {
      hand_up(reach[i]);
      define(results[i], false, reach[i]);
    }
  }
  /// Positions of the state that the loop consumes, now or in a later iteration.
  std::set<std::size_t> consumed_parameters(const Body& body, std::size_t first) const {
    std::set<std::size_t> consumed;
    for (bool grew = true; grew;) {
      grew = false;
      for (std::size_t i = 0; i + first < body.parameters.size(); ++i) {
        const ValueId parameter = body.parameters[first + i];
        bool is_consumed = is_dead_[parameter.index];
        for (std::size_t j : consumed) {
          const RootSet& next = roots(body.results[j]);
          is_consumed = is_consumed || std::binary_search(next.begin(), next.end(), parameter);
        }
        if (is_consumed) grew = consumed.insert(i).second || grew;
      }
    }
    return consumed;
  }

  void visit(const Soac& o, const std::vector<ValueId>& results) {
    std::vector<Operand> destinations;
    for (const Group& group : o.groups) {
      if (const auto* scatter = std::get_if<ScatterGroup>(&group))
        destinations.push_back(scatter->destination);
      if (const auto* histogram = std::get_if<HistogramGroup>(&group))
        destinations.insert(destinations.end(), histogram->destinations.begin(),
                            histogram->destinations.end());
    }
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
      define(result, false);
  }

  const Function& function_;
  std::vector<RootSet> roots_; ///< by value
  std::vector<Home> home_;     ///< of roots, by value
  std::vector<bool> is_dead_;  ///< of roots, by value
  std::vector<ValueId> killed_;
  std::vector<BodyKind> kinds_; ///< of the open bodies
  const Statement* statement_ = nullptr;
  std::optional<std::string> error_;
};

} // namespace

Roots::Roots(const Function& function) {
  ConsumptionWalk walk(function);
  walk.body(function.body, BodyKind::Owner);
  roots_ = walk.take_roots();
}

bool Roots::may_overlap(ValueId a, ValueId b) const {
  return overlap(of(a), of(b));
}

std::optional<std::string> find_consumption_error(const Function& function) {
  ConsumptionWalk walk(function);
  walk.body(function.body, BodyKind::Owner);
  return walk.take_error();
}

std::vector<ValueId> consumed_values(const Function& function, const Operation& operation) {
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
