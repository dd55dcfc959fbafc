// Whose memory an array may be: the one answer to "may these share memory", and "who owns it".
//
// Arrays have *roots*: the values whose memory they may be.  A fresh array is its own root; a view
// has those of the array that it looks at; results of branches and loops those of all that they may
// be.  Two arrays may overlap if they have a root in common.  To consume an array is to consume its
// roots: whatever has one of them may not be used any more.
#pragma once

#include "jit/ir/ir.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace sinter::ir {

/// The values whose memory an array may be, sorted.
using RootSet = std::vector<ValueId>;

bool overlap(const RootSet& a, const RootSet& b);
/// Adds to a set; whether it grew.
bool merge(RootSet& into, const RootSet& from);

/// Who may consume what in a body.
enum class BodyKind : std::uint8_t {
  Owner,  ///< a function or a loop's body: its parameters and what it makes
  Branch, ///< what the body around may
  Guest,  ///< a SOAC's body, an operator, a loop's condition: only what it makes
};

/// What is known of arrays at a place of the code, while somebody walks through a function in
/// order.  The walker tells it what it meets; the rules of branches and loops are here.
class Memory {
public:
  explicit Memory(const Function& function);

  // ---- what holds here

  bool is_array(const Operand& operand) const {
    return operand.is_value() && !function_.type(operand.value()).is_scalar();
  }
  /// None of constants and scalars.
  const RootSet& roots(const Operand& operand) const;
  bool may_overlap(const Operand& a, const Operand& b) const { return overlap(roots(a), roots(b)); }
  bool is_dead(ValueId root) const { return is_dead_[root.index]; }
  /// What code at this place may do with a root.
  enum class Owner : std::uint8_t {
    Here,   ///< it may consume it
    Around, ///< it belongs to code around that runs the body at hand more than once
    Lent,   ///< it is a parameter of a body that was only lent it
  };
  Owner owner(ValueId root) const;
  /// Whether the innermost open body made the root, or has it as a parameter.
  bool is_made_inside(ValueId root) const { return home_[root.index].depth >= depth(); }

  // ---- what is met

  void open(BodyKind kind) { kinds_.push_back(kind); }
  void close() { kinds_.pop_back(); }
  /// A parameter of the innermost body.
  void parameter(ValueId value) { define(value, true, {}); }
  /// A result of a statement, which may be memory of these.
  void define(ValueId value, const RootSet& also = {}) { define(value, false, also); }
  void consume(const Operand& array);
  /// A value that the function was given since.
  void add_value();

  // ---- branches: `begin_branches`, one body, `other_branch`, the other body, `end_branches`

  struct Branches {
    std::size_t before = 0;     ///< how many were dead
    std::vector<ValueId> first; ///< what the first branch killed
  };
  Branches begin_branches() const { return {killed_.size(), {}}; }
  void other_branch(Branches& branches);
  /// Defines the results: each may be what either branch gives.
  void end_branches(const Branches& branches, const If& choice, std::span<const ValueId> results);

  // ---- loops: their body is open while these are asked

  /// Positions of the state that the loop consumes, now or in a later iteration.
  std::set<std::size_t> consumed_state(const Body& body, std::size_t first) const;
  /// What each result of the loop may be: the initial value, or what an iteration gives.  What the
  /// loop consumes nobody else has.
  std::vector<RootSet> loop_results(const Body& body, std::size_t first,
                                    std::span<const Operand> initial,
                                    const std::set<std::size_t>& consumed) const;
  /// Defines the loop's results, its body being closed.
  void end_loop(std::span<const RootSet> may_be, std::span<const ValueId> results);

  std::vector<RootSet> take_roots() { return std::move(roots_); }

private:
  struct Home {
    std::uint32_t depth = 0; ///< index into kinds_ of the body that owns the root
    bool is_parameter = false;
  };
  std::uint32_t depth() const { return static_cast<std::uint32_t>(kinds_.size()) - 1; }
  void define(ValueId value, bool is_parameter, const RootSet& also);
  void kill(ValueId root);
  /// Roots that a body made belong to the body around where its results have them.
  void hand_up(const RootSet& roots);

  const Function& function_;
  std::vector<RootSet> roots_; ///< by value
  std::vector<Home> home_;     ///< of roots, by value
  std::vector<bool> is_dead_;  ///< of roots, by value
  std::vector<ValueId> killed_;
  std::vector<BodyKind> kinds_; ///< of the open bodies
};

} // namespace sinter::ir
