// A text taken apart into its entries: what is evaluated at one go.  The prompt (typed or pasted),
// notebook cells, scripts, documents, start-up files and saved sessions are all read by it, so that
// a text means the same everywhere.
//
// An entry ends where a line begins that can't go on with it.  A line goes on if it is indented
// further than the entry's first line, if no entry can begin with it (`in`, `else`, `case`, `|>`,
// `)`, …), or if the entry is unfinished (`def f =`, an open bracket).  Behind an empty line only
// the latter two go on, and two empty lines give up what is unfinished.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

struct Entry {
  enum class Kind {
    Code,      ///< declarations or an expression, with the comments in front of them
    Command,   ///< a line that begins with `:`, with the indented lines behind it
    Directive, ///< a comment that begins with `-- >`
  };
  Kind kind = Kind::Code;
  std::string text;     ///< whole lines, without the last line break
  std::size_t line = 0; ///< lines of the text before it
};

class EntrySplitter {
public:
  /// Takes a line without its line break.
  void add(std::string_view line);
  /// There are no more lines.
  void end();
  /// The entries that have ended since the last call.
  std::vector<Entry> take();

  /// Nothing has begun that has not ended.
  bool is_empty() const { return !open_; }
  /// Whether what has begun needs another line, for who asks line by line: it is unfinished, a
  /// directive or a `match`, to which more lines may belong until an empty one.
  bool wants_more() const;
  /// Whether what has begun is code that is unfinished.
  bool is_unfinished() const;

private:
  void begin(std::string_view line);
  void close();
  bool goes_on(std::string_view line) const;
  void add_blank();
  void add_comment(std::string_view line);
  void add_to_open(std::string_view line);

  std::optional<Entry> open_;
  /// Comments and empty lines after it, which belong to it or to the next entry.
  std::vector<std::string> between_;
  std::vector<Entry> ended_;
  std::size_t number_ = 0; ///< of lines so far
  /// Brackets that are open in what has begun.  As long as there are any, and it was unfinished
  /// when it was read last, it is not read again: long literals would be read for each of their
  /// lines.
  std::ptrdiff_t depth_ = 0;
  mutable bool was_unfinished_ = false;
};

std::vector<Entry> entries_of(std::string_view text);

/// Whether the text's last entry is unfinished.
bool is_unfinished(std::string_view text);

/// Whether no entry can begin so: it belongs to the one before it.
bool can_only_go_on(const Entry& entry);

} // namespace sinter::repl
