#include "gpu/skeletons/tile_fold.h"

#include "jit/emit/kernel_shape.h"
#include "lang/base/element_type.h"
#include "lang/primitives/fold_order.h"

#include <iterator>
#include <utility>

namespace sinter::gpu {

using jit::Emitted;
using llvm::Value;

TileFold::TileFold(jit::BodyEmitter& body, const ir::Soac& reduction)
    : body_(body), keeps_order_(jit::keeps_fold_order(reduction)) {
  for (const ir::Group& group : reduction.groups) {
    const auto& reduce = std::get<ir::ReduceGroup>(group);
    const jit::Operator op{&reduce.neutral, &reduce.combine};
    jit::ReduceState state;
    state.fold = body_.begin_fold(op);
    states_.emplace_back(std::move(state));
    if (keeps_order_)
      totals_.push_back({body_.neutral_accumulators(op), body_.neutral_accumulators(op)});
  }
}

void TileFold::end_row(Value* row) {
  if (!keeps_order_) return;
  llvm::IRBuilder<>& ir = body_.b.ir;
  Value* const is_first =
      ir.CreateICmpEQ(ir.CreateAnd(row, body_.b.i64(primitives::block_length - 1)), body_.b.i64(0));
  for (std::size_t g = 0; g < states_.size(); ++g) {
    const jit::Fold& fold = *jit::fold_of(states_[g]);
    body_.begin_or_fold_into(fold, is_first, totals_[g].block, body_.values_of(fold.accumulators));
    body_.begin_again(fold, fold.accumulators);
  }
}

void TileFold::end_block(Value* block) {
  if (!keeps_order_) return;
  Value* const is_first = body_.b.ir.CreateICmpEQ(block, body_.b.i64(0));
  for (std::size_t g = 0; g < states_.size(); ++g)
    body_.begin_or_fold_into(*jit::fold_of(states_[g]), is_first, totals_[g].all,
                             body_.values_of(totals_[g].block));
}

std::vector<Emitted> TileFold::results() {
  std::vector<Emitted> results;
  for (std::size_t g = 0; g < states_.size(); ++g) {
    std::vector<Emitted> values =
        body_.values_of(keeps_order_ ? totals_[g].all : jit::fold_of(states_[g])->accumulators);
    std::move(values.begin(), values.end(), std::back_inserter(results));
  }
  return results;
}

unsigned TileFold::words(const ir::Function& function, const ir::Soac& reduction) {
  unsigned words = 0;
  for (const ir::Group& group : reduction.groups)
    for (const ir::Operand& neutral : std::get<ir::ReduceGroup>(group).neutral)
      words += byte_size(function.type(neutral).element) > 4 ? 2 : 1;
  return jit::keeps_fold_order(reduction) ? 3 * words : words;
}

void end_rows(jit::LaneBuilder& b, std::vector<TileFold>& folds, Value* first, Value* next,
              Value* extent) {
  const auto begin_of = [&](std::int64_t length) { return b.ir.CreateAnd(first, b.i64(-length)); };
  const auto is_end_of = [&](std::int64_t length) {
    Value* const is_whole = b.ir.CreateICmpEQ(b.ir.CreateAnd(next, b.i64(length - 1)), b.i64(0));
    return b.ir.CreateOr(is_whole, b.ir.CreateICmpSGE(next, extent));
  };
  b.if_then(is_end_of(primitives::row_length), [&] {
    for (TileFold& fold : folds)
      fold.end_row(begin_of(primitives::row_length));
    b.if_then(is_end_of(primitives::block_length), [&] {
      for (TileFold& fold : folds)
        fold.end_block(begin_of(primitives::block_length));
    });
  });
}

} // namespace sinter::gpu
