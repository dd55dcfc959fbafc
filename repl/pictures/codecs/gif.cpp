// Animations through giflib.  A frame has at most 256 colours of its own: those it has, or the ones
// that giflib's median cut chooses.
#include "lang/base/interruptible.h"
#include "repl/pictures/codecs/parts.h"

#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <unordered_map>

namespace sinter::repl::parts {

namespace {

constexpr std::uint32_t opaque = 0xFF000000u;
constexpr int palette_size = 256;
constexpr std::int64_t max_side = 65535;

struct CloseWritten {
  void operator()(GifFileType* file) const { EGifCloseFile(file, nullptr); }
};
struct CloseRead {
  void operator()(GifFileType* file) const { DGifCloseFile(file, nullptr); }
};
struct FreePalette {
  void operator()(ColorMapObject* map) const { GifFreeMapObject(map); }
};
using Palette = std::unique_ptr<ColorMapObject, FreePalette>;

[[noreturn]] void fail(const std::string& what, int error) {
  poll_interruption();
  const char* why = GifErrorString(error);
  throw FormatError(what + (why ? std::string(": ") + why : ""));
}

// (No exception goes through the library: reading and writing fail where the work is to stop.)

int append_to_string(GifFileType* file, const GifByteType* bytes, int count) {
  if (Interruptible::is_due()) return 0;
  auto* out = static_cast<std::string*>(file->UserData);
  out->append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
  return count;
}

int take_from_view(GifFileType* file, GifByteType* bytes, int count) {
  if (Interruptible::is_due()) return 0;
  auto* left = static_cast<std::string_view*>(file->UserData);
  std::size_t taken = std::min(left->size(), static_cast<std::size_t>(count));
  std::memcpy(bytes, left->data(), taken);
  left->remove_prefix(taken);
  return static_cast<int>(taken);
}

GifByteType channel(std::uint32_t pixel, int shift) {
  return static_cast<GifByteType>(pixel >> shift & 0xFF);
}

/// The frame's pixels as numbers of its colours.
Palette quantise(const Image& image, std::vector<GifByteType>& indices) {
  Palette palette(GifMakeMapObject(palette_size, nullptr));
  if (!palette) throw std::bad_alloc();
  indices.resize(image.pixels.size());
  std::unordered_map<std::uint32_t, GifByteType> numbers;
  bool few = true;
  SparsePoll poll;
  for (std::size_t i = 0; i < image.pixels.size() && few; ++i) {
    poll();
    std::uint32_t color = image.pixels[i] & ~opaque;
    auto found = numbers.find(color);
    if (found == numbers.end()) {
      if (numbers.size() == palette_size) {
        few = false;
        break;
      }
      auto number = static_cast<GifByteType>(numbers.size());
      palette->Colors[number] = {channel(color, 16), channel(color, 8), channel(color, 0)};
      found = numbers.emplace(color, number).first;
    }
    indices[i] = found->second;
  }
  if (few) return palette;
  std::array<std::vector<GifByteType>, 3> channels;
  for (int c = 0; c < 3; ++c)
    for (std::uint32_t pixel : image.pixels) {
      poll();
      channels[static_cast<std::size_t>(c)].push_back(channel(pixel, 16 - 8 * c));
    }
  int count = palette_size;
  if (GifQuantizeBuffer(static_cast<unsigned>(image.width), static_cast<unsigned>(image.height),
                        &count, channels[0].data(), channels[1].data(), channels[2].data(),
                        indices.data(), palette->Colors) == GIF_ERROR)
    throw FormatError("the colours of a frame cannot be reduced to 256");
  return palette;
}

class GifWriter {
public:
  GifWriter(std::string& out, const Image& first, const FilmOptions& options)
      : width_(first.width), height_(first.height) {
    if (width_ > max_side || height_ > max_side)
      throw FormatError("the frames of a GIF have at most 65535 pixels on a side");
    int error = 0;
    file_.reset(EGifOpen(&out, append_to_string, &error));
    if (!file_) fail("a GIF cannot be written", error);
    EGifSetGifVersion(file_.get(), true);
    check(EGifPutScreenDesc(file_.get(), static_cast<int>(width_), static_cast<int>(height_), 8, 0,
                            nullptr));
    if (options.repeat) { // the extension that browsers know: again and again
      constexpr std::array<GifByteType, 3> for_ever = {1, 0, 0};
      check(EGifPutExtensionLeader(file_.get(), APPLICATION_EXT_FUNC_CODE));
      check(EGifPutExtensionBlock(file_.get(), 11, "NETSCAPE2.0"));
      check(EGifPutExtensionBlock(file_.get(), for_ever.size(), for_ever.data()));
      check(EGifPutExtensionTrailer(file_.get()));
    }
    double hundredths = std::round(100 / std::clamp(options.frames_per_second, 0.01, 100.0));
    control_.DelayTime = static_cast<int>(hundredths);
    control_.TransparentColor = NO_TRANSPARENT_COLOR;
    control_.DisposalMode = DISPOSE_DO_NOT;
  }

