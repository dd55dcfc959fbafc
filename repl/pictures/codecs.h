// What pictures need of other libraries.  They make a library of their own (`codecs/`), which is
// opened by the first call of `codecs()`.
#pragma once

#include "repl/pictures/image.h"
#include "repl/pictures/sound.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinter::repl {

/// Room for a picture in a terminal, in characters.
struct TerminalRoom {
  int columns = 80;
  int rows = 24;
  bool color = true;
  /// Pixels of a character's cell; where the terminal does not tell, twice as high as wide.
  int cell_width = 8;
  int cell_height = 16;
  bool has_sixels = false; ///< the terminal has told that it shows them
};

/// What a terminal is sent to show a picture.  The rows are those that it fills; the text ends with
/// a line break.
struct DrawnPicture {
  std::string text;
  int rows = 0;
};

struct FilmOptions {
  double frames_per_second = 30;
  bool repeat = true;
};

/// Films of more frames than these are refused.
inline constexpr std::size_t max_frames = 100'000;

/// A file in an archive: its name and its contents.
using ArchiveMember = std::pair<std::string, std::string>;

/// All throw FormatError for what cannot be read or written; what comes in from files is trusted in
/// nothing.
class Codecs {
public:
  virtual ~Codecs() = default;

  virtual std::string write_png(const Image& image) const = 0;
  virtual Image read_png(std::string_view bytes) const = 0;

  /// An animation; `next` gives the frames, all of one size, and nothing after the last one.
  virtual std::string write_gif(const std::function<std::optional<Image>()>& next,
                                const FilmOptions& options) const = 0;
  /// The frames, as they are to be seen, and the seconds that each is to stay.
  virtual std::vector<std::pair<Image, double>> read_gif(std::string_view bytes) const = 0;

  /// `format` is a file name's ending: wav, flac or ogg.
  virtual std::string write_sound(const Sound& sound, std::string_view format) const = 0;
  virtual Sound read_sound(std::string_view bytes) const = 0;

  /// The picture in the sequences that the terminal at hand understands best (found out from the
  /// environment, if the room does not tell): sixels, kitty's protocol, or coloured characters.
  virtual DrawnPicture draw(const Image& image, const TerminalRoom& room) const = 0;
  /// Whether that shows pixels, so that small writing can be read.
  virtual bool draws_pixels(const TerminalRoom& room) const = 0;

  /// Zip archives.  At most `max_bytes` are unpacked.  Of members whose places are in `known`
  /// (ascending) only the names are given.
  virtual std::vector<ArchiveMember> read_archive(std::string_view bytes, std::size_t max_bytes,
                                                  std::span<const std::size_t> known) const = 0;
  std::vector<ArchiveMember> read_archive(std::string_view bytes, std::size_t max_bytes) const {
    return read_archive(bytes, max_bytes, {});
  }
  virtual std::string write_archive(std::span<const ArchiveMember> members) const = 0;

  /// Markdown without its raw HTML as HTML.
  virtual std::string html_of_markdown(std::string_view text) const = 0;
};

/// Throws FormatError if the library cannot be opened.
const Codecs& codecs();

} // namespace sinter::repl
