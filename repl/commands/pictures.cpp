// Commands that make values visible and audible.
#include "repl/commands/command.h"
#include "repl/data/data.h"
#include "repl/pictures/codecs.h"
#include "repl/pictures/media.h"
#include "repl/session/interrupt_key.h"
#include "repl/text/arguments.h"

namespace sinter::repl {

namespace {

/// The value that a command is about; nothing, and an error, if there is none.
std::optional<Outcome> value_of(Console& console, const std::string& expression) {
  Outcome outcome = console.evaluate(expression);
  if (outcome.kind == Outcome::Kind::Value) {
    if (!outcome.messages.empty()) console.presenter().message(outcome.messages);
    return outcome;
  }
  console.show(outcome);
  if (outcome.kind == Outcome::Kind::Incomplete) console.fail("the expression ends too early");
  if (outcome.kind == Outcome::Kind::Done) console.fail("there is no value to show");
  return std::nullopt;
}

/// Makes something of a value; a failure is shown.
template <typename Make>
void present(Console& console, const std::string& file, Make&& make) {
  InterruptKey key(console.session().interrupt());
  try {
    Outcome outcome = console.session().guarded([&] {
      std::shared_ptr<ProgressLine> progress = console.busy("drawing");
      Media media = make();
      progress.reset();
      if (file.empty()) {
        if (media.mime_type == "text/plain")
          console.presenter().text(media.bytes);
        else
          console.presenter().media(media);
      } else {
        write_file_bytes(file, media.bytes);
        console.presenter().text("wrote " + media.description + ", to " + file + "\n");
      }
      return Value();
    });
    if (!outcome.ok()) console.show(outcome);
  } catch (const FormatError& error) {
    console.fail(error.message);
  }
}

void show(Console& console, const std::string& argument) {
  std::optional<Outcome> outcome = value_of(console, argument);
  if (!outcome) return;
  constexpr std::size_t most = 4'000'000;
  if (scalar_count(outcome->value) > most)
    return console.fail("a value of " + std::to_string(scalar_count(outcome->value)) +
                        " numbers is too long to be shown whole; `:write` makes a file of it");
  DisplayOptions everything = DisplayOptions::everything(SIZE_MAX / 2);
  everything.width =
      outcome->representation->is_array() && outcome->representation->array().rank == 1
          ? console.options().display.width
          : everything.width;
  console.presenter().pages(display_result(outcome->type_text, outcome->value,
                                           outcome->representation, everything, outcome->order) +
                            "\n");
}

/// Options that a command shares with the others: where the result goes.
struct Target {
  std::string file;
  bool take(const std::string& option, Arguments& arguments) {
    if (option != "o" && option != "output") return false;
    file = arguments.word();
    return true;
  }
  void take_rest(Arguments& arguments) {
    if (!file.empty()) return;
    if (std::optional<std::string> trailing = arguments.trailing_file()) file = *trailing;
  }
};

void unknown_option(Console& console, std::string_view command, const std::string& option) {
  console.fail("`:" + std::string(command) + "` has no option `" +
               (option.size() > 1 ? "--" : "-") + option +
               "` of that form; `:help` lists the commands");
}

void image(Console& console, const std::string& argument) {
  Arguments arguments(argument);
  Target target;
  while (std::optional<std::string> option = arguments.option())
    if (!target.take(*option, arguments)) return unknown_option(console, "img", *option);
  target.take_rest(arguments);
  std::optional<Outcome> outcome = value_of(console, arguments.rest());
  if (!outcome) return;
  present(console, target.file, [&] {
    return image_media(outcome->value, outcome->representation, ending_of(target.file));
  });
}

bool take_plot_option(const std::string& option, Arguments& arguments, PlotOptions& options) {
  if (option == "log") {
    std::string axes = arguments.word();
    if (axes != "x" && axes != "y" && axes != "xy") return false;
    options.log_x = axes.find('x') != std::string::npos;
    options.log_y = axes.find('y') != std::string::npos;
  } else if (option == "lines") {
    options.kind = PlotOptions::Kind::Lines;
  } else if (option == "points") {
    options.kind = PlotOptions::Kind::Points;
  } else if (option == "histogram") {
    options.kind = PlotOptions::Kind::Histogram;
  } else if (option == "heat") {
    options.kind = PlotOptions::Kind::Heat;
  } else if (option == "title") {
    options.title = arguments.word();
  } else if (option == "xlabel") {
    options.x_label = arguments.word();
  } else if (option == "ylabel") {
    options.y_label = arguments.word();
  } else if (option == "legend") {
    options.legend = names_in_list(arguments.word());
  } else if (option == "bins") {
    std::optional<double> bins = arguments.number();
    if (!bins || !(*bins >= 1 && *bins <= 10'000)) return false;
    options.bins = static_cast<int>(*bins);
    options.kind = PlotOptions::Kind::Histogram;
  } else if (option == "size") {
    std::string size = arguments.word();
    std::size_t by = size.find('x');
    if (by == std::string::npos) return false;
    std::optional<double> width = Arguments(size.substr(0, by)).number();
    std::optional<double> height = Arguments(size.substr(by + 1)).number();
    auto good = [](std::optional<double> side) { return side && *side >= 50 && *side <= 10'000; };
    if (!good(width) || !good(height)) return false;
    options.width = static_cast<int>(*width);
    options.height = static_cast<int>(*height);
  } else
    return false;
  return true;
}

void plot_value(Console& console, const std::string& argument) {
  Arguments arguments(argument);
  Target target;
  PlotOptions options;
  while (std::optional<std::string> option = arguments.option())
    if (!target.take(*option, arguments) && !take_plot_option(*option, arguments, options))
      return unknown_option(console, "plot", *option);
  target.take_rest(arguments);
  std::optional<Outcome> outcome = value_of(console, arguments.rest());
  if (!outcome) return;
  present(console, target.file, [&] {
    Drawing drawing = Drawing::Png;
    if (target.file.empty()) {
      DrawingForm form = console.presenter().drawing_form();
      drawing = form.drawing;
      options.columns = form.columns;
      options.rows = form.rows;
      options.color = form.color;
    } else
      drawing = drawing_of(ending_of(target.file));
    options.order = outcome->order;
    return plot_media(outcome->value, outcome->representation, options, drawing);
  });
}

void video(Console& console, const std::string& argument) {
  Arguments arguments(argument);
  Target target;
  FilmOptions options;
  while (std::optional<std::string> option = arguments.option()) {
    if (target.take(*option, arguments)) continue;
    if (*option == "once") {
      options.repeat = false;
    } else if (std::optional<double> rate = *option == "fps" ? arguments.number() : std::nullopt;
               rate && *rate > 0) {
      options.frames_per_second = *rate;
    } else
      return unknown_option(console, "video", *option);
  }
  target.take_rest(arguments);
  std::optional<Outcome> outcome = value_of(console, arguments.rest());
  if (!outcome) return;
  present(console, target.file, [&] {
    Session& session = console.session();
    return video_media(outcome->value, outcome->representation, options, ending_of(target.file),
                       session.evaluator(), session.representations());
  });
}

void audio(Console& console, const std::string& argument) {
  Arguments arguments(argument);
  Target target;
  int rate = Sound().rate;
  while (std::optional<std::string> option = arguments.option()) {
    if (target.take(*option, arguments)) continue;
    std::optional<double> number = *option == "rate" ? arguments.number() : std::nullopt;
    if (!number || !(*number >= 1 && *number <= 1e6))
      return unknown_option(console, "audio", *option);
    rate = static_cast<int>(*number);
  }
  target.take_rest(arguments);
  std::optional<Outcome> outcome = value_of(console, arguments.rest());
  if (!outcome) return;
  present(console, target.file, [&] {
    return sound_media(outcome->value, outcome->representation, rate, ending_of(target.file));
  });
}

constexpr Command table[] = {
    {"show", "EXPRESSION", "show a value whole, in a pager", Completes::Names, show},
    {"img", "[-o FILE.png] EXPRESSION",
     "show an image: [h][w]u32 (0xAARRGGBB), u8, f32, f64 or bool, [h][w][3]u8", Completes::Names,
     image},
    {"plot", "[OPTIONS] EXPRESSION",
     "plot numbers (--points --histogram --heat --log x|y|xy --bins N --title T --xlabel T "
     "--ylabel T --legend a,b --size WxH -o FILE)",
     Completes::Names, plot_value},
    {"video", "[--fps N] [-o FILE.gif] EXPRESSION",
     "play images [n][h][w]t, or (state -> (image, state), state, n)", Completes::Names, video},
    {"audio", "[--rate N] [-o FILE.wav] EXPRESSION", "make a sound of [n]t or [channels][n]t",
     Completes::Names, audio},
};

} // namespace

std::span<const Command> picture_commands() {
  return table;
}

} // namespace sinter::repl
