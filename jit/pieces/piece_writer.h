// What the functions of the law share while they are written.
#pragma once

#include "jit/passes/statement_writer.h"
#include "jit/pieces/piece_functions.h"

#include <map>
#include <span>
#include <vector>

namespace sinter::jit {

/// A component of the state: what the chunk gives is what the finish has as a parameter.
struct Crossing {
  StateRole role = StateRole::Shared;
  ir::Operand in_chunk;
  ir::ValueId in_finish;
};

/// What crosses for a group that is not a block's.
struct GroupCrossing {
  /// Of Single and Bins: in the finish, for each result its values by piece.  Of Joined: what the
  /// group takes.  Of Entries: the totals.
  std::vector<ir::ValueId> values;
  ir::ValueId is_block; ///< of Entries: which of them are totals of blocks
  ir::ValueId count;    ///< of Entries
};

/// A function being cut: values get new ones beside them, which both functions know.
class Draft {
public:
  Draft(const ir::Function& function, const CutPlan& plan);

  Stage stage(const ir::Operand& operand) const;
  bool is_cut(const ir::Operand& operand) const { return stage(operand) == Stage::Cut; }
  /// The elements of a group's operands in a SOAC's results.
  ir::ValueId new_value(ir::Type type) { return function.add_value(std::move(type)); }
  /// The operator on given operands, as a body without parameters.
  ir::Body applied(const ir::Body& combine, std::span<const ir::Operand> left,
                   std::span<const ir::Operand> right);
  const StatementCut& cut_of(std::size_t statement) const { return plan.statements[statement]; }

  ir::Function function; ///< with new values; its body is the one that is cut
  const CutPlan& plan;
  ir::ValueId first, count; ///< of a chunk
  ir::ValueId pieces;       ///< of a finish
  /// Arrays that have so many elements in a chunk where their type says n.
  std::map<ir::ValueId, ir::ValueId> shortened;
  std::map<std::pair<std::size_t, std::size_t>, GroupCrossing> groups; ///< by statement and group
  std::vector<Crossing> crossings;
};

/// The statements of the chunk, with what crosses of groups.  Fills in `draft`.
ir::Body chunk_body(Draft& draft, std::vector<ChunkArgument>& arguments,
                    std::map<ir::ValueId, ir::ValueId>& own_blocks);
/// The statements of the finish, but for its parameters.
ir::Body finish_body(Draft& draft);

} // namespace sinter::jit
