// Laws of scalar operations.
#pragma once

#include "lang/primitives/primitives.h"

namespace sinter::primitives {

/// Whether the operation is associative and commutative, but for the rounding of floats and for
/// which of two NaNs stays.
constexpr bool combines_in_any_order(Operation operation) {
  switch (operation) {
  case Operation::Add:
  case Operation::Multiply:
  case Operation::Minimum:
  case Operation::Maximum:
  case Operation::And:
  case Operation::Or:
  case Operation::Xor:
    return true;
  default:
    return false;
  }
}

} // namespace sinter::primitives
