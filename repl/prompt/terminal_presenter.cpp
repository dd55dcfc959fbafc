#include "repl/prompt/terminal_presenter.h"

#include "repl/editor/terminal.h"
#include "repl/pictures/codecs.h"
#include "repl/text/wrapping.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace sinter::repl {

namespace {

struct ScreenSize {
  int columns = 80;
  int rows = 24;
  /// Pixels of a character's cell; 0 where the terminal does not tell.
  int cell_width = 0;
  int cell_height = 0;
};

ScreenSize screen_size() {
  winsize size{};
  ScreenSize screen;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return screen;
  constexpr int least_columns = 40, least_rows = 10; // less of them is taken as a mistake
  if (size.ws_col >= least_columns) screen.columns = size.ws_col;
  if (size.ws_row >= least_rows) screen.rows = size.ws_row;
  if (size.ws_col > 0 && size.ws_row > 0) {
    screen.cell_width = size.ws_xpixel / size.ws_col;
    screen.cell_height = size.ws_ypixel / size.ws_row;
  }
  return screen;
}

/// For a picture, with a row for what is said of it and one for the next prompt.
TerminalRoom room_for_picture(bool color, bool has_sixels) {
  const ScreenSize screen = screen_size();
  TerminalRoom room{screen.columns, screen.rows - 2, color};
  room.has_sixels = has_sixels;
  constexpr int least = 2, most = 200; // other sizes are taken as mistakes
  if (std::clamp(screen.cell_width, least, most) == screen.cell_width &&
      std::clamp(screen.cell_height, least, most) == screen.cell_height) {
    room.cell_width = screen.cell_width;
    room.cell_height = screen.cell_height;
  }
  return room;
}

/// While it lives, signals that a pager's early end or its keys cause do not reach the program.
class Ignored {
public:
  explicit Ignored(int signal) : signal_(signal) {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigaction(signal, &ignore, &before_);
  }
  ~Ignored() { sigaction(signal_, &before_, nullptr); }
  Ignored(const Ignored&) = delete;
  Ignored& operator=(const Ignored&) = delete;

private:
  int signal_;
  struct sigaction before_ {};
};

/// Feeds a text to a shell command; false if it could not be run.
bool feed(const std::string& command, std::string_view text) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGINT);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  std::string shell = "sh", option = "-c", words = command;
  char* arguments[] = {shell.data(), option.data(), words.data(), nullptr};
  Ignored no_pipe(SIGPIPE), no_interrupt(SIGINT);
  pid_t child = 0;
  int error = posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  while (error == 0 && !text.empty()) {
    ssize_t count = write(ends[1], text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break; // the pager was left
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  close(ends[1]);
  if (error != 0) return false;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  constexpr int not_found = 127;
  return !(WIFEXITED(status) && WEXITSTATUS(status) == not_found);
}

/// Set by Ctrl-C while an animation is played.
volatile std::sig_atomic_t stopped = 0;

/// A frame may stay for minutes: Ctrl-C is looked for often enough not to be felt as late.
void wait_unless_stopped(std::chrono::duration<double> time) {
  using std::chrono::steady_clock;
  constexpr std::chrono::duration<double> look{0.03};
  const auto begin = steady_clock::now();
  for (auto passed = time - time; !stopped && passed < time; passed = steady_clock::now() - begin)
    std::this_thread::sleep_for(std::min(look, time - passed));
}

} // namespace

std::unique_ptr<Presenter> make_terminal_presenter(std::ostream& out, std::ostream& err,
                                                   bool color) {
  return std::make_unique<TerminalPresenter>(out, err, color);
}

std::unique_ptr<Presenter> presenter_for_output(std::ostream& out, std::ostream& err) {
  if (!isatty(STDOUT_FILENO)) return std::make_unique<StreamPresenter>(out, err);
  const char* no_color = std::getenv("NO_COLOR");
  return std::make_unique<TerminalPresenter>(out, err, !no_color || !*no_color);
}

DisplayOptions for_terminal(DisplayOptions options) {
  ScreenSize screen = screen_size();
  if (!options.width_is_fixed) options.width = static_cast<std::size_t>(screen.columns);
  // The input, the type and the next prompt stay on the screen with the value.
  if (!options.max_rows_is_fixed)
    options.max_rows = static_cast<std::size_t>(std::max(screen.rows - 5, 6));
  if (!options.max_elements_is_fixed)
    options.max_elements = std::max<std::size_t>(options.width / 2, 40);
  return options;
}

void TerminalPresenter::value(const Outcome& outcome, const DisplayOptions& options) {
  if (color_)
    ColorPresenter::value(outcome, for_terminal(options));
  else
    StreamPresenter::value(outcome, for_terminal(options));
}

void TerminalPresenter::message(std::string_view text) {
  const auto columns = static_cast<std::size_t>(screen_size().columns);
  StreamPresenter::message(wrapped_message(text, columns));
}

TerminalRoom TerminalPresenter::room() const {
  if (!has_sixels_) {
    constexpr std::chrono::milliseconds patience{300}; // over slow connections too
    constexpr int sixels = 4;
    if (const auto told = device_attributes(STDIN_FILENO, STDOUT_FILENO, patience))
      has_sixels_ = std::ranges::find(*told, sixels) != told->end();
  }
  return room_for_picture(color_, has_sixels_.value_or(false));
}

DrawingForm TerminalPresenter::drawing_form() const {
  ScreenSize screen = screen_size();
  DrawingForm form{Drawing::Text, screen.columns, std::clamp(screen.rows - 2, 8, 40), color_};
  if (codecs().draws_pixels(room())) form.drawing = Drawing::Png;
  return form;
}

void TerminalPresenter::media(const Media& media) {
  try {
    if (media.mime_type == "image/png")
      out_ << codecs().draw(codecs().read_png(media.bytes), room()).text;
    if (media.mime_type == "image/gif") play(media);
  } catch (const FormatError& error) {
    message("error: " + error.message + "\n");
  }
  StreamPresenter::media(media);
}

void TerminalPresenter::play(const Media& media) {
  const TerminalRoom place = room();
  struct sigaction stop {
  }, before{};
  stop.sa_handler = [](int) { stopped = 1; };
  stopped = 0;
  sigaction(SIGINT, &stop, &before);
  bool is_first = true;
  for (const auto& [image, seconds] : codecs().read_gif(media.bytes)) {
    const DrawnPicture frame = codecs().draw(image, place);
    // Each frame begins where the first one did: there the cursor is saved, after the screen has
    // scrolled as far as it has to.  (How far a picture of pixels moves the cursor is not told.)
    if (std::exchange(is_first, false))
      out_ << std::string(static_cast<std::size_t>(frame.rows) + 1, '\n') << "\r\033["
           << frame.rows + 1 << "A\0337";
    else
      out_ << "\0338";
    out_ << frame.text << std::flush;
    wait_unless_stopped(std::chrono::duration<double>(seconds));
    if (stopped) break;
  }
  sigaction(SIGINT, &before, nullptr);
}

void TerminalPresenter::pages(std::string_view text) {
  ScreenSize screen = screen_size();
  if (std::count(text.begin(), text.end(), '\n') < screen.rows - 1) return this->text(text);
  const char* chosen = std::getenv("PAGER");
  if (chosen && *chosen && feed(chosen, text)) return;
  if (!feed("less -RS", text)) this->text(text);
}

} // namespace sinter::repl
