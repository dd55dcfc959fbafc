#include "repl/streaming/read_ahead.h"

#include "lang/base/interruptible.h"
#include "lang/values/file_memory.h"
#include "lang/values/format.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <span>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace sinter::repl {

namespace {

/// How long a wish to end may wait.
constexpr std::chrono::milliseconds patience{50};
/// What a pipe may hold, if the system lets us: its usual 64 KiB wake both sides too often.
constexpr int pipe_bytes = 1 << 20;

} // namespace

ReadAhead::ReadAhead(std::unique_ptr<Descriptor> file, BufferRef room, const InterruptSource& end,
                     std::uint64_t most, std::string_view first)
    : file_(std::move(file)), end_(end), most_(most), buffer_(std::move(room)),
      filled_(first.size()) {
  assert(first.size() <= buffer_->bytes());
  std::ranges::copy(std::as_bytes(std::span(first)), buffer_->overwrite());
  // (Only pipes have that size, and it is only a hint.)
  static_cast<void>(fcntl(file_->number(), F_SETPIPE_SZ, pipe_bytes));
  thread_ = std::thread([this] { run(); });
}

ReadAhead::~ReadAhead() {
  stop();
}

void ReadAhead::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  taken_.notify_all();
  thread_.join();
}

std::unique_ptr<Descriptor> ReadAhead::release() {
  stop();
  return std::move(file_);
}

void ReadAhead::run() {
  std::unique_lock lock(mutex_);
  const auto is_over = [&] {
    return is_stopping_ || end_.reason() != InterruptSource::Reason::None;
  };
  while (most_ > 0) { // (a pipe may stay open behind the last byte)
    while (!is_over() && filled_ == buffer_->bytes())
      taken_.wait_for(lock, patience);
    if (is_over()) break;
    // Nothing is read, and so the buffer may be taken, before there is something.
    lock.unlock();
    pollfd watched{file_->number(), POLLIN, 0};
    const int ready = poll(&watched, 1, static_cast<int>(patience.count()));
    lock.lock();
    if (ready <= 0 || filled_ == buffer_->bytes()) continue;
    std::byte* const place = buffer_->overwrite() + filled_;
    const std::size_t room = static_cast<std::size_t>(
        std::min<std::uint64_t>({buffer_->bytes() - filled_, bytes_at_once, most_}));
    is_reading_ = true;
    lock.unlock();
    const ssize_t count = read(file_->number(), place, room);
    const int error = count < 0 ? errno : 0;
    lock.lock();
    is_reading_ = false;
    if (count > 0) {
      filled_ += static_cast<std::size_t>(count);
      most_ -= static_cast<std::uint64_t>(count);
    }
    if (count == 0 || (error != 0 && error != EINTR && error != EAGAIN)) {
      error_ = error;
      break;
    }
    came_.notify_all();
  }
  is_at_end_ = true;
  came_.notify_all();
}

ReadBytes ReadAhead::take(std::size_t least, std::size_t unit, BufferRef room) {
  std::unique_lock lock(mutex_);
  assert(room->bytes() >= unit && unit > 0);
  const auto is_due = [&] {
    return !is_reading_ &&
           (is_at_end_ || filled_ >= std::min(std::max(least, unit), buffer_->bytes()));
  };
  while (!is_due()) {
    came_.wait_for(lock, patience);
    poll_interruption();
  }
  if (error_ != 0) throw FormatError(std::string("cannot read: ") + std::strerror(error_));
  const std::size_t rest = filled_ % unit;
  ReadBytes taken{std::move(buffer_), filled_ - rest};
  // What is left of a unit goes on in the next buffer.
  std::memcpy(room->overwrite(), taken.buffer->contents() + taken.count, rest);
  buffer_ = std::move(room);
  filled_ = rest;
  if (is_at_end_) left_over_ = rest;
  lock.unlock();
  taken_.notify_all();
  return taken;
}

} // namespace sinter::repl
