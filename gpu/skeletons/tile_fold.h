// Reductions that a thread goes through in steps, between which the threads of its block do
// something together.
//
// BodyEmitter::fold_range folds a range of whole blocks at once.  A tile is shorter than those, so
// that the running values of the order of folding (lang/primitives/fold_order.h) have to outlive
// it: here they are variables, and whoever goes through the elements says where rows and blocks
// end.  As it says so by indices that all threads have in common, no thread waits for another.
#pragma once

#include "jit/emit/body.h"
#include "jit/ir/ir.h"

#include <cstdint>
#include <vector>

namespace sinter::gpu {

/// The running values of all reductions of a SOAC, whose values are scalars, of one thread for one
/// result each.
class TileFold {
public:
  /// Makes them, with the neutral elements.  The SOAC's groups are reductions; it and the emitter
  /// outlive the object.
  TileFold(jit::BodyEmitter& body, const ir::Soac& reduction);

  /// What `BodyEmitter::element` and `apply` fold elements into: of the row at hand where the order
  /// shows, else of all elements.
  std::vector<jit::GroupState>& states() { return states_; }
  /// A row's elements have all been folded; `row` is the first one's index.
  void end_row(llvm::Value* row);
  /// The same of a block's rows.
  void end_block(llvm::Value* block);
  /// In the order of the statement's results.
  std::vector<jit::Emitted> results();

  /// Words of 32 bits that the variables of a fold take, as registers.
  static unsigned words(const ir::Function& function, const ir::Soac& reduction);

private:
  struct Totals {
    std::vector<jit::Accumulator> block, all;
  };
  jit::BodyEmitter& body_;
  bool keeps_order_;
  std::vector<jit::GroupState> states_;
  std::vector<Totals> totals_; ///< by group, where the order shows
};

/// Ends rows and blocks of folds that go through the same indices, where `next` (i64), up to which
/// they have come, is the end of some or of all `extent` elements.  Tiles begin at `first`, and do
/// not cross the end of a row.
void end_rows(jit::LaneBuilder& builder, std::vector<TileFold>& folds, llvm::Value* first,
              llvm::Value* next, llvm::Value* extent);

} // namespace sinter::gpu
