// Pictures: arrays as pixels.
#pragma once

#include "lang/values/format.h"

#include <cstdint>
#include <vector>

namespace sinter::repl {

/// Pixels row by row from the top, each 0xAARRGGBB, not premultiplied.
struct Image {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::vector<std::uint32_t> pixels;
};

/// Pictures of more pixels are refused, whatever wants to make them.
inline constexpr std::int64_t max_pixels = std::int64_t{1} << 28;

/// What `image_of` takes, for messages.
inline constexpr const char* image_types =
    "[h][w]u32 or [h][w]i32 (0xAARRGGBB), [h][w]u8 (grey), [h][w]f32 or f64 (grey from 0 to 1), "
    "[h][w]bool, [h][w][3]u8 or [h][w][4]u8 (red, green, blue, opacity)";

/// Whether values of the type may be images.
bool is_image_type(const Representation* type);
/// The image that an array shows; see `image_types`.  An image whose alpha bytes are all 0 has
/// none, and is opaque.  Throws FormatError for other types, and for too many or no pixels.
Image image_of(const Value& value, const Representation* type);
/// [height][width]u32.  Throws RuntimeError{OutOfMemory}.
Value value_of(const Image& image, MemoryBudget& memory, Representations& representations);

} // namespace sinter::repl
