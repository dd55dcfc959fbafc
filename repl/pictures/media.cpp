#include "repl/pictures/media.h"

#include <cstdio>

namespace sinter::repl {

namespace {

std::string by(std::int64_t width, std::int64_t height) {
  return std::to_string(width) + " x " + std::to_string(height);
}

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

[[noreturn]] void refuse(const std::string& what, std::string_view ending,
                         const std::string& endings) {
  throw FormatError(what + " cannot be written as `" + std::string(ending) +
                    "`; the file's name must end with " + endings);
}

} // namespace

Media image_media(const Value& value, const Representation* type, std::string_view ending) {
  Image image = image_of(value, type);
  std::string description = "image, " + by(image.width, image.height) + " pixels";
  if (ending.empty() || ending == "png")
    return {"image/png", codecs().write_png(image), description};
  if (ending != "gif") refuse("an image", ending, "png or gif");
  bool given = false;
  auto once = [&]() -> std::optional<Image> {
    return std::exchange(given, true) ? std::nullopt : std::optional(std::move(image));
  };
  return {"image/gif", codecs().write_gif(once, {}), description};
}

Drawing drawing_of(std::string_view ending) {
  if (ending == "png") return Drawing::Png;
  if (ending == "svg") return Drawing::Svg;
  if (ending == "txt") return Drawing::Text;
  refuse("a plot", ending, "png, svg or txt");
}

Media plot_media(const Value& value, const Representation* type, const PlotOptions& options,
                 Drawing drawing) {
  std::string bytes = plot(value, type, options, drawing);
  if (drawing == Drawing::Text)
    return {"text/plain", std::move(bytes),
            "plot, " + by(options.columns, options.rows) + " characters"};
  return {drawing == Drawing::Svg ? "image/svg+xml" : "image/png", std::move(bytes),
          "plot, " + by(options.width, options.height) + " pixels"};
}

Media video_media(const Value& value, const Representation* type, const FilmOptions& options,
                  std::string_view ending, Evaluator& evaluator, Representations& representations) {
  if (!ending.empty() && ending != "gif") refuse("a video", ending, "gif");
  auto next = frames_of(value, type, evaluator, representations);
  std::size_t count = 0;
  std::string size;
  std::string bytes = codecs().write_gif(
      [&] {
        std::optional<Image> frame = next();
        if (frame && count++ == 0) size = by(frame->width, frame->height);
        return frame;
      },
      options);
  return {"image/gif", std::move(bytes),
          "video, " + counted(count, "frame") + " of " + size + " pixels"};
}

Media sound_media(const Value& value, const Representation* type, int rate,
                  std::string_view ending) {
  Sound sound = sound_of(value, type, rate);
  if (ending.empty()) ending = "wav";
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.2f s", sound.seconds());
  std::string description = "sound, " + std::string(seconds) + " at " + std::to_string(rate) +
                            " Hz, " + counted(static_cast<std::size_t>(sound.channels), "channel");
  return {"audio/" + std::string(ending), codecs().write_sound(sound, ending), description};
}

} // namespace sinter::repl
