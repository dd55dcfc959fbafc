#include "src/standard_output.h"

#include "lang/base/interruptible.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <streambuf>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace sinter {

/// A stream's characters on their way to a file descriptor.
class StandardOutput::Buffer final : public std::streambuf {
public:
  Buffer() { empty(); }

  /// What std::cout had before.
  std::streambuf* former = nullptr;

  /// Throws what has failed, for those who were not told: a stream that is written before another
  /// one is read keeps its errors to itself.
  void check() const {
    if (error_ != 0)
      throw OutputError{std::string("cannot write to standard output: ") + std::strerror(error_)};
  }

  /// Does something with the buffer that may be stopped while it waits for the reader.
  template <typename Action>
  void stoppable(Action&& action) {
    struct Scope {
      bool& flag;
      ~Scope() { flag = false; }
    };
    is_stoppable_ = true;
    const Scope scope{is_stoppable_};
    action();
  }

protected:
  int_type overflow(int_type character) override {
    write({pbase(), static_cast<std::size_t>(pptr() - pbase())});
    empty();
    if (!traits_type::eq_int_type(character, traits_type::eof()))
      sputc(traits_type::to_char_type(character));
    return traits_type::not_eof(character);
  }

  std::streamsize xsputn(const char* text, std::streamsize count) override {
    const std::string_view all(text, static_cast<std::size_t>(count));
    if (count <= epptr() - pptr()) {
      std::memcpy(pptr(), text, all.size());
      pbump(static_cast<int>(count));
    } else {
      sync();
      write(all);
    }
    if (is_terminal_ && all.find('\n') != std::string_view::npos) sync();
    return count;
  }

  int sync() override {
    overflow(traits_type::eof());
    return 0;
  }

private:
  void empty() { setp(characters_.data(), characters_.data() + characters_.size()); }

  void write(std::string_view text) {
    check();
    while (!text.empty()) {
      if (is_stoppable_ && Interruptible::is_due()) {
        empty();
        poll_interruption();
      }
      const ssize_t count = ::write(STDOUT_FILENO, text.data(), text.size());
      if (count >= 0) {
        text.remove_prefix(static_cast<std::size_t>(count));
      } else if (errno == EAGAIN) { // another process has told the pipe not to block
        pollfd watched{STDOUT_FILENO, POLLOUT, 0};
        poll(&watched, 1, -1); // (a signal ends it)
      } else if (errno != EINTR) {
        error_ = errno;
        empty();
        // Others that are read or written must not wait for this one any more.
        std::cin.tie(nullptr);
        std::cerr.tie(nullptr);
        check();
      }
    }
  }

  std::array<char, 1 << 16> characters_;
  bool is_terminal_ = isatty(STDOUT_FILENO) != 0;
  bool is_stoppable_ = false;
  int error_ = 0;
};

StandardOutput::StandardOutput() : buffer_(std::make_unique<Buffer>()) {
  buffer_->former = std::cout.rdbuf(buffer_.get());
  std::cout.exceptions(std::ios::badbit); // else the stream keeps what the buffer throws
}

StandardOutput::~StandardOutput() {
  try {
    finish();
  } catch (const OutputError&) {
    // Whoever needs to know has called `finish`.
  }
  std::cout.exceptions(std::ios::goodbit);
  std::cout.rdbuf(buffer_->former);
}

void StandardOutput::finish() {
  buffer_->check();
  std::cout.flush();
}

void StandardSink::write(std::string_view bytes) {
  const auto count = static_cast<std::streamsize>(bytes.size());
  // (Through the buffer itself: std::cout would take no more once something was thrown.)
  if (auto* const buffer = dynamic_cast<StandardOutput::Buffer*>(std::cout.rdbuf()))
    buffer->stoppable([&] { buffer->sputn(bytes.data(), count); });
  else
    std::cout.write(bytes.data(), count);
}

void StandardSink::flush() {
  if (auto* const buffer = dynamic_cast<StandardOutput::Buffer*>(std::cout.rdbuf()))
    buffer->stoppable([&] { buffer->pubsync(); });
  else
    std::cout.flush();
}

void occupy_standard_descriptors() {
  for (int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(number, F_GETFD) < 0 && errno == EBADF) // the smallest that is free
      (void)!open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

} // namespace sinter
