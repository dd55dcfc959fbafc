// What stands before the elements of an .npy file: a magic, a version, and a Python dictionary in
// text.
#pragma once

#include "lang/base/element_type.h"
#include "lang/values/extents.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sinter {

inline constexpr std::string_view npy_magic = "\x93NUMPY";
/// As many bytes at the beginning say how long the header is.
inline constexpr std::size_t npy_prelude_bytes = 12;

enum class NpyContents { Numbers, Complex, Bytes, Letters };

/// What the header says.
struct NpyHeader {
  NpyContents contents = NpyContents::Numbers;
  ElementType element{};  ///< u8 of strings
  std::int64_t parts = 1; ///< of each element: two of complex numbers, the length of strings
  bool big_endian = false;
  bool fortran_order = false;
  Extents shape;
};

/// How many bytes the header has, with magic and version, that begins so (if there are more than
/// npy_prelude_bytes, they are not looked at).  `base`: where it begins in the input, for messages.
/// Throws FormatError.
std::size_t npy_header_bytes(std::string_view begin, std::size_t base);
/// Reads a whole header.  Throws FormatError.
NpyHeader read_npy_header(std::string_view header, std::size_t base);

/// The header of an array in C order, at least so many bytes long, which are a multiple of 64.
std::string npy_header_of(ElementType element, bool is_complex, const Extents& shape,
                          std::size_t least = 0);

} // namespace sinter
