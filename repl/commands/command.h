// The commands of the prompt and of notebooks (`:load`, `:type`, …), one table; `:help`, completion
// and dispatch share it.  A file of this folder defines the commands of one kind and lists them in
// a span that the table takes up; it talks to a `Console` alone, never to a terminal.
#pragma once

#include "repl/console/console.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

/// What the argument of a command may be completed to.
enum class Completes { Nothing, Names, Programs, Files, Folders, HelpTopics, Commands, Settings };

struct Command {
  std::string_view name;
  std::string_view argument; ///< as help shows it; in brackets if optional, empty if there is none
  std::string_view summary;
  Completes completes;
  void (*obey)(Console& console, const std::string& argument);
  std::string_view details = {}; ///< what `:help` says beyond the summary; may be empty
};

/// The whole table, in the order of `:help`.
const std::vector<Command>& commands();

std::span<const Command> loading_commands();   ///< files of definitions
std::span<const Command> asking_commands();    ///< what names and expressions are
std::span<const Command> measuring_commands(); ///< how evaluations fare
std::span<const Command> keeping_commands();   ///< what the session holds
std::span<const Command> profiling_commands(); ///< where the time goes
std::span<const Command> data_commands();      ///< files of values
std::span<const Command> picture_commands();   ///< values to look at and to listen to
std::span<const Command> general_commands();   ///< settings, help, the end

/// The first command whose name starts so, as the user may shorten it; null if none does.
const Command* find_command(std::string_view name);

/// Without blanks at both ends.
std::string trimmed(std::string_view text);

} // namespace sinter::repl
