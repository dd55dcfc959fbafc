// How somebody states what a table does not say of itself: the options of `:read`, of the commands
// that take data files, of `$loaddata` and of test blocks.
#pragma once

#include "repl/data/data.h"
#include "repl/text/arguments.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sinter::repl {

struct TableOption {
  std::string_view name;
  std::string_view value; ///< what stands for its value in texts of help; empty if it has none
  std::string_view description;
};
/// All that there are.
std::span<const TableOption> table_options();

/// What is wrong with the option's value; nothing if it was taken.  From then on files are read as
/// tables whatever their names are.
std::optional<std::string> take_table_option(const TableOption& option, const std::string& value,
                                             ReadOptions& options);
/// Takes the options at the front of a text, up to what is none.  The result is what is wrong.
std::optional<std::string> take_table_options(Arguments& arguments, ReadOptions& options);

/// "[--delimiter C] [--decimal C] …".
std::string table_options_usage();
/// A line for each option.
std::string table_options_help();

} // namespace sinter::repl
