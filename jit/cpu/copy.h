// Copies of large arrays on several threads.
#pragma once

#include "jit/cpu/parallel.h"
#include "jit/runtime/backend.h"

namespace sinter::jit {

/// Copies all elements (Backend::copy): large arrays in parts along the first dimension, each of
/// which looks whether the evaluation goes on.
void copy_in_parts(const Leaf& target, const Leaf& source, const RunContext& context,
                   Workers& workers);

} // namespace sinter::jit
