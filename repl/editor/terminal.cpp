#include "repl/editor/terminal.h"

#include <cerrno>
#include <cstdlib>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace sinter::repl {

namespace {

constexpr std::string_view mark_pastes = "\x1b[?2004h";
constexpr std::string_view do_not_mark_pastes = "\x1b[?2004l";

void set_modes(int descriptor, const termios& modes) {
  while (tcsetattr(descriptor, TCSADRAIN, &modes) != 0 && errno == EINTR) {
  }
}

} // namespace

bool Terminal::is_capable(int in, int out) {
  if (!isatty(in) || !isatty(out)) return false;
  const char* type = std::getenv("TERM");
  return type && *type && std::string_view(type) != "dumb";
}

Terminal::Terminal(int in, int out) : in_(in), out_(out) {
  tcgetattr(in_, &found_);
  usual_ = found_;
#ifdef ECHOCTL
  usual_.c_lflag &= ~static_cast<tcflag_t>(ECHOCTL); // no `^C` amid the output
#endif
  raw_ = found_;
  raw_.c_iflag &= ~static_cast<tcflag_t>(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON);
  raw_.c_oflag &= ~static_cast<tcflag_t>(OPOST);
  raw_.c_cflag |= CS8;
  raw_.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | IEXTEN | ISIG);
  raw_.c_cc[VMIN] = 1;
  raw_.c_cc[VTIME] = 0;
  set_modes(in_, usual_);
}

Terminal::~Terminal() {
  set_modes(in_, found_);
}

Terminal::Size Terminal::size() const {
  Size size;
  winsize told{};
  if (ioctl(out_, TIOCGWINSZ, &told) == 0) {
    if (told.ws_row > 0) size.rows = told.ws_row;
    if (told.ws_col > 0) size.columns = told.ws_col;
  }
  return size;
}

void Terminal::enter_raw_mode() {
  // Blocked but while `wait` waits: no change of size goes unseen.
  sigset_t watched;
  sigemptyset(&watched);
  sigaddset(&watched, SIGWINCH);
  sigaddset(&watched, SIGINT);
  pthread_sigmask(SIG_BLOCK, &watched, &signals_before_);
  struct sigaction action {};
  action.sa_handler = [](int) {}; // its use is that it ends a wait
  sigemptyset(&action.sa_mask);
  sigaction(SIGWINCH, &action, &before_);
  set_modes(in_, raw_);
  write(mark_pastes);
}

void Terminal::leave_raw_mode() {
  write(do_not_mark_pastes);
  set_modes(in_, usual_);
  sigaction(SIGWINCH, &before_, nullptr);
  pthread_sigmask(SIG_SETMASK, &signals_before_, nullptr);
}

Terminal::Event Terminal::wait(std::string& bytes, std::optional<std::chrono::milliseconds> limit) {
  pollfd watched{in_, POLLIN, 0};
  timespec time{};
  if (limit) {
    time.tv_sec = limit->count() / 1000;
    time.tv_nsec = limit->count() % 1000 * 1000000;
  }
  sigset_t open = signals_before_;
  sigdelset(&open, SIGWINCH);
  sigdelset(&open, SIGINT);
  int ready = ppoll(&watched, 1, limit ? &time : nullptr, &open);
  if (ready < 0) return errno == EINTR ? Event::Signal : Event::End;
  if (ready == 0) return Event::TimedOut;
  char block[4096];
  ssize_t count = read(in_, block, sizeof block);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return Event::Signal;
  if (count <= 0) return Event::End;
  bytes.append(block, static_cast<std::size_t>(count));
  return Event::Input;
}

bool Terminal::has_input() const {
  pollfd watched{in_, POLLIN, 0};
  return poll(&watched, 1, 0) > 0 && (watched.revents & POLLIN);
}

void Terminal::write(std::string_view text) {
  while (!text.empty()) {
    ssize_t count = ::write(out_, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) {
      pollfd watched{out_, POLLOUT, 0};
      poll(&watched, 1, -1);
      continue;
    }
    if (count <= 0) return; // the terminal is gone; reading will tell
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

void Terminal::suspend() {
  leave_raw_mode();
  set_modes(in_, found_);
  raise(SIGTSTP);
  tcgetattr(in_, &found_); // another program may have changed them meanwhile
  set_modes(in_, usual_);
  enter_raw_mode();
}

} // namespace sinter::repl
