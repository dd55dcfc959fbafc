// Elements written as text, lines of them, as they come.
#pragma once

#include "lang/values/concrete.h"
#include "repl/streaming/step.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sinter::repl {

/// Each line has any number of elements in Futhark's notation, with white space between; an element
/// does not go on in the next line.  `--` begins a comment.
class TextElements {
public:
  /// All must outlive this.
  TextElements(const Step& step, MemoryBudget& memory, Representations& representations)
      : step_(step), memory_(memory), representations_(representations) {}

  /// The bytes that come next.  Throws FormatError for a line that does not end.
  void add(std::string_view bytes);
  /// No more will come: the last line needs no end.
  void end() { is_at_end_ = true; }
  /// Reads elements of whole lines, `most` at most, to `out`, one behind the other in memory's
  /// form; gives how many.  Polls interruption.  Throws FormatError, which names the line.
  std::int64_t take(std::byte* out, std::int64_t most);

private:
  /// The rest of the line at `at_`; false if it has not come yet.
  bool next_line(std::string_view& line);
  void read_element(std::string_view line, std::size_t& position, std::byte* out);
  [[noreturn]] void fail(std::size_t position, const std::string& message) const;

  const Step& step_;
  MemoryBudget& memory_;
  Representations& representations_;
  std::string text_;
  std::size_t at_ = 0;       ///< in the text; what is before has been read
  std::size_t line_at_ = 0;  ///< where the line begins, of which that may be the midst
  std::size_t searched_ = 0; ///< no line ends between `at_` and here
  std::uint64_t line_ = 1;   ///< its number in the input
  bool is_at_end_ = false;
};

} // namespace sinter::repl
