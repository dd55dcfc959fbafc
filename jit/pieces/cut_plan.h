// How a function may be cut along one of its sizes, so that pieces of it run anywhere.
//
// Let n be the size.  What a function computes belongs to one of these stages:
//
//   Whole   needs nothing that is cut: every piece computes it, from inputs that it has whole
//   Cut     an array over n, of which a piece has or computes the block at its indices
//   Kept    an array over what a filter keeps of the block; Count: how much that is
//   Late    is known only when all pieces are: what is computed from folds
//
// A piece computes what is Cut and Kept, and a *state* of each fold over n; when the states of all
// pieces, in order, lie side by side, the rest follows.  How a SOAC's group goes there:
//
//   Block    map, filter: its results are cut, or kept
//   Single   reduce whose order does not show: one value for each piece
//   Entries  reduce whose order shows: the totals of the rows and blocks (lang/primitives/
//            fold_order.h) that the piece has whole; they are combined in the order of the whole
//   Bins     histogram whose order does not show: bins for each piece, which begin neutral
//   Joined   all others: the piece computes what the group takes, and the group runs afterwards
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/pass_options.h"

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace sinter::jit {

enum class Stage : std::uint8_t { Whole, Cut, Kept, Count, Late };
enum class GroupWay : std::uint8_t { Block, Single, Entries, Bins, Joined };

/// How a parameter goes into a piece.
struct ParameterCut {
  bool is_cut = false; ///< an array over n; else a piece has it whole
  /// How many elements before and behind the block are read too, as far as there are any.
  std::int64_t low = 0, high = 0;
  std::string why_whole; ///< of an array over n that is not cut
  bool has_halo() const { return low > 0 || high > 0; }
};

/// How many elements before and behind the block are computed too, as far as there are any, since
/// those of other arrays at the block's indices need them.
struct Halo {
  std::int64_t low = 0, high = 0;
  bool is_empty() const { return low == 0 && high == 0; }
};

struct StatementCut {
  Stage stage = Stage::Whole;
  Halo halo;                  ///< of a SOAC that is Cut and has maps alone
  std::vector<GroupWay> ways; ///< of a SOAC that is Cut or Kept, by group
};

struct CutPlan {
  ir::ValueId extent;                             ///< n: an i64 parameter
  std::vector<bool> is_extent;                    ///< by value: whether it is equal to n
  std::vector<Stage> stages;                      ///< by value
  std::map<ir::ValueId, ParameterCut> parameters; ///< the arrays among them
  std::vector<StatementCut> statements;           ///< of the function's body

  Stage stage(const ir::Operand& operand) const {
    return operand.is_constant() ? Stage::Whole : stages[operand.value().index];
  }
  bool is_over_extent(const ir::Operand& operand) const {
    return operand.is_value() && is_extent[operand.value().index];
  }
  /// Whether every cut gives the bits of the whole; else only those at multiples of the fold's row.
  bool any_cut_is_exact() const;
};

/// Why a function cannot be cut along a size.
struct NotCut {
  std::string why;
  Span span; ///< of what is in the way
};

/// What a function runs through before it is cut: operations become one, and what is read at other
/// places is computed there, but no kernel is shaped yet.
const PassNames& passes_before_cutting();

/// The sizes that may be meant, best first: those of array parameters' outermost dimensions, then
/// other numbers that SOACs run over.  Of sizes that are equal the first.
std::vector<ir::ValueId> sizes_to_cut(const ir::Function& function);
/// `function` has run through those passes.
std::variant<CutPlan, NotCut> plan_cut(const ir::Function& function, ir::ValueId extent);

} // namespace sinter::jit
