// The parts of the library of codecs, one for each library that it stands on.
#pragma once

#include "repl/pictures/codecs.h"

namespace sinter::repl::parts {

std::string write_png(const Image& image);
Image read_png(std::string_view bytes);
std::string write_gif(const std::function<std::optional<Image>()>& next,
                      const FilmOptions& options);
std::vector<std::pair<Image, double>> read_gif(std::string_view bytes);
std::string write_sound(const Sound& sound, std::string_view format);
Sound read_sound(std::string_view bytes);
DrawnPicture draw(const Image& image, const TerminalRoom& room);
bool draws_pixels(const TerminalRoom& room);
std::vector<ArchiveMember> read_archive(std::string_view bytes, std::size_t max_bytes,
                                        std::span<const std::size_t> known);
std::string write_archive(std::span<const ArchiveMember> members);
std::string html_of_markdown(std::string_view text);

} // namespace sinter::repl::parts
