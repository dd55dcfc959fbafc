// Why an array that one SOAC makes for another is made as a whole, and not piece by piece
// (streams.h): what is against the two of them in one group (stream_group.h).
//
//   ys = soac n (xs) { … } map … scan …       ys is needed as a whole, too: ArrayIsNeeded
//   s = soac n (ys) { … } reduce …
//   ret ys, s
#pragma once

#include "jit/ir/ir.h"
#include "jit/reasons/reasons.h"

#include <cstddef>

namespace sinter::jit {

/// Of two SOACs among the body's statements that are in no group together, of which the second one
/// reads an array that the first one makes: what stands against it, the first one of what there is.
Reason kept_whole(const ir::Function& function, const ir::Body& body, std::size_t producer,
                  std::size_t consumer);

} // namespace sinter::jit
