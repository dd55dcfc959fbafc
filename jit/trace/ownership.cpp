#include "jit/trace/ownership.h"

#include "jit/ir/root_set.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::jit {

namespace {

using namespace ir;

class CopyInserter {
public:
  explicit CopyInserter(Function& function)
      : function_(function), roots_(function.values.size()), home_(function.values.size()),
        is_dead_(function.values.size(), false) {}

  void run() { body(function_.body, BodyKind::Owner); }

private:
  struct Home {
    std::size_t depth = 0; ///< index into open_ of the body that owns the root
    bool is_parameter = false;
  };
  struct OpenBody {
    BodyKind kind;
    /// Position of the last statement that uses a value; past the end for the body's results.
    std::unordered_map<std::uint32_t, std::size_t> last_use;
    std::size_t position = 0;
    /// Copies to make before the statement at hand.
    std::vector<Statement> before;
  };

  std::size_t depth() const { return open_.size() - 1; }
  bool is_array(const Operand& operand) const {
    return operand.is_value() && !function_.type(operand.value()).is_scalar();
  }
  const RootSet& roots(const Operand& operand) const {
    static const RootSet none;
    return operand.is_value() ? roots_[operand.value().index] : none;
  }

  void define(ValueId value, bool is_parameter, const RootSet& also = {}) {
    home_[value.index] = {depth(), is_parameter};
    if (function_.type(value).is_scalar()) return;
    roots_[value.index] = {value};
    merge(roots_[value.index], also);
    for (ValueId root : roots_[value.index])
      holders_[root.index].push_back(value);
  }
  void kill(ValueId root) {
    if (is_dead_[root.index]) return;
    is_dead_[root.index] = true;
    killed_.push_back(root);
  }
  void consume(const Operand& operand) {
    for (ValueId root : roots(operand))
      kill(root);
  }
  Operand copy(const Operand& array, std::vector<Statement>& into) {
    const ValueId made = function_.add_value(function_.type(array.value()));
    roots_.emplace_back();
    home_.emplace_back();
    is_dead_.push_back(false);
    into.push_back({{made}, Copy{array.value()}, {}});
    define(made, false);
    return made;
  }

  bool is_used_later(ValueId value) const {
    for (const OpenBody& body : open_)
      if (auto last = body.last_use.find(value.index);
          last != body.last_use.end() && last->second > body.position)
        return true;
    return false;
  }
  /// Whether the code at hand may consume the array: its memory is its own, and nobody looks at it
  /// later.
  bool may_consume(const Operand& array) const {
    for (ValueId root : roots(array)) {
      const Home home = home_[root.index];
      for (std::size_t d = depth(); d > home.depth; --d)
        if (open_[d].kind != BodyKind::Branch) return false;
      if (home.is_parameter && open_[home.depth].kind == BodyKind::Guest) return false;
      if (auto holders = holders_.find(root.index); holders != holders_.end())
        for (ValueId holder : holders->second)
          if (is_used_later(holder)) return false;
    }
    return true;
  }
  /// Consumes an operand, or a copy of it.
  template <typename Part>
  void consume_or_copy(Part& array, bool is_apart = true) {
    Operand operand(array);
    if (!is_array(operand)) return;
    if (!is_apart || !may_consume(operand)) operand = copy(operand, open_.back().before);
    if constexpr (std::is_same_v<Part, ValueId>)
      array = operand.value();
    else
      array = operand;
    consume(operand);
  }

  // ---- bodies

  void open(Body& body, BodyKind kind) {
    OpenBody& opened = open_.emplace_back();
    opened.kind = kind;
    for (std::size_t i = 0; i < body.statements.size(); ++i)
      for (ValueId value : free_values(function_, body.statements[i].operation))
        opened.last_use[value.index] = i;
    for (const Operand& result : body.results)
      if (result.is_value()) opened.last_use[result.value().index] = body.statements.size();
    for (ValueId parameter : body.parameters)
      define(parameter, true);
    std::vector<Statement> statements;
    statements.reserve(body.statements.size());
    for (std::size_t i = 0; i < body.statements.size(); ++i) {
      open_.back().position = i;
      Statement statement = std::move(body.statements[i]);
      std::visit([&](auto& o) { visit(o, statement.results); }, statement.operation);
      std::vector<Statement> before = std::exchange(open_.back().before, {});
      std::move(before.begin(), before.end(), std::back_inserter(statements));
      statements.push_back(std::move(statement));
    }
    open_.back().position = body.statements.size();
    body.statements = std::move(statements);
  }
  void close() { open_.pop_back(); }
  void body(Body& body, BodyKind kind) {
    open(body, kind);
    close();
  }
  /// Roots that a body made belong to the body around where its results have them.
  void hand_up(const RootSet& roots) {
    for (ValueId root : roots)
      if (home_[root.index].depth > depth()) home_[root.index] = {depth(), false};
  }

  // ---- operations

  template <typename Plain>
  void visit(Plain&, const std::vector<ValueId>& results) {
    for (ValueId result : results)
      define(result, false);
  }
  void view(ValueId array, const std::vector<ValueId>& results) {
    for (ValueId result : results)
      define(result, false, roots(array));
  }
  void visit(Index& o, const std::vector<ValueId>& results) { view(o.array, results); }
  void visit(Slice& o, const std::vector<ValueId>& results) { view(o.array, results); }
  void visit(Transpose& o, const std::vector<ValueId>& results) { view(o.array, results); }
  void visit(Reshape& o, const std::vector<ValueId>& results) { view(o.array, results); }

