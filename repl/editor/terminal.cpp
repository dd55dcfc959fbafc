#include "repl/editor/terminal.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace sinter::repl {

namespace {

constexpr std::string_view mark_pastes = "\x1b[?2004h";
constexpr std::string_view do_not_mark_pastes = "\x1b[?2004l";

// A signal handler has no other way to its data than globals: the thread that waits for keys, and
// whether its wait was ended.
std::atomic<pthread_t> reader{};
std::atomic<bool> is_resized{false};

/// The system may have picked any thread, as the reader takes signals only while it waits: then it
/// is the reader's next wait that ends.
void on_new_size(int signal) {
  const pthread_t waiting = reader.load(std::memory_order_relaxed);
  if (pthread_equal(pthread_self(), waiting))
    is_resized.store(true, std::memory_order_relaxed);
  else
    pthread_kill(waiting, signal);
}

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
  // A Ctrl-D that is typed ahead is a key like others: as the end of a file it would be lost.
  usual_.c_cc[VEOF] = _POSIX_VDISABLE;
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

Terminal::ForOthers::ForOthers(int in) : in_(in) {
  has_modes_ = tcgetattr(in_, &before_) == 0;
  if (!has_modes_) return;
  termios modes = before_;
  constexpr cc_t ctrl_d = 4;
  if (modes.c_cc[VEOF] == _POSIX_VDISABLE) modes.c_cc[VEOF] = ctrl_d;
  set_modes(in_, modes);
}

Terminal::ForOthers::~ForOthers() {
  if (has_modes_) set_modes(in_, before_);
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
  reader.store(pthread_self(), std::memory_order_relaxed);
  sigset_t watched;
  sigemptyset(&watched);
  sigaddset(&watched, SIGWINCH);
  sigaddset(&watched, SIGINT);
  pthread_sigmask(SIG_BLOCK, &watched, &signals_before_);
  struct sigaction action {};
  action.sa_handler = on_new_size;
  sigemptyset(&action.sa_mask);
  sigaction(SIGWINCH, &action, &before_);
  set_modes(in_, raw_);
  write(mark_pastes);
}

void Terminal::leave_raw_mode() {
  set_modes(in_, usual_); // first: who sees the mark may rely on it that Ctrl-C interrupts
  write(do_not_mark_pastes);
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
  if (ready < 0 && errno == EINTR)
    return is_resized.exchange(false, std::memory_order_relaxed) ? Event::Resized
                                                                 : Event::Interrupted;
  if (ready < 0) return Event::End;
  if (ready == 0) return Event::TimedOut;
  char block[4096];
  ssize_t count = read(in_, block, sizeof block);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return Event::TimedOut;
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

std::optional<std::vector<int>> parsed_device_attributes(std::string_view text) {
  constexpr std::string_view introducer = "\x1b[?";
  const std::size_t begin = text.find(introducer);
  if (begin == std::string_view::npos) return std::nullopt;
  std::vector<int> numbers{0};
  for (char c : text.substr(begin + introducer.size())) {
    constexpr int most = 10000; // no attribute has such a number
    if (c == 'c') return numbers;
    if (c == ';')
      numbers.push_back(0);
    else if (c >= '0' && c <= '9')
      numbers.back() = std::min(numbers.back() * 10 + (c - '0'), most);
    else
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::vector<int>> device_attributes(int in, int out,
                                                  std::chrono::milliseconds limit) {
  using std::chrono::steady_clock;
  termios before{};
  if (!Terminal::is_capable(in, out) || tcgetattr(in, &before) != 0) return std::vector<int>();
  termios modes = before;
  modes.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON);
  modes.c_cc[VMIN] = 0;
  modes.c_cc[VTIME] = 0;
  set_modes(in, modes); // also a line that is still being typed shows now
  pollfd watched{in, POLLIN, 0};
  constexpr std::string_view question = "\x1b[c";
  std::optional<std::vector<int>> numbers;
  if (poll(&watched, 1, 0) == 0 && write(out, question.data(), question.size()) > 0) {
    std::string answer;
    const auto end = steady_clock::now() + limit;
    for (auto now = steady_clock::now(); !numbers && now < end; now = steady_clock::now()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - now);
      if (poll(&watched, 1, static_cast<int>(left.count())) <= 0) break;
      char block[256];
      const ssize_t count = read(in, block, sizeof block);
      if (count <= 0) break;
      answer.append(block, static_cast<std::size_t>(count));
      numbers = parsed_device_attributes(answer);
    }
    if (!numbers) numbers.emplace();
  }
  set_modes(in, before);
  return numbers;
}

} // namespace sinter::repl