  void add(const Image& image) {
    if (image.width != width_ || image.height != height_)
      throw FormatError("the frames of a video must all have the same size");
    Palette palette = quantise(image, indices_);
    std::array<GifByteType, 4> control;
    EGifGCBToExtension(&control_, control.data());
    check(EGifPutExtension(file_.get(), GRAPHICS_EXT_FUNC_CODE, control.size(), control.data()));
    check(EGifPutImageDesc(file_.get(), 0, 0, static_cast<int>(width_), static_cast<int>(height_),
                           false, palette.get()));
    for (std::int64_t y = 0; y < height_; ++y)
      check(EGifPutLine(file_.get(), indices_.data() + y * width_, static_cast<int>(width_)));
  }

  void finish() {
    int error = 0;
    if (EGifCloseFile(file_.release(), &error) == GIF_ERROR) fail("a GIF cannot be written", error);
  }

private:
  void check(int status) {
    if (status == GIF_ERROR) fail("a GIF cannot be written", file_->Error);
  }

  std::unique_ptr<GifFileType, CloseWritten> file_;
  std::int64_t width_, height_;
  GraphicsControlBlock control_{};
  std::vector<GifByteType> indices_;
};

} // namespace

std::string write_gif(const std::function<std::optional<Image>()>& next,
                      const FilmOptions& options) {
  std::optional<Image> frame = next();
  if (!frame) throw FormatError("a video without frames cannot be shown");
  std::string bytes;
  GifWriter writer(bytes, *frame, options);
  for (std::size_t count = 0; frame; frame = next()) {
    if (++count > max_frames) throw FormatError("a video of so many frames cannot be written");
    writer.add(*frame);
  }
  writer.finish();
  return bytes;
}

std::vector<std::pair<Image, double>> read_gif(std::string_view bytes) {
  int error = 0;
  std::unique_ptr<GifFileType, CloseRead> file(DGifOpen(&bytes, take_from_view, &error));
  if (!file) fail("this is not a valid GIF image", error);
  if (DGifSlurp(file.get()) == GIF_ERROR) fail("the GIF image is damaged", file->Error);
  std::int64_t width = file->SWidth, height = file->SHeight;
  if (width < 1 || height < 1 || width > max_pixels / height)
    throw FormatError("the GIF image is empty or too large");
  Image canvas{width, height,
               std::vector<std::uint32_t>(static_cast<std::size_t>(width * height), opaque)};
  std::vector<std::pair<Image, double>> frames;
  for (int i = 0; i < file->ImageCount; ++i) {
    const SavedImage& saved = file->SavedImages[i];
    const GifImageDesc& place = saved.ImageDesc;
    const ColorMapObject* colors = place.ColorMap ? place.ColorMap : file->SColorMap;
    GraphicsControlBlock control{};
    control.TransparentColor = NO_TRANSPARENT_COLOR;
    DGifSavedExtensionToGCB(file.get(), i, &control);
    if (!colors || static_cast<std::int64_t>(frames.size() + 1) > max_pixels / (width * height))
      throw FormatError("the GIF image is damaged or too large");
    for (std::int64_t y = 0; y < place.Height; ++y) {
      poll_interruption();
      for (std::int64_t x = 0; x < place.Width; ++x) {
        int index = saved.RasterBits[y * place.Width + x];
        std::int64_t to_x = place.Left + x, to_y = place.Top + y;
        if (index == control.TransparentColor || index >= colors->ColorCount || to_x < 0 ||
            to_y < 0 || to_x >= width || to_y >= height)
          continue;
        const GifColorType& color = colors->Colors[index];
        canvas.pixels[static_cast<std::size_t>(to_y * width + to_x)] =
            opaque | static_cast<std::uint32_t>(color.Red) << 16 |
            static_cast<std::uint32_t>(color.Green) << 8 | color.Blue;
      }
    }
    frames.emplace_back(canvas, control.DelayTime / 100.0);
  }
  return frames;
}

} // namespace sinter::repl::parts