  template <typename Part>
  void overwrite(ValueId& array, Part& value, const std::vector<ValueId>& results) {
    // What is written may be a part of what is overwritten.
    if (overlap(roots(array), roots(value))) {
      const Operand apart = copy(value, open_.back().before);
      if constexpr (std::is_same_v<Part, ValueId>)
        value = apart.value();
      else
        value = apart;
    }
    consume_or_copy(array);
    for (ValueId result : results)
      define(result, false);
  }
  void visit(Update& o, const std::vector<ValueId>& results) {
    overwrite(o.array, o.value, results);
  }
  void visit(UpdateSlice& o, const std::vector<ValueId>& results) {
    overwrite(o.array, o.value, results);
  }

  void visit(If& o, const std::vector<ValueId>& results) {
    const auto before = static_cast<std::ptrdiff_t>(killed_.size());
    body(o.then_body, BodyKind::Branch);
    const std::vector<ValueId> killed_by_then(killed_.begin() + before, killed_.end());
    for (ValueId root : killed_by_then)
      is_dead_[root.index] = false;
    killed_.resize(static_cast<std::size_t>(before));
    body(o.else_body, BodyKind::Branch);
    for (ValueId root : killed_by_then)
      kill(root);
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
      both.erase(std::unique(both.begin(), both.end()), both.end());
      define(results[i], false, both);
    }
  }

  void visit(For& o, const std::vector<ValueId>& results) {
    open(o.body, BodyKind::Owner);
    finish_loop(o.body, 1, o.initial, {&o.body}, results);
  }
  void visit(While& o, const std::vector<ValueId>& results) {
    body(o.condition, BodyKind::Guest);
    open(o.body, BodyKind::Owner);
    finish_loop(o.body, 0, o.initial, {&o.condition, &o.body}, results);
  }
  /// The loop's body is still open.
  void finish_loop(Body& body, std::size_t first, std::vector<Operand>& initial,
                   const std::vector<const Body*>& bodies, const std::vector<ValueId>& results) {
    const std::size_t count = initial.size();
    const std::set<std::size_t> consumed = consumed_parameters(body, first);
    for (std::size_t i : consumed) {
      // What the next iteration consumes must be this one's own, and nobody else's.
      if (!is_array(body.results[i])) continue;
      bool is_own = true;
      for (ValueId root : roots(body.results[i]))
        is_own &= home_[root.index].depth >= depth();
      for (std::size_t j = 0; j < count; ++j)
        is_own &= j == i || !overlap(roots(body.results[i]), roots(body.results[j]));
      if (!is_own) body.results[i] = copy(body.results[i], body.statements);
    }
    std::vector<ValueId> free;
    for (const Body* part : bodies) {
      const std::vector<ValueId> more = free_values(function_, *part);
      free.insert(free.end(), more.begin(), more.end());
    }
    // What each result may be: the initial value, or what an iteration gives.
    std::vector<RootSet> reach(count);
    for (bool grew = true; grew;) {
      grew = false;
      for (std::size_t i = 0; i < count; ++i) {
        if (consumed.contains(i)) continue;
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
    close();
    for (std::size_t i : consumed) {
      bool is_apart = true;
      for (std::size_t j = 0; j < count; ++j)
        is_apart &= j == i || !overlap(roots(initial[i]), roots(initial[j]));
      for (ValueId value : free)
        is_apart &= !overlap(roots(initial[i]), roots(value));
      consume_or_copy(initial[i], is_apart);
    }
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

  void visit(Soac& o, const std::vector<ValueId>& results) {
    std::vector<Operand*> destinations;
    for (Group& group : o.groups) {
      if (auto* scatter = std::get_if<ScatterGroup>(&group))
        destinations.push_back(&scatter->destination);
      if (auto* histogram = std::get_if<HistogramGroup>(&group))
        for (Operand& destination : histogram->destinations)
          destinations.push_back(&destination);
    }
    std::vector<ValueId> read = o.inputs;
    for_each_body(o, [&](const Body& inner) {
      const std::vector<ValueId> free = free_values(function_, inner);
      read.insert(read.end(), free.begin(), free.end());
    });
    for (std::size_t i = 0; i < destinations.size(); ++i) {
      bool is_apart = true;
      for (std::size_t j = 0; j < i; ++j)
        is_apart &= !overlap(roots(*destinations[i]), roots(*destinations[j]));
      for (ValueId value : read)
        is_apart &= !overlap(roots(*destinations[i]), roots(value));
      if (!is_apart || !may_consume(*destinations[i]))
        *destinations[i] = copy(*destinations[i], open_.back().before);
    }
    for_each_body(o, [&](Body& inner) { body(inner, BodyKind::Guest); });
    for (Operand* destination : destinations)
      consume(*destination);
    for (ValueId result : results)
      define(result, false);
  }

  Function& function_;
  std::vector<RootSet> roots_;                                      ///< by value
  std::vector<Home> home_;                                          ///< of roots, by value
  std::vector<bool> is_dead_;                                       ///< of roots, by value
  std::unordered_map<std::uint32_t, std::vector<ValueId>> holders_; ///< of each root
  std::vector<ValueId> killed_;
  std::vector<OpenBody> open_;
};

} // namespace

void insert_copies(ir::Function& function) {
  CopyInserter(function).run();
}

} // namespace sinter::jit
