// Pages of a mapped file, fetched in their order, and given back, by a thread of its own while
// others compute.
//
// The threads that share a chunk come to its pages in no order, and the system, which reads a disk
// ahead for who goes forward, takes twice as long to read it for them.  One thread goes forward.
// A file that is in memory already is left alone: who computes finds it as fast.
// (MADV_WILLNEED for what comes next, and MADV_POPULATE_READ for a chunk, were tried instead: a
// file on a disk took half as long again.)
#pragma once

#include "lang/values/mapped_file.h"

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>

namespace sinter::repl {

class FetchAhead {
public:
  /// So much is fetched beyond what is waited for.
  static constexpr std::size_t ahead_bytes = std::size_t{8} << 20;

  /// Of the file's bytes `all`, from their beginning.  Throws std::system_error if there is no
  /// thread to be had.
  FetchAhead(std::shared_ptr<MappedFile> file, std::string_view all);
  ~FetchAhead();
  FetchAhead(const FetchAhead&) = delete;
  FetchAhead& operator=(const FetchAhead&) = delete;

  /// Waits until the first `count` bytes, no fewer than before, have been fetched, or have been in
  /// memory as far as is known, and lets others be fetched; the first `done`, no fewer than before,
  /// will hardly be read again, and are given back to the system.  Polls interruption.
  void await(std::size_t count, std::size_t done);

private:
  void run();
  void give_back(std::unique_lock<std::mutex>& lock);

  std::shared_ptr<MappedFile> file_;
  std::string_view all_;
  std::mutex mutex_;
  std::condition_variable wanted_more_, fetched_more_;
  // Of the bytes, at their beginning.
  std::size_t wanted_ = 0, fetched_ = 0, done_ = 0, given_back_ = 0;
  bool is_all_there_ = true; ///< all that was to be fetched was in memory
  bool is_stopping_ = false;
  std::thread thread_;
};

} // namespace sinter::repl
