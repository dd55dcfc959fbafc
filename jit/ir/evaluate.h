// The IR's reference evaluator: small, slow, plainly right.  The judge of passes and of generated
// code; it shares nothing with them.
#pragma once

#include "jit/ir/dense_elements.h"
#include "jit/ir/ir.h"

#include <memory>
#include <span>
#include <stdexcept>
#include <variant>
#include <vector>

namespace sinter::ir {

/// A dense array: extents and elements in row-major order.
struct DenseArray {
  ElementType element{};
  std::vector<std::int64_t> extents;
  DenseElements elements;
  friend bool operator==(const DenseArray&, const DenseArray&) = default;
};
/// What the evaluator computes with.
using DenseValue = std::variant<Scalar, DenseArray>;

/// The results, or the failing check's site.
using Evaluation = std::variant<std::vector<DenseValue>, std::uint32_t>;

/// What a function must not do while running although it was verified: an index out of bounds
/// without a check before it, a shape that is not its type's, a negative extent.
struct EvaluationError : std::logic_error {
  using std::logic_error::logic_error;
};

/// Runs the function on arguments that match its parameters.  Reductions, scans and histograms
/// combine from left to right, beginning with the neutral element.  Throws EvaluationError.  Polls
/// interruption.  Pieces of streams have `units` of theirs.
Evaluation evaluate(const Function& function, std::vector<DenseValue> arguments,
                    std::int64_t units = 1);

} // namespace sinter::ir
