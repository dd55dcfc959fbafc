// Files and pipes as one sequence of elements, cut into chunks.
#pragma once

#include "lang/base/interrupt.h"
#include "lang/values/concrete.h"
#include "repl/streaming/read_ahead.h"
#include "repl/streaming/step.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinter::repl {

/// Files that begin as .npy or as Futhark's binary format does hold an array of elements, of any
/// byte order and in either order of dimensions; everything else, pipes too, are the elements'
/// bytes alone, as they lie in memory (little-endian).
class ChunkSource {
public:
  /// "-" is standard input.  All must outlive this.  `end`: see ReadAhead.
  ChunkSource(std::vector<std::string> paths, const Step& step, MemoryBudget& memory,
              Representations& representations, const InterruptSource& end);

  /// The next elements, at most `most`, and no fewer if `exactly`, unless a file ends; none (a null
  /// reference) at the end.  Throws FormatError, which names the file: it cannot be read, is of
  /// another type, or ends within an element; RuntimeError{OutOfMemory}, and then nothing is lost.
  ArrayRef next(std::int64_t most, bool exactly);
  /// Elements that the next calls give before any others.
  void put_back(const ArrayRef& chunk) { put_back_.push_front(chunk); }
  /// Of elements that were given.
  std::uint64_t bytes() const { return bytes_; }
  /// How many there will be; 0: nobody knows.
  std::uint64_t total_bytes() const { return total_bytes_; }

private:
  void open(const std::string& path);
  std::optional<std::uint64_t> open_array(const std::string& path, int descriptor);
  ArrayRef next_here(std::int64_t most, bool exactly);
  ArrayRef array_of(ReadBytes bytes) const;
  std::size_t room_for(std::int64_t count) const;

  std::vector<std::string> paths_;
  const Step& step_;
  MemoryBudget& memory_;
  Representations& representations_;
  const InterruptSource& end_;
  std::size_t next_path_ = 0;
  std::string path_;        ///< of what is open
  bool has_length_ = false; ///< that is known of it
  std::unique_ptr<ReadAhead> ahead_;
  ArrayRef array_; ///< instead of that; what is left of it
  std::deque<ArrayRef> put_back_;
  std::uint64_t bytes_ = 0, total_bytes_ = 0, elements_here_ = 0;
};

} // namespace sinter::repl
