// What kernels and host-level code take and give.
#pragma once

#include "lang/values/array.h"
#include "lang/values/scalar.h"

#include <variant>

namespace sinter::jit {

/// What stands in a place of a layout while running: a scalar, or a strided array (for leaves).
using Datum = std::variant<Scalar, Leaf>;

} // namespace sinter::jit
