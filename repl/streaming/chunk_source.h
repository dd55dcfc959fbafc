// Files and pipes as one sequence of elements, cut into chunks.
#pragma once

#include "lang/base/interrupt.h"
#include "lang/values/concrete.h"
#include "lang/values/npy_header.h"
#include "repl/streaming/mapped_elements.h"
#include "repl/streaming/read_ahead.h"
#include "repl/streaming/step.h"
#include "repl/streaming/text_elements.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinter::repl {

/// How elements are written.
enum class InputFormat {
  /// Files that begin as .npy or as Futhark's binary format does hold an array of elements, of any
  /// byte order and in either order of dimensions, and pipes that begin as .npy does one array
  /// after
  /// the other, little-endian and row by row; everything else is Bytes.
  Found,
  Bytes, ///< the elements' bytes alone, as they lie in memory (little-endian)
  Npy,   ///< as Found, but .npy it is
  Lines, ///< text: see TextElements
};

/// Files and pipes, one after the other.  What large files hold as it would lie in memory stays
/// there (MappedElements); all else is read.
class ChunkSource {
public:
  /// "-" is standard input.  All must outlive this.  `end`: see ReadAhead.
  ChunkSource(std::vector<std::string> paths, InputFormat format, const Step& step,
              MemoryBudget& memory, Representations& representations, const InterruptSource& end);

  /// The next elements, at most `most`, and no fewer if `exactly`, unless a file ends; none (a null
  /// reference) at the end.  Throws FormatError, which names the file: it cannot be read, is of
  /// another type, or ends within an element; RuntimeError{OutOfMemory}, and then nothing is lost.
  ArrayRef next(std::int64_t most, bool exactly);
  /// Elements that the next calls give before any others.
  void put_back(const ArrayRef& chunk) { put_back_.push_front(chunk); }
  /// Of elements that were given, or of the text that they were.
  std::uint64_t bytes() const { return bytes_; }
  /// How many there will be; 0: nobody knows.
  std::uint64_t total_bytes() const { return total_bytes_; }

private:
  void open(const std::string& path);
  void open_array(const std::string& path);
  void open_mapped(std::unique_ptr<Descriptor> file, FilePlace place);
  void open_read(std::unique_ptr<Descriptor> file, std::uint64_t most);
  bool open_pipe(std::unique_ptr<Descriptor> file, bool must_be_npy);
  std::uint64_t array_bytes(const NpyHeader& header) const;
  bool go_on_behind();
  ArrayRef next_here(std::int64_t most, bool exactly);
  ArrayRef next_mapped(std::int64_t most, bool exactly);
  ArrayRef next_read(std::int64_t most, bool exactly);
  ArrayRef next_lines(std::int64_t most, bool exactly);
  void check_end() const;
  ArrayRef array_of(BufferRef buffer, std::size_t behind, std::size_t count) const;
  std::size_t room_for(std::int64_t count) const;

  std::vector<std::string> paths_;
  InputFormat format_;
  const Step& step_;
  MemoryBudget& memory_;
  Representations& representations_;
  const InterruptSource& end_;
  std::size_t next_path_ = 0;
  std::string path_;        ///< of what is open
  bool has_length_ = false; ///< that is known of it
  bool is_npy_pipe_ = false;
  std::unique_ptr<ReadAhead> ahead_;
  std::optional<MappedElements> mapped_; ///< instead of that
  /// Stands where the mapped elements end, if others may come behind them: then these are read.
  std::unique_ptr<Descriptor> behind_mapped_;
  std::optional<TextElements> text_; ///< what comes there is text
  bool is_text_over_ = false;
  ArrayRef array_; ///< instead of that; what is left of it
  std::deque<ArrayRef> put_back_;
  std::uint64_t bytes_ = 0, total_bytes_ = 0, elements_here_ = 0;
};

} // namespace sinter::repl
