#include "repl/commands/command.h"

namespace sinter::repl {

const std::vector<Command>& commands() {
  static const std::vector<Command> table = [] {
    std::vector<Command> all;
    for (std::span<const Command> kind :
         {loading_commands(), asking_commands(), measuring_commands(), profiling_commands(),
          data_commands(), picture_commands(), keeping_commands(), general_commands()})
      all.insert(all.end(), kind.begin(), kind.end());
    return all;
  }();
  return table;
}

const Command* find_command(std::string_view name) {
  if (name.empty()) return nullptr;
  for (const Command& command : commands())
    if (command.name.starts_with(name)) return &command;
  return nullptr;
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(blanks) - begin + 1));
}

} // namespace sinter::repl
