#include "repl/terminal_presenter.h"

#include "repl/pictures/codecs.h"
#include "repl/wrapping.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

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
};

ScreenSize screen_size() {
  winsize size{};
  ScreenSize screen;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return screen;
  constexpr int least_columns = 40, least_rows = 10; // less of them is taken as a mistake
  if (size.ws_col >= least_columns) screen.columns = size.ws_col;
  if (size.ws_row >= least_rows) screen.rows = size.ws_row;
  return screen;
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

DrawingForm TerminalPresenter::drawing_form() const {
  ScreenSize screen = screen_size();
  DrawingForm form{Drawing::Text, screen.columns, std::clamp(screen.rows - 2, 8, 40), color_};
  if (codecs().draws_pixels()) form.drawing = Drawing::Png;
  return form;
}

void TerminalPresenter::media(const Media& media) {
  try {
    ScreenSize screen = screen_size();
    if (media.mime_type == "image/png")
      out_ << codecs().draw(codecs().read_png(media.bytes),
                            {screen.columns, screen.rows - 2, color_});
    if (media.mime_type == "image/gif") play(media);
  } catch (const FormatError& error) {
    message("error: " + error.message + "\n");
  }
  StreamPresenter::media(media);
}

void TerminalPresenter::play(const Media& media) {
  ScreenSize screen = screen_size();
  struct sigaction stop {
  }, before{};
  stop.sa_handler = [](int) { stopped = 1; };
  stopped = 0;
  sigaction(SIGINT, &stop, &before);
  std::size_t lines = 0;
  for (const auto& [image, seconds] : codecs().read_gif(media.bytes)) {
    std::string text = codecs().draw(image, {screen.columns, screen.rows - 2, color_});
    // Back to where the last frame began.
    if (lines > 0) out_ << "\r\033[" << lines << "A";
    out_ << text << std::flush;
    lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    if (stopped) break;
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
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
