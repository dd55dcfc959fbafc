// Help pages: for each diagnostic what it means, a program that causes it, and the same mended.
//
// The pages are the files `help/ID.md`, which become part of the executable:
//
//   # unknown-name              the id
//
//   *Names:* what is wrong.     in one sentence, behind the part of the front end that says so: the
//                               row of the registry of ids (lang/diagnostic_ids.cmake)
//
//   What it means, and what to do.
//
//   ```rejected                 a program with this error and no other; `warned` if the id is that
//   def f = x                   of a warning.  `rejected shortened` is to be read only, not
//   checked.
//   ```
//
//   In place of `rejected` the page of an error while running has `failing`: a program whose
//   `main`, a constant, ends with it.
//
//   ```file shapes.fut          further files that the program imports, if any
//   ```
//
//   ```message                  what is said about the program, letter by letter
//   ```
//
//   ```accepted                 a mended program, of which there is nothing to say
//   ```
//
// The pages are tests as well (tests/unit/check/help_pages.cpp).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::help {

struct File {
  std::string_view name; ///< the id
  std::string_view text;
};

/// All pages as they are written, by id.
std::span<const File> files();

/// A fenced part of a page.
struct Block {
  std::string_view label; ///< what stands behind the opening fence
  std::string_view text;  ///< whole lines
};

struct Page {
  std::string_view id;
  std::string_view explanation; ///< what follows the row; without the empty lines around it
  std::vector<Block> blocks;

  /// The first block whose label begins with the word; null if there is none.
  const Block* find(std::string_view word) const;
};

/// The page's parts; they point into the text.
Page parse(std::string_view text);

/// The page of a diagnostic as people read it; nullopt if there is none.  The id may stand in
/// brackets, as it does at the end of a message.
std::optional<std::string> show(std::string_view id);
/// All ids with their meanings, a line each.
std::string show_all();
/// One line that says that there is no such id, with those that may be meant.
std::string no_such_id(std::string_view id);

} // namespace sinter::help
