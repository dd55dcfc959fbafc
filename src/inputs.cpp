// The data files that commands read arguments from, and how their tables are written.
#include "src/command.h"
#include "src/options.h"

namespace sinter {

void InputOptions::add_to(Options& command_line) {
  command_line
      .add_option("-i,--input", files_,
                  "Read arguments from this file (text, binary, .npy, .csv, also compressed); may "
                  "be repeated; otherwise from standard input.  Each column of a table is an "
                  "argument (behind words' positions, the words), or the table is a matrix")
      .value_name("FILE")
      .one_value_each();
  for (const repl::ReadOption& option : repl::read_options()) {
    Given& given = given_.emplace_back(Given{&option, {}});
    const std::string name = "--" + std::string(option.name);
    const std::string description =
        (option.is_of_tables ? "Of tables: " : "Of raw files: ") + std::string(option.description);
    if (option.value.empty())
      command_line.add_flag(name, given.is_set, description);
    else
      command_line.add_option(name, given.values, description)
          .value_name(std::string(option.value))
          .one_value_each();
  }
}

std::vector<std::string> InputOptions::files() const {
  return files_.empty() ? std::vector<std::string>{"-"} : files_;
}

repl::ReadOptions InputOptions::read_options() const {
  repl::ReadOptions options;
  const auto take = [&](const Given& given, const std::string& value) {
    if (const auto wrong = repl::take_read_option(*given.option, value, options))
      throw UsageError(*wrong);
  };
  for (const Given& given : given_) {
    if (given.is_set) take(given, "");
    for (const std::string& value : given.values)
      take(given, value);
  }
  if (const auto missing = repl::missing_option(options)) throw UsageError(*missing);
  return options;
}

} // namespace sinter
