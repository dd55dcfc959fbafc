#include "jit/trace/ownership.h"

#include "jit/ir/groups.h"
#include "jit/ir/memory.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::jit {

namespace {

using namespace ir;

class CopyInserter {
public:
  explicit CopyInserter(Function& function) : function_(function), memory_(function) {}

  void run() { body(function_.body, BodyKind::Owner); }

private:
  struct OpenBody {
    /// Position of the last statement that uses a value; past the end for the body's results.
    std::unordered_map<std::uint32_t, std::size_t> last_use;
    std::size_t position = 0;
    /// Copies to make before the statement at hand.
    std::vector<Statement> before;
  };

  void define(ValueId value, const RootSet& also = {}) {
    memory_.define(value, also);
    note_holder(value);
  }
  void note_holder(ValueId value) {
    for (ValueId root : memory_.roots(value))
      holders_[root.index].push_back(value);
  }
  void define_all(const std::vector<ValueId>& results) {
    for (ValueId result : results)
      define(result);
  }
  Operand copy(const Operand& array, std::vector<Statement>& into) {
    const ValueId made = function_.add_value(function_.type(array.value()));
    memory_.add_value();
    into.push_back({{made}, Copy{array.value()}, {}});
    define(made);
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
    for (ValueId root : memory_.roots(array)) {
      if (memory_.owner(root) != Memory::Owner::Here) return false;
      if (auto holders = holders_.find(root.index); holders != holders_.end())
        for (ValueId holder : holders->second)
          if (is_used_later(holder)) return false;
    }
    return true;
  }
  static void put(const Operand& operand, Operand& into) { into = operand; }
  static void put(const Operand& operand, ValueId& into) { into = operand.value(); }
  /// Consumes an operand, or a copy of it.
  template <typename Part>
  void consume_or_copy(Part& array, bool is_apart = true) {
    Operand operand(array);
    if (!memory_.is_array(operand)) return;
    if (!is_apart || !may_consume(operand)) operand = copy(operand, open_.back().before);
    put(operand, array);
    memory_.consume(operand);
  }

  // ---- bodies

  void open(Body& body, BodyKind kind) {
    memory_.open(kind);
    OpenBody& opened = open_.emplace_back();
    for (std::size_t i = 0; i < body.statements.size(); ++i)
      for (ValueId value : free_values(function_, body.statements[i].operation))
        opened.last_use[value.index] = i;
    for (const Operand& result : body.results)
      if (result.is_value()) opened.last_use[result.value().index] = body.statements.size();
    for (ValueId parameter : body.parameters) {
      memory_.parameter(parameter);
      note_holder(parameter);
    }
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
  void close() {
    open_.pop_back();
    memory_.close();
  }
  void body(Body& body, BodyKind kind) {
    open(body, kind);
    close();
  }

  // ---- operations

  /// By its laws.
  template <typename Plain>
  void visit(Plain& o, const std::vector<ValueId>& results) {
    RootSet also;
    if constexpr ((laws::of<Plain> & laws::View) != 0) also = memory_.roots(o.array);
    if constexpr ((laws::of<Plain> & laws::Overwrites) != 0) {
      // What is written may be a part of what is overwritten.
      if (memory_.may_overlap(o.array, o.value)) put(copy(o.value, open_.back().before), o.value);
      consume_or_copy(o.array);
    }
    for (ValueId result : results)
      define(result, also);
  }

  void visit(If& o, const std::vector<ValueId>& results) {
    Memory::Branches branches = memory_.begin_branches();
    body(o.then_body, BodyKind::Branch);
    memory_.other_branch(branches);
    body(o.else_body, BodyKind::Branch);
    memory_.end_branches(branches, o, results);
    std::for_each(results.begin(), results.end(), [&](ValueId result) { note_holder(result); });
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
    const std::set<std::size_t> consumed = memory_.consumed_state(body, first);
    for (std::size_t i : consumed) {
      // What the next iteration consumes must be this one's own, and nobody else's.
      if (!memory_.is_array(body.results[i])) continue;
      bool is_own = true;
      for (ValueId root : memory_.roots(body.results[i]))
        is_own &= memory_.is_made_inside(root);
      for (std::size_t j = 0; j < count; ++j)
        is_own &= j == i || !memory_.may_overlap(body.results[i], body.results[j]);
      if (!is_own) body.results[i] = copy(body.results[i], body.statements);
    }
    std::vector<ValueId> free;
    for (const Body* part : bodies) {
      const std::vector<ValueId> more = free_values(function_, *part);
      free.insert(free.end(), more.begin(), more.end());
    }
    const std::vector<RootSet> may_be = memory_.loop_results(body, first, initial, consumed);
    close();
    for (std::size_t i : consumed) {
      bool is_apart = true;
      for (std::size_t j = 0; j < count; ++j)
        is_apart &= j == i || !memory_.may_overlap(initial[i], initial[j]);
      for (ValueId value : free)
        is_apart &= !memory_.may_overlap(initial[i], value);
      consume_or_copy(initial[i], is_apart);
    }
    memory_.end_loop(may_be, results);
    std::for_each(results.begin(), results.end(), [&](ValueId result) { note_holder(result); });
  }

  void visit(Soac& o, const std::vector<ValueId>& results) {
    std::vector<Operand*> destinations;
    for (Group& group : o.groups)
      for (Operand& destination : ir::destinations(group))
        destinations.push_back(&destination);
    std::vector<ValueId> read = o.inputs;
    for_each_body(o, [&](const Body& inner) {
      const std::vector<ValueId> free = free_values(function_, inner);
      read.insert(read.end(), free.begin(), free.end());
    });
    for (std::size_t i = 0; i < destinations.size(); ++i) {
      bool is_apart = true;
      for (std::size_t j = 0; j < i; ++j)
        is_apart &= !memory_.may_overlap(*destinations[i], *destinations[j]);
      for (ValueId value : read)
        is_apart &= !memory_.may_overlap(*destinations[i], value);
      if (!is_apart || !may_consume(*destinations[i]))
        *destinations[i] = copy(*destinations[i], open_.back().before);
    }
    for_each_body(o, [&](Body& inner) { body(inner, BodyKind::Guest); });
    for (Operand* destination : destinations)
      memory_.consume(*destination);
    define_all(results);
  }

  Function& function_;
  Memory memory_;
  std::unordered_map<std::uint32_t, std::vector<ValueId>> holders_; ///< of each root
  std::vector<OpenBody> open_;
};

} // namespace

void insert_copies(ir::Function& function) {
  CopyInserter(function).run();
}

} // namespace sinter::jit
