// The bytes of a file or a pipe, read by a thread of their own while others compute.
#pragma once

#include "lang/base/interrupt.h"
#include "lang/values/buffer.h"
#include "lang/values/descriptor.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>

namespace sinter::repl {

/// Bytes that came, at the beginning of a buffer.
struct ReadBytes {
  BufferRef buffer;
  std::size_t count = 0;
};

class ReadAhead {
public:
  /// Reads `most` bytes at most from where the file stands, into `room`, where `first` comes before
  /// them.  Somebody raises `end` to end the input where it is; it is looked at some times a
  /// second. Throws std::system_error if there is no thread to be had.
  ReadAhead(std::unique_ptr<Descriptor> file, BufferRef room, const InterruptSource& end,
            std::uint64_t most = UINT64_MAX, std::string_view first = {});
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// Waits for `least` bytes (or the end, or as much as there is room for), then gives all that
  /// came, whole pieces of `unit` bytes, and reads on into `room`, which is as large as a unit at
  /// least.  At the end it gives what is left, and nothing then.  Polls interruption.  Throws
  /// FormatError if the system does not read.
  ReadBytes take(std::size_t least, std::size_t unit, BufferRef room);
  /// After the end: the bytes behind the last whole unit.
  std::size_t left_over() const { return left_over_; }
  /// After the end: how many bytes fewer came than `most`.
  std::uint64_t missing() const { return most_; }
  /// After the end: the file, for who reads on.  Nothing else is called then.
  std::unique_ptr<Descriptor> release();

private:
  void run();
  void stop();

  std::unique_ptr<Descriptor> file_;
  const InterruptSource& end_;
  std::uint64_t most_; ///< that are still to be read
  std::mutex mutex_;
  std::condition_variable came_, taken_;
  BufferRef buffer_;
  std::size_t filled_ = 0;
  bool is_reading_ = false; ///< into the buffer, which must stay
  bool is_at_end_ = false;
  bool is_stopping_ = false;
  int error_ = 0;
  std::size_t left_over_ = 0;
  std::thread thread_;
};

} // namespace sinter::repl
