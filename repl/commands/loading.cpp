// Commands that take definitions from files.
#include "repl/commands/command.h"

namespace sinter::repl {

namespace {

void load(Console& console, const std::string& argument) {
  if (console.load(argument)) console.presenter().message("loaded " + argument + "\n");
}

void reload(Console& console, const std::string&) {
  if (console.loaded_path().empty()) return console.fail("no file was loaded yet");
  load(console, std::string(console.loaded_path()));
}

constexpr Command table[] = {
    {"load", "FILE", "take the definitions of a file; those of the prompt that fit stay",
     Completes::Programs, load},
    {"reload", "", "load the last file again", Completes::Nothing, reload},
};

} // namespace

std::span<const Command> loading_commands() {
  return table;
}

} // namespace sinter::repl
