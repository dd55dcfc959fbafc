// The IR's reference evaluator: small, slow, plainly right.  The judge of passes and of generated
// code; it shares nothing with them.
#pragma once

#include "jit/ir/ir.h"

#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace sinter::ir {

/// A dense array: extents and elements in row-major order.
struct DenseArray {
  ElementType element{};
  std::vector<std::int64_t> extents;
  std::vector<Scalar> elements;
  friend bool operator==(const DenseArray&, const DenseArray&) = default;
};
using Datum = std::variant<Scalar, DenseArray>;

/// The results, or the failing check's site.
using Evaluation = std::variant<std::vector<Datum>, std::uint32_t>;

/// Runs the function on arguments that match its parameters.
Evaluation evaluate(const Function& function, std::vector<Datum> arguments);

} // namespace sinter::ir
