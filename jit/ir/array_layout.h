// How an array that a function is given lies in memory, as far as code for it may rely on that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinter::ir {

enum class ArrayLayout : std::uint8_t {
  Strided,        ///< any strides
  ContiguousRows, ///< the elements of the innermost dimension lie one after the other
  Dense,          ///< row-major without gaps
};

/// By parameter of a function; of a scalar, it says nothing.
using ArrayLayouts = std::vector<ArrayLayout>;

inline ArrayLayouts all_dense(std::size_t parameters) {
  return ArrayLayouts(parameters, ArrayLayout::Dense);
}

} // namespace sinter::ir
