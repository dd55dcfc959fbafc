#include "repl/pictures/image.h"

#include "lang/base/interruptible.h"
#include "lang/values/elements.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sinter::repl {

namespace {

constexpr std::uint32_t opaque = 0xFF000000u;

std::uint32_t grey(std::uint32_t level) {
  return opaque | level << 16 | level << 8 | level;
}

/// A brightness from 0 to 1; what is no number is black.
template <typename T>
std::uint32_t level_of(T value) {
  double bright = static_cast<double>(value);
  if (!(bright > 0)) return 0;
  return static_cast<std::uint32_t>(std::lround(std::min(bright, 1.0) * 255));
}

/// The pixel that a single number stands for.
template <typename T>
std::uint32_t pixel_of(T value) {
  if constexpr (std::is_same_v<T, bool>)
    return grey(value ? 255 : 0);
  else if constexpr (std::is_same_v<T, std::uint8_t>)
    return grey(value);
  else if constexpr (std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::int32_t>)
    return static_cast<std::uint32_t>(value);
  else
    return grey(level_of(value));
}
template <typename T>
std::uint32_t channel_of(T value) {
  if constexpr (std::is_same_v<T, std::uint8_t>)
    return value;
  else
    return level_of(value);
}

bool is_pixel(ElementType element) {
  return element == ElementType::U32 || element == ElementType::I32 || element == ElementType::U8 ||
         element == ElementType::Bool || is_float(element);
}
bool is_channel(ElementType element) {
  return element == ElementType::U8 || is_float(element);
}

template <typename T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

} // namespace

bool is_image_type(const Representation* type) {
  if (!type->is_array() || !type->array().element->is_scalar()) return false;
  ElementType element = type->array().element->scalar();
  return (type->array().rank == 2 && is_pixel(element)) ||
         (type->array().rank == 3 && is_channel(element));
}

Image image_of(const Value& value, const Representation* type) {
  if (!is_image_type(type))
    throw FormatError("a value of type " + print(type) + " is no image; images are " + image_types);
  const ArrayObject& array = *value.array();
  const Leaf& leaf = array.leaves.front();
  bool colors = array.shape.size() == 3;
  if (colors && array.shape[2] != 3 && array.shape[2] != 4)
    throw FormatError("an array of shape " + shape_text(array.shape) +
                      " is no image: a pixel has 3 or 4 channels");
  Image image{.width = array.shape[1], .height = array.shape[0]};
  if (image.width == 0 || image.height == 0)
    throw FormatError("the image is empty: its shape is " + shape_text(array.shape));
  if (image.width > max_pixels / image.height)
    throw FormatError("an image of shape " + shape_text(array.shape) + " is too large to be shown");
  image.pixels.resize(static_cast<std::size_t>(image.width * image.height));
  with_cpp_type(leaf.element, [&]<typename T>() {
    constexpr auto size = static_cast<std::int64_t>(sizeof(T));
    std::uint32_t* out = image.pixels.data();
    const std::byte* first = first_element(leaf);
    SparsePoll poll;
    for (std::int64_t y = 0; y < image.height; ++y)
      for (std::int64_t x = 0; x < image.width; ++x) {
        poll();
        const std::byte* at = first + (y * leaf.strides[0] + x * leaf.strides[1]) * size;
        if (!colors) {
          *out++ = pixel_of(load<T>(at));
          continue;
        }
        auto channel = [&](std::int64_t c) {
          return channel_of(load<T>(at + c * leaf.strides[2] * size));
        };
        std::uint32_t alpha = array.shape[2] == 4 ? channel(3) << 24 : opaque;
        *out++ = alpha | channel(0) << 16 | channel(1) << 8 | channel(2);
      }
  });
  bool no_alpha = std::all_of(image.pixels.begin(), image.pixels.end(),
                              [](std::uint32_t pixel) { return pixel >> 24 == 0; });
  if (no_alpha)
    for (std::uint32_t& pixel : image.pixels)
      pixel |= opaque;
  return image;
}

Value value_of(const Image& image, MemoryBudget& memory, Representations& representations) {
  ArrayRef array = allocate_array(memory, representations.scalar(ElementType::U32),
                                  Extents{image.height, image.width});
  if (!image.pixels.empty())
    std::memcpy(array->leaves[0].buffer->overwrite(), image.pixels.data(), image.pixels.size() * 4);
  return Value(std::move(array));
}

} // namespace sinter::repl
