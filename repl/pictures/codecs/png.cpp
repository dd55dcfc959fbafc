// PNG through libpng's simplified interface, whose memory order is that of 0xAARRGGBB words.
#include "lang/base/interruptible.h"
#include "repl/pictures/codecs/parts.h"

#include <png.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>

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
    poll_interruption();
    throw FormatError(what + ": " + image.message);
  }
};

// No exception goes through the library: its files fail where the work is to stop.

ssize_t take_from_view(void* view, char* bytes, std::size_t count) {
  if (Interruptible::is_due()) return -1;
  auto& left = *static_cast<std::string_view*>(view);
  count = std::min(count, left.size());
  std::memcpy(bytes, left.data(), count);
  left.remove_prefix(count);
  return static_cast<ssize_t>(count);
}

ssize_t append_to_string(void* string, const char* bytes, std::size_t count) {
  if (Interruptible::is_due()) return 0;
  try {
    static_cast<std::string*>(string)->append(bytes, count);
  } catch (const std::bad_alloc&) {
    return 0;
  }
  return static_cast<ssize_t>(count);
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

File file_of(void* what, const char* mode, cookie_io_functions_t functions) {
  File file(fopencookie(what, mode, functions));
  if (!file) throw std::bad_alloc();
  return file;
}

} // namespace

std::string write_png(const Image& image) {
  PngImage png;
  png.image.width = static_cast<png_uint_32>(image.width);
  png.image.height = static_cast<png_uint_32>(image.height);
  png.image.format = pixel_format;
  std::string bytes;
  const File file = file_of(&bytes, "w", {.write = append_to_string});
  if (!png_image_write_to_stdio(&png.image, file.get(), 0, image.pixels.data(), 0, nullptr) ||
      std::fflush(file.get()) != 0)
    png.fail("the image cannot be written as PNG");
  return bytes;
}

Image read_png(std::string_view bytes) {
  PngImage png;
  const File file = file_of(&bytes, "r", {.read = take_from_view});
  if (!png_image_begin_read_from_stdio(&png.image, file.get()))
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
