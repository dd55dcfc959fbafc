// How many indices the pieces of a stream have (Stream in jit/ir/ir.h).
//
// What a piece reads and makes is to stay in the caches between its operations, so the first pieces
// fill half of the second-level caches of the threads that share them.  Then the time that an index
// takes decides: half as many more are tried, and more again while that pays; what was too many
// goes back by a quarter.  No piece takes more than memory has room for, and one that found none is
// run again with half as many.  The sizes show in nothing but time and memory.
#pragma once

#include "lang/base/trial_times.h"

#include <atomic>
#include <cstdint>
#include <string>

namespace sinter::jit {

struct PieceFacts {
  std::int64_t unit = 1;               ///< pieces have multiples of it
  std::int64_t element_bytes = 1;      ///< of arrays, for each index
  unsigned threads = 1;                ///< that share a piece
  std::int64_t cache_bytes = 0;        ///< of a thread's second-level cache
  std::int64_t room_bytes = INT64_MAX; ///< in memory
  std::int64_t forced_size = 0;        ///< 0: as suits
};

/// Why pieces have the size that they have.
enum class PieceReason : std::uint8_t { Forced, Caches, Room, Faster, Slower, NoRoom };
/// "as they stay in the caches", ….
std::string words(PieceReason reason);

/// The sizes of one run.
class PieceSizes {
public:
  explicit PieceSizes(const PieceFacts& facts);
  /// Of the next piece; at least a unit, which may be more than what is left.
  std::int64_t size() const { return size_; }
  PieceReason why() const { return why_; }
  /// A piece of so many indices took so long.
  void took(std::int64_t count, double nanoseconds);
  /// A piece found no memory: whether the next one is smaller.
  bool has_no_room();

private:
  std::int64_t rounded(std::int64_t size) const;
  void try_size(std::int64_t size, PieceReason why);

  std::int64_t unit_;
  std::int64_t step_; ///< sizes are multiples of it where they are not smaller
  std::int64_t largest_ = 0;
  std::int64_t size_ = 0;
  PieceReason why_ = PieceReason::Caches;
  bool is_settled_ = false;
  bool is_first_ = true; ///< whose time has that of compiling in it
  TrialTimes times_;
};

/// What the runs of a stream have done, for reports.  Thread-safe.
class PieceMeter {
public:
  struct Totals {
    std::uint64_t runs = 0, pieces = 0;
    std::int64_t first_size = 0, last_size = 0; ///< of the last run
    PieceReason why = PieceReason::Caches;      ///< of its last size
  };
  void add(std::uint64_t pieces, std::int64_t first_size, const PieceSizes& last);
  Totals totals() const;

private:
  std::atomic<std::uint64_t> runs_{0}, pieces_{0};
  std::atomic<std::int64_t> first_size_{0}, last_size_{0};
  std::atomic<PieceReason> why_{PieceReason::Caches};
};

/// Of this machine, in bytes; a usual one where the system does not tell.
std::int64_t second_level_cache_bytes();

} // namespace sinter::jit
