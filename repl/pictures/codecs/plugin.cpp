// The door of the library.
#include "repl/pictures/codecs/parts.h"

namespace sinter::repl {

namespace {

class AllCodecs final : public Codecs {
public:
  std::string write_png(const Image& image) const override { return parts::write_png(image); }
  Image read_png(std::string_view bytes) const override { return parts::read_png(bytes); }
  std::string write_gif(const std::function<std::optional<Image>()>& next,
                        const FilmOptions& options) const override {
    return parts::write_gif(next, options);
  }
  std::vector<std::pair<Image, double>> read_gif(std::string_view bytes) const override {
    return parts::read_gif(bytes);
  }
  std::string write_sound(const Sound& sound, std::string_view format) const override {
    return parts::write_sound(sound, format);
  }
  Sound read_sound(std::string_view bytes) const override { return parts::read_sound(bytes); }
  DrawnPicture draw(const Image& image, const TerminalRoom& room) const override {
    return parts::draw(image, room);
  }
  bool draws_pixels(const TerminalRoom& room) const override { return parts::draws_pixels(room); }
  std::vector<ArchiveMember> read_archive(std::string_view bytes, std::size_t max_bytes,
                                          std::span<const std::size_t> known) const override {
    return parts::read_archive(bytes, max_bytes, known);
  }
  std::string write_archive(std::span<const ArchiveMember> members) const override {
    return parts::write_archive(members);
  }
  std::string html_of_markdown(std::string_view text) const override {
    return parts::html_of_markdown(text);
  }
};

} // namespace

} // namespace sinter::repl

extern "C" const sinter::repl::Codecs* sinter_open_codecs() {
  static const sinter::repl::AllCodecs codecs;
  return &codecs;
}
