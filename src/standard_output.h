// Standard output, of which everybody is told whether it was written.
//
// All commands write their results to std::cout; what becomes of that is known here alone.
#pragma once

#include "lang/values/byte_sink.h"

#include <iostream>
#include <memory>
#include <string>

namespace sinter {

/// What was to be written could not be.  It is no std::exception, so that nobody on the way takes
/// it for an error of what runs: whoever cannot write has nobody left to tell.
struct OutputError {
  std::string message;
};

/// As long as it lives, std::cout writes to file descriptor 1, by lines where that is a terminal,
/// and throws OutputError where that fails.  A broken pipe ends the process as it ends others: by
/// its signal, if that is not ignored.
class StandardOutput {
public:
  StandardOutput();
  /// Writes what still waits, if it can: there was an error, which somebody else tells.
  ~StandardOutput();
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;

  /// Writes what still waits.  Throws OutputError, also for what failed before and was not told.
  void finish();

private:
  friend class StandardSink;
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
};

/// Writes to std::cout.  Where a pipe is full whose reader waits, or has stopped, what should stop
/// this thread (interruptible.h) does: the RuntimeError of that is thrown, what was not written is
/// dropped, and std::cout goes on behind it.
class StandardSink final : public ByteSink {
public:
  void write(std::string_view bytes) override;
  void flush();
};

/// A process may be started without standard input, output or error.  What is opened first would
/// take their numbers, and get what is written to them: so each that is closed is opened in a way
/// that it can neither be read nor written.
void occupy_standard_descriptors();

} // namespace sinter
