// What emission must know beforehand about a kernel: which values vary between lanes, which memory
// a value lives in, and which arrays are never written.
#pragma once

#include "jit/ir/ir.h"

#include <optional>
#include <span>
#include <vector>

namespace sinter::jit {

/// Which values may differ between the lanes that run a body together.  (Divergence analysis over
/// structured code: branches and loops on varying conditions make what they yield varying.)
class Uniformity {
public:
  explicit Uniformity(const ir::Function& function);
  /// The body runs for W elements at a time: all its parameters vary.
  void analyse(const ir::Body& body);
  bool varies(const ir::Operand& operand) const;

private:
  void visit(const ir::Body& body);
  void visit(const ir::Statement& statement);
  bool mark(ir::ValueId value, bool varies); ///< whether that changed something
  bool mark_all(std::span<const ir::ValueId> values);

  const ir::Function& function_;
  std::vector<bool> varying_;
  std::vector<bool> tables_;
};

/// Which states of a loop that ends apart in its lanes are nevertheless the same in all lanes that
/// still run: counters, say.  They begin with a uniform value, and each next one is computed from
/// such states and uniform values alone.
std::vector<bool> lockstep_states(const Uniformity& uniformity, const ir::While& loop);

/// Array literals that are only read, element by element (indexed by value).
std::vector<bool> literal_tables(const ir::Function& function);

/// Whether running a branch's body for inactive lanes, too, is harmless and cheaper than a jump.
bool is_cheap(const ir::Body& body);

/// Values that a statement takes or a body yields, as operands or as an extent (indexed by value).
std::vector<bool> used_values(const ir::Function& function);

/// Whether an array that the body yields may be memory of one of its parameters: traced through
/// updates, destinations, views, branches and loops' states.  (Of two branches, either's.)
bool may_be_memory_of_parameter(const ir::Body& body, ir::ValueId value);
/// Whether such an array may be that memory looked at in another way: by a view, from its end, say.
bool may_be_view_of_parameter(const ir::Body& body, ir::ValueId value);
/// The value whose memory `value` surely is, by in-place operations only: a parameter of the body,
/// a value from outside or the fresh array itself.  (A view of an array is another value than it.)
ir::ValueId in_place_origin(const ir::Body& body, ir::ValueId value);

} // namespace sinter::jit
