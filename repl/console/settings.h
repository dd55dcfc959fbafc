// The settings of a console, one table: `:set`, its completion, the file that keeps them from one
// day to the next, and the command line's precedence over that file share it.  To add a setting is
// to add a row (in `settings.cpp`, or in a span of another file that the table takes up).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

class Console;

struct Setting {
  std::string_view name;    ///< as the command line's option is called, if it has one
  std::string_view values;  ///< as help shows them: "auto, interp, jit or mixed"
  std::string_view summary; ///< "how to evaluate"
  /// What a value may be completed to, separated by blanks; empty: nothing.
  std::string_view choices;
  /// The value now, such that `set` would take it.
  std::string (*get)(const Console& console);
  /// False, with nothing changed, if the text is no value of this setting.
  bool (*set)(Console& console, const std::string& value);
};

/// The whole table, sorted by name.
const std::vector<Setting>& settings();
/// By its full name; null if there is none.
const Setting* find_setting(std::string_view name);

/// Sets one by name; what is wrong if that can't be done.
std::optional<std::string> change_setting(Console& console, std::string_view name,
                                          const std::string& value);

/// "$XDG_CONFIG_HOME/sinter/NAME" or below ~/.config; empty if there is no home.
std::string configuration_path(std::string_view name);

/// Writes the settings that differ from `initial` (as `current_settings` gave them) to a file,
/// whose folder is made.  What is wrong if that can't be done.
std::optional<std::string> save_settings(const Console& console, const std::string& path,
                                         const std::vector<std::string>& initial);
/// Sets what a file says, line by line ("name value"), but for the names in `except`.  A file that
/// is not there says nothing.  The result: a line for everything that is wrong with it.
std::string read_settings(Console& console, const std::string& path,
                          std::span<const std::string> except = {});

/// The values of all settings, in the order of the table.
std::vector<std::string> current_settings(const Console& console);

// ---- words that several settings use -----------------------------------------------------------

/// A whole number of at least `least`; nothing if the text is none.
std::optional<std::size_t> count_of(std::string_view text, std::size_t least = 0);
/// "on" or "off".
std::optional<bool> switch_of(std::string_view text);
std::string switch_text(bool on);

} // namespace sinter::repl
