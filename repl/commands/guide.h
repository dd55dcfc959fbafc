// What `:help COMMAND` says beyond the command's line: accepted shapes, options, an example.
#pragma once

#include <string>
#include <string_view>

namespace sinter::repl {

struct Guide {
  std::string_view command;
  std::string_view details; ///< paragraphs and lists, each line with its line break; may be empty
  /// Entries that can be obeyed as they stand, from the first to the last.
  std::string_view example;
  /// What follows the details, of what has its text elsewhere.
  std::string (*options)() = nullptr;
};

/// Null if there is no command of that name.
const Guide* find_guide(std::string_view command);

} // namespace sinter::repl
