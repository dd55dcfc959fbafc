#include "gpu/skeletons/folds.h"

namespace sinter::gpu {

void Folds::store_results(EntryBuilder& entry, const Components& values) const {
  for (std::size_t i = 0; i < values.size(); ++i)
    entry.store_scalar_result(results[i], word_of(entry, values[i], folds.types()[i]));
}

void Folds::store_prefixes(EntryBuilder& entry, llvm::Value* index,
                           const Components& values) const {
  for (std::size_t i = 0; i < values.size(); ++i)
    entry.b.ir.CreateAlignedStore(
        values[i],
        entry.b.ir.CreateGEP(values[i]->getType(), entry.place(entry.result(results[i])), index),
        llvm::Align(byte_size(folds.types()[i])));
}

} // namespace sinter::gpu
