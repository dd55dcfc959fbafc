// Pages for large buffers: mapped from the system as huge pages, kept for the next buffers, given
// back when nobody wants them.
//
// A fresh page costs more than filling it: the system clears it, and a fault is taken for each.  So
// memory is mapped in whole huge pages (one fault for 512 small ones), and what a buffer gives back
// serves the next ones: cut to size, or moved together with other pieces to where a larger one
// shall lie, which costs no fault and copies nothing.  Neighbours grow together again.  What has
// not been wanted for some seconds goes back to the system, the longest unwanted first, and so does
// what would make a process larger than it may be.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <stop_token>
#include <thread>
#include <utility>

namespace sinter {

/// Thread-safe.
class PagePool {
public:
  /// Whole units of `unit` bytes, at a multiple of that.
  struct Piece {
    std::byte* base = nullptr;
    std::size_t bytes = 0;
    bool is_zero = false; ///< nobody has written into it
  };
  static constexpr std::size_t unit = std::size_t{64} << 10;
  using Clock = std::chrono::steady_clock;

  /// Keeps at most that many bytes, and each no longer than that unless it is wanted.
  explicit PagePool(std::size_t most_kept, Clock::duration patience = std::chrono::seconds(10))
      : most_kept_(most_kept), patience_(patience) {}
  PagePool(const PagePool&) = delete;
  PagePool& operator=(const PagePool&) = delete;
  ~PagePool();

  /// A piece of that size, rounded up, of a kept one; none (base is null) if all are smaller.
  Piece find(std::size_t wanted);
  /// The same, at a new place, of kept and fresh memory; none if the system has no more.
  Piece map(std::size_t wanted);
  /// What `find` or `map` gave.  Keeps no more than `most` bytes in all.
  void give_back(Piece piece, std::size_t most) noexcept;
  /// Gives memory back to the system until no more than that is kept.
  void shrink(std::size_t most) noexcept;
  std::size_t kept() const;

private:
  struct Free {
    std::size_t bytes = 0;
    bool is_zero = false;
    Clock::time_point since;
  };
  using FreePieces = std::map<std::byte*, Free>;

  void insert(std::byte* base, Free piece);
  void insert_or_unmap(std::byte* base, Free piece) noexcept;
  Free remove(FreePieces::iterator piece);
  FreePieces::iterator oldest();
  void unmap(FreePieces::iterator piece) noexcept;
  void take_out(FreePieces::iterator piece, std::span<std::byte> part) noexcept;
  std::size_t fill_with_kept(std::span<std::byte> fresh) noexcept;
  void shrink_locked(std::size_t most) noexcept;
  void watch(const std::stop_token& stop);

  const std::size_t most_kept_;
  const Clock::duration patience_;
  mutable std::mutex mutex_;
  FreePieces free_;
  std::set<std::pair<std::size_t, std::byte*>> by_size_;
  std::size_t kept_ = 0;
  std::condition_variable_any is_kept_;
  bool is_asleep_ = false; ///< the watcher, since nothing could be given back
  std::jthread watcher_;   ///< there once something is kept
};

} // namespace sinter
