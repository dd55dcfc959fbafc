// PNG through libpng's simplified interface, whose memory order is that of 0xAARRGGBB words.
#include "repl/pictures/codecs/parts.h"

#include <png.h>

#include <bit>

namespace sinter::repl::parts {

namespace {

static_assert(std::endian::native == std::endian::little);
constexpr png_uint_32 pixel_format = PNG_FORMAT_BGRA;

/// Frees what libpng keeps for an image.
struct PngImage {
  png_image image{};
  PngImage() { image.version = PNG_IMAGE_VERSION; }
  ~PngImage() { png_image_free(&image); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
  [[noreturn]] void fail(const std::string& what) const {
    throw FormatError(what + ": " + image.message);
  }
};

} // namespace

std::string write_png(const Image& image) {
  PngImage png;
  png.image.width = static_cast<png_uint_32>(image.width);
  png.image.height = static_cast<png_uint_32>(image.height);
  png.image.format = pixel_format;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png.image);
  std::string bytes(size, '\0');
  if (!png_image_write_to_memory(&png.image, bytes.data(), &size, 0, image.pixels.data(), 0,
                                 nullptr))
    png.fail("the image cannot be written as PNG");
  bytes.resize(size);
  return bytes;
}

Image read_png(std::string_view bytes) {
  PngImage png;
  if (!png_image_begin_read_from_memory(&png.image, bytes.data(), bytes.size()))
    png.fail("this is not a valid PNG image");
  png.image.format = pixel_format;
  Image image{.width = png.image.width, .height = png.image.height};
  if (image.width == 0 || image.height == 0 || image.width > max_pixels / image.height)
    throw FormatError("the PNG image is empty or too large: " + std::to_string(image.width) +
                      " x " + std::to_string(image.height) + " pixels");
  image.pixels.resize(static_cast<std::size_t>(image.width * image.height));
  if (!png_image_finish_read(&png.image, nullptr, image.pixels.data(), 0, nullptr))
    png.fail("the PNG image is damaged");
  return image;
}

} // namespace sinter::repl::parts
