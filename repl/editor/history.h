// The inputs of this session and of earlier ones.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

/// Inputs, oldest first, each once: where it was used last.
///
/// The file has an input in each line, `\n` for a line break and `\\` for a backslash.  Sessions
/// append to it under a lock, so that several at once lose nothing; it is read when the history is
/// first asked for, and rewritten once it has grown to twice the number of inputs that are kept.
class History {
public:
  /// `file` may be empty: then nothing is kept.
  explicit History(std::string file = {}) : file_(std::move(file)) {}

  /// Adds an input as the newest one, and writes it to the file.  Blank inputs are not kept.
  void add(const std::string& input);
  std::size_t size() { return entries().size(); }
  /// The number of an entry must be below `size`; 0 is the oldest.
  const std::string& operator[](std::size_t number) { return entries()[number]; }

  /// The newest entry older than number `from` (of all if `from` is `size`) that starts with
  /// `prefix` and is not `except`.
  std::optional<std::size_t> older(std::size_t from, std::string_view prefix,
                                   std::string_view except);
  /// The oldest one newer than `from`.
  std::optional<std::size_t> newer(std::size_t from, std::string_view prefix,
                                   std::string_view except);
  /// The newest entry at most `from` that has `part` in it; without capital letters in `part` the
  /// case doesn't matter.
  std::optional<std::size_t> older_with(std::size_t from, std::string_view part);
  /// The oldest one at least `from`.
  std::optional<std::size_t> newer_with(std::size_t from, std::string_view part);

  static constexpr std::size_t most_entries = 10000;

private:
  std::vector<std::string>& entries();
  void append_to_file(const std::string& input) const;

  std::string file_;
  bool is_read_ = false;
  std::vector<std::string> entries_;
};

/// Where `part` stands in `text`, in the sense of `History::older_with`; npos if it doesn't.
std::size_t find_part(std::string_view text, std::string_view part);

} // namespace sinter::repl
