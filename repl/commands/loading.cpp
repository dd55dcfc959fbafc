// Commands that take definitions from files.
#include "repl/commands/command.h"

#include <cstdlib>
#include <filesystem>

namespace sinter::repl {

namespace {

void load(Console& console, const std::string& argument) {
  if (console.load(argument)) console.presenter().message("loaded " + argument + "\n");
}

void reload(Console& console, const std::string&) {
  if (console.loaded_path().empty()) return console.fail("no file was loaded yet");
  load(console, std::string(console.loaded_path()));
}

void change_folder(Console& console, const std::string& argument) {
  std::string path = argument;
  const char* home = std::getenv("HOME");
  if (home && (path == "~" || path.starts_with("~/"))) path.replace(0, 1, home);
  if (!path.empty()) {
    if (const std::optional<std::string> wrong = console.change_folder(path)) console.fail(*wrong);
    return;
  }
  std::error_code error;
  console.presenter().text(std::filesystem::current_path(error).string() + "\n");
}

constexpr Command table[] = {
    {"load", "FILE", "take the definitions of a file; those of the prompt that fit stay",
     Completes::Programs, load},
    {"reload", "", "load the last file again", Completes::Nothing, reload},
    {"cd", "[FOLDER]", "show the folder that file names start from, or go to another one",
     Completes::Folders, change_folder},
};

} // namespace

std::span<const Command> loading_commands() {
  return table;
}

} // namespace sinter::repl
