#include "repl/streaming/fetch_ahead.h"

#include "lang/base/interruptible.h"
#include "lang/values/file_memory.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <utility>

#include <unistd.h>

namespace sinter::repl {

namespace {

/// How long a wish to stop may wait.
constexpr std::chrono::milliseconds look{50};

/// Reads a byte of each page.
void touch(std::string_view bytes) {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const volatile char* const begin = bytes.data();
  for (std::size_t at = 0; at < bytes.size(); at += page)
    static_cast<void>(begin[at]);
  if (!bytes.empty()) static_cast<void>(begin[bytes.size() - 1]);
}

} // namespace

FetchAhead::FetchAhead(std::shared_ptr<MappedFile> file, std::string_view all)
    : file_(std::move(file)), all_(all) {
  assert(file_->has(all.data(), all.size()));
  thread_ = std::thread([this] { run(); });
}

FetchAhead::~FetchAhead() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  wanted_more_.notify_all();
  thread_.join();
}

void FetchAhead::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wanted_more_.wait(lock, [&] {
      return is_stopping_ || fetched_ < wanted_ || done_ - given_back_ >= bytes_at_once;
    });
    if (is_stopping_) return;
    if (done_ - given_back_ >= bytes_at_once) {
      give_back(lock);
      continue;
    }
    const std::size_t count = std::min(wanted_ - fetched_, bytes_at_once);
    const std::string_view next = all_.substr(fetched_, count);
    bool is_there = is_all_there_;
    lock.unlock();
    // (Where something has to be fetched once, the system goes on only if somebody reads on.)
    is_there = is_there && file_->is_in_memory(next);
    if (!is_there) touch(next);
    lock.lock();
    is_all_there_ = is_there;
    fetched_ += count;
    fetched_more_.notify_all();
  }
}

void FetchAhead::give_back(std::unique_lock<std::mutex>& lock) {
  const std::string_view done = all_.substr(given_back_, done_ - given_back_);
  given_back_ = done_;
  lock.unlock();
  file_->give_back(done);
  lock.lock();
}

void FetchAhead::await(std::size_t count, std::size_t done) {
  assert(done <= count && count <= all_.size());
  file_->note_use(); // if it has been cut, that will be asked for
  std::unique_lock lock(mutex_);
  done_ = done;
  const std::size_t wanted = count + std::min(ahead_bytes, all_.size() - count);
  // (Small chunks do not wake the thread for each of them.)
  if (fetched_ < count || wanted == all_.size() || wanted >= wanted_ + ahead_bytes / 2) {
    wanted_ = std::max(wanted, wanted_);
    wanted_more_.notify_one();
  }
  // (The thread may have no processor.)
  if (done_ - given_back_ > std::max(ahead_bytes, count - done)) give_back(lock);
  const auto is_due = [&] { return fetched_ >= count || (is_all_there_ && fetched_ > 0); };
  while (!is_due()) {
    fetched_more_.wait_for(lock, look);
    poll_interruption();
  }
}

} // namespace sinter::repl
