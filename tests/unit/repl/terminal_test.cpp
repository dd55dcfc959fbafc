#include "repl/editor/terminal.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <thread>
#include <unistd.h>

using sinter::repl::Terminal;

namespace {

/// A terminal whose keys a test presses.
class Keyboard {
public:
  Keyboard() : keys_(posix_openpt(O_RDWR | O_NOCTTY)) {
    REQUIRE(grantpt(keys_) == 0);
    REQUIRE(unlockpt(keys_) == 0);
    terminal_ = open(ptsname(keys_), O_RDWR | O_NOCTTY);
    REQUIRE(terminal_ >= 0);
  }
  ~Keyboard() {
    close(terminal_);
    close(keys_);
  }
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;

  void press(const std::string& keys) const {
    REQUIRE(write(keys_, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size()));
  }
  /// Waits until the terminal is sent a question.
  void answer(const std::string& question, const std::string& answer) const {
    std::string sent;
    char block[64];
    while (sent.find(question) == std::string::npos) {
      const ssize_t count = read(keys_, block, sizeof block);
      if (count <= 0) return;
      sent.append(block, static_cast<std::size_t>(count));
    }
    press(answer);
  }
  int terminal() const { return terminal_; }

private:
  int keys_;
  int terminal_ = -1;
};

constexpr std::chrono::seconds patience{30};

cc_t end_of_file_key(int terminal) {
  termios modes{};
  REQUIRE(tcgetattr(terminal, &modes) == 0);
  return modes.c_cc[VEOF];
}

} // namespace

TEST_CASE("keys typed ahead arrive, Ctrl-D among them") {
  const Keyboard keyboard;
  Terminal terminal(keyboard.terminal(), keyboard.terminal());
  keyboard.press("1\n\x04");
  const Terminal::Raw raw(terminal);
  std::string bytes;
  while (bytes.size() < 3 && terminal.wait(bytes, patience) == Terminal::Event::Input) {
  }
  CHECK(bytes == "1\n\x04");
}

TEST_CASE("other programs find Ctrl-D as the end of a file") {
  const Keyboard keyboard;
  const cc_t usual = end_of_file_key(keyboard.terminal());
  {
    const Terminal terminal(keyboard.terminal(), keyboard.terminal());
    CHECK(end_of_file_key(keyboard.terminal()) != usual);
    {
      const Terminal::ForOthers modes(keyboard.terminal());
      CHECK(end_of_file_key(keyboard.terminal()) == usual);
    }
    CHECK(end_of_file_key(keyboard.terminal()) != usual);
  }
  CHECK(end_of_file_key(keyboard.terminal()) == usual);
}

TEST_CASE("a new size is told though another thread takes the signal") {
  const Keyboard keyboard;
  Terminal terminal(keyboard.terminal(), keyboard.terminal());
  std::atomic<bool> is_over{false};
  std::thread other([&] {
    while (!is_over)
      std::this_thread::yield();
  });
  {
    const Terminal::Raw raw(terminal);
    kill(getpid(), SIGWINCH); // the other one's, as this thread does not wait
    std::string bytes;
    CHECK(terminal.wait(bytes, patience) == Terminal::Event::Resized);
  }
  is_over = true;
  other.join();
}

TEST_CASE("a terminal tells what it is") {
  using sinter::repl::parsed_device_attributes;
  CHECK(parsed_device_attributes("\x1b[?62;4;22c") == std::vector<int>{62, 4, 22});
  CHECK(parsed_device_attributes("\x1b[?6c") == std::vector<int>{6});
  CHECK_FALSE(parsed_device_attributes("\x1b[?62;4"));
  CHECK_FALSE(parsed_device_attributes("\x1b[?62~"));
  CHECK_FALSE(parsed_device_attributes("c"));
  CHECK(parsed_device_attributes("\x1b[?99999999999999c").has_value());
}

TEST_CASE("a terminal is asked what it is, and what is typed is not lost") {
  const Keyboard keyboard;
  setenv("TERM", "xterm", 1);
  const int terminal = keyboard.terminal();
  std::thread answering([&] { keyboard.answer("\x1b[c", "\x1b[?63;4c"); });
  CHECK(sinter::repl::device_attributes(terminal, terminal, patience) == std::vector<int>{63, 4});
  answering.join();
  keyboard.press("1 + 1\n");
  CHECK_FALSE(sinter::repl::device_attributes(terminal, terminal, patience).has_value());
  char line[16];
  CHECK(read(terminal, line, sizeof line) == 6);
}
