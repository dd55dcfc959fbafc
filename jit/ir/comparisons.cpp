#include "jit/ir/comparisons.h"

namespace sinter::ir {

using Comparison = primitives::Operation;

std::optional<Comparison> exchanged(Comparison comparison) {
  switch (comparison) {
  case Comparison::Less:
    return Comparison::Greater;
  case Comparison::LessEqual:
    return Comparison::GreaterEqual;
  case Comparison::Greater:
    return Comparison::Less;
  case Comparison::GreaterEqual:
    return Comparison::LessEqual;
  case Comparison::Equal:
  case Comparison::NotEqual:
    return comparison;
  default:
    return std::nullopt;
  }
}

std::optional<Comparison> negated(Comparison comparison) {
  switch (comparison) {
  case Comparison::Less:
    return Comparison::GreaterEqual;
  case Comparison::LessEqual:
    return Comparison::Greater;
  case Comparison::Greater:
    return Comparison::LessEqual;
  case Comparison::GreaterEqual:
    return Comparison::Less;
  case Comparison::Equal:
    return Comparison::NotEqual;
  case Comparison::NotEqual:
    return Comparison::Equal;
  default:
    return std::nullopt;
  }
}

} // namespace sinter::ir
