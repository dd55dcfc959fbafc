// The domain of ordinary values: a scalar is a number, an array a buffer, the walk is the run.
#pragma once

#include "lang/values/value.h"

#include <memory>

namespace sinter {

/// The state of a Futhark accumulator: the arrays that are written and how values are combined.
struct ConcreteAccumulator;

struct Concrete {
  using Scalar = sinter::Scalar;
  using Array = ArrayRef;
  using Accumulator = std::shared_ptr<ConcreteAccumulator>;
};

using Value = BasicValue<Concrete>;

} // namespace sinter
