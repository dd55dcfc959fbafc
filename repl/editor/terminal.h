// A terminal: its modes, its size, bytes in and out.  The only place that knows termios and
// signals.
#pragma once

#include <chrono>
#include <csignal>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <termios.h>
#include <vector>

namespace sinter::repl {

class Terminal {
public:
  /// Both descriptors must be terminals, open for longer than this.
  Terminal(int in, int out);
  /// Leaves the terminal as it was found.
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// Whether escape sequences are understood: there is a terminal at both ends, and not a dumb one.
  static bool is_capable(int in, int out);

  struct Size {
    std::size_t rows = 24;
    std::size_t columns = 80;
    bool operator==(const Size&) const = default;
  };
  Size size() const;

  /// While it lives, keys arrive one by one and unseen, pastes are marked, and a changed size wakes
  /// `wait`.
  class Raw {
  public:
    explicit Raw(Terminal& terminal) : terminal_(terminal) { terminal_.enter_raw_mode(); }
    ~Raw() { terminal_.leave_raw_mode(); }
    Raw(const Raw&) = delete;
    Raw& operator=(const Raw&) = delete;

  private:
    Terminal& terminal_;
  };

  /// While it lives, programs that read from the terminal find the modes that they expect: Ctrl-D
  /// ends what is typed.  Of a descriptor that need not be a terminal.
  class ForOthers {
  public:
    explicit ForOthers(int in);
    ~ForOthers();
    ForOthers(const ForOthers&) = delete;
    ForOthers& operator=(const ForOthers&) = delete;

  private:
    int in_;
    bool has_modes_ = false;
    termios before_{};
  };

  enum class Event { Input, TimedOut, Resized, Interrupted, End };
  /// Waits for input and appends it to `bytes`, at most so long (for ever without a limit).
  /// Resized: the size may be another one.  Interrupted: by another signal than that.
  Event wait(std::string& bytes, std::optional<std::chrono::milliseconds> limit);
  /// Whether input is there already.
  bool has_input() const;
  void write(std::string_view text);
  /// Stops the process as Ctrl-Z does, in the terminal's usual mode; returns when it goes on.
  void suspend();

private:
  friend class Raw;
  void enter_raw_mode();
  void leave_raw_mode();

  int in_, out_;
  termios found_{}; ///< the modes before this object
  termios usual_{}; ///< while programs run
  termios raw_{};   ///< while keys are read
  struct sigaction before_ {};
  sigset_t signals_before_{};
};

/// What a terminal tells of itself: the numbers of its primary device attributes (DA1 in ECMA-48
/// and DEC's terminals), of which 4 is that it shows sixels.  None if it does not answer in time.
/// Nothing if it cannot be asked now, as keys are waiting, which would be taken for the answer.
std::optional<std::vector<int>> device_attributes(int in, int out, std::chrono::milliseconds limit);

/// The numbers of an answer, `ESC [ ? 62 ; 4 c`, somewhere in a text; nothing if it is not whole.
std::optional<std::vector<int>> parsed_device_attributes(std::string_view text);

} // namespace sinter::repl
