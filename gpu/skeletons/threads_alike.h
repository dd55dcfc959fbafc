// Threads of a warp with equal numbers find each other.
#pragma once

#include "gpu/skeletons/entry_builder.h"

namespace sinter::gpu {

/// Which threads of `active` (i32, bits of the warp's threads) have the same number as the thread
/// itself, as bits: by a ballot over each of the `bits` (i64) that a number of these threads may
/// have.  Of any integer type; all threads of the warp come here.  For a thread that is not active
/// it is anything.
llvm::Value* threads_alike(EntryBuilder& entry, llvm::Value* number, llvm::Value* active,
                           llvm::Value* bits);

/// Those of threads (i32, bits) that come before the thread itself.
llvm::Value* threads_before(EntryBuilder& entry, llvm::Value* threads);

} // namespace sinter::gpu
