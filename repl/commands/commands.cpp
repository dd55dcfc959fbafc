#include "repl/commands/command.h"

#include "repl/text/lines.h"

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
  return std::string(without_blanks(text));
}

} // namespace sinter::repl
