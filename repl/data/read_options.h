// How somebody states what a file does not say of itself, a table's signs or what bytes mean: the
// options of `:read`, of the commands that take data files, of `$loaddata` and of test blocks.
#pragma once

#include "repl/data/data.h"
#include "repl/text/arguments.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sinter::repl {

struct ReadOption {
  std::string_view name;
  std::string_view value; ///< what stands for its value in texts of help; empty if it has none
  std::string_view description;
  bool is_of_tables = true; ///< else of raw elements
};
/// All that there are.
std::span<const ReadOption> read_options();

/// What is wrong with the option's value; nothing if it was taken.  From then on files are read as
/// tables, or as raw elements, whatever their names are.
std::optional<std::string> take_read_option(const ReadOption& option, const std::string& value,
                                            ReadOptions& options);
/// What is missing beside those that were taken; nothing if they are of use.
std::optional<std::string> missing_option(const ReadOptions& options);
/// Takes the options at the front of a text, up to what is none.  The result is what is wrong.
std::optional<std::string> take_read_options(Arguments& arguments, ReadOptions& options);

/// "[--delimiter C] [--decimal C] …".
std::string read_options_usage();
/// A line for each option.
std::string read_options_help();

} // namespace sinter::repl
