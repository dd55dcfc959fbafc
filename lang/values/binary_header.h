// What stands before the elements of a value in Futhark's binary format: `b`, the version, the
// rank, four letters of type, and the extents.
#pragma once

#include "lang/base/element_type.h"
#include "lang/values/extents.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace sinter {

/// What the header says.
struct BinaryHeader {
  ElementType element{};
  Extents shape;         ///< empty for a scalar
  std::size_t bytes = 0; ///< of the header itself
};

/// Reads the header that bytes begin with; `base`: where that is in the input, for messages. Throws
/// FormatError, also if it goes on behind their end.
BinaryHeader read_binary_header(std::string_view begin, std::size_t base);

inline constexpr std::size_t most_binary_dimensions = 255;

/// The header of an array, or of a scalar (an empty shape); no more dimensions than those.
std::string binary_header_of(ElementType element, const Extents& shape);

} // namespace sinter
