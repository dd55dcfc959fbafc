// Values as encoded media, ready to be shown or kept: what commands and directives share.
#pragma once

#include "repl/pictures/codecs.h"
#include "repl/pictures/plot.h"
#include "repl/pictures/video.h"

#include <string>
#include <string_view>

namespace sinter::repl {

/// Something to look at or to listen to, encoded.
struct Media {
  std::string mime_type; ///< "image/png", "image/svg+xml", "image/gif", "audio/wav", "text/plain"
  std::string bytes;
  std::string description; ///< for those who can't see it: "image, 200 x 300 pixels"
  std::string file = {};   ///< how its file wants to be called; may be empty
};

// Each takes a file name's ending ("png") that decides on the encoding; empty: the usual one.  All
// throw FormatError for values and endings that they cannot serve.

/// PNG, or GIF.
Media image_media(const Value& value, const Representation* type, std::string_view ending = "");
Media plot_media(const Value& value, const Representation* type, const PlotOptions& options,
                 Drawing drawing);
/// The form that an ending stands for: png, svg or txt.
Drawing drawing_of(std::string_view ending);
/// GIF.
Media video_media(const Value& value, const Representation* type, const FilmOptions& options,
                  std::string_view ending, Evaluator& evaluator, Representations& representations);
/// WAV, FLAC or Ogg Vorbis.
Media sound_media(const Value& value, const Representation* type, int rate,
                  std::string_view ending = "");

} // namespace sinter::repl
