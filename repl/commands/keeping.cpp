// Commands about what the session holds: variables, taking back, sessions in files, definitions in
// an editor.
#include "repl/commands/command.h"
#include "repl/editor/terminal.h"
#include "repl/scripts/saving.h"
#include "repl/session/introspection.h"
#include "repl/text/quantities.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <tuple>
#include <unistd.h>

namespace sinter::repl {

namespace {

// ---- variables ---------------------------------------------------------------------------------

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string memory_text(const Session::VariableInfo& variable) {
  if (variable.is_in_file) return "file";
  return variable.bytes ? bytes_text(*variable.bytes) : "not computed";
}

void who(Console& console, const std::string&) {
  std::vector<Session::VariableInfo> variables = console.session().variables();
  if (variables.empty()) return console.presenter().text("no variables are defined\n");
  std::vector<std::array<std::string, 4>> rows = {{"name", "type", "bytes", "defined at"}};
  for (const Session::VariableInfo& one : variables)
    rows.push_back({one.name, one.type, memory_text(one), one.is_result ? "a result" : one.place});
  std::array<std::size_t, 4> widths{};
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columns(row[i]));
  std::string answer;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += row[i] + std::string(i + 1 < row.size() ? widths[i] - columns(row[i]) + 2 : 0, ' ');
    answer += line + "\n";
  }
  console.presenter().text(answer + bytes_text(console.session().memory().in_use()) +
                           " in all arrays\n");
}

void undo(Console& console, const std::string&) {
  console.show(console.session().undo());
}

void forget(Console& console, const std::string& argument) {
  std::istringstream names(argument);
  for (std::string name; names >> name;)
    console.show(console.session().forget(name));
}

// ---- files -------------------------------------------------------------------------------------

void save(Console& console, const std::string& argument) {
  if (auto wrong = save_session(console, argument)) return console.fail(*wrong);
  console.presenter().message("saved in " + argument + "\n");
}

void restore(Console& console, const std::string& argument) {
  if (auto wrong = restore_session(console, argument)) return console.fail(*wrong);
  console.presenter().message("restored " + argument + "\n");
}

/// The lines of a saved session, which also is a script that shows its results.
void value(Console& console, const std::string& argument) {
  if (auto wrong = restore_value(console, argument)) return console.fail(*wrong);
  Session& session = console.session();
  const std::string name = argument.substr(0, argument.find(' '));
  const DependencyEntryRef entry = session.dependencies().meaning({NameSpace::Values, name});
  Outcome outcome;
  if (entry)
    std::tie(outcome.value, outcome.representation) = [&] {
      const auto [found, type] = session.value_of(*entry);
      return std::pair(found ? *found : Value(), type);
    }();
  if (!outcome.representation) return;
  outcome.kind = Outcome::Kind::Value;
  outcome.name = name;
  outcome.type_text = type_text(entry->meanings.values.at(entry->name)->scheme.type, outcome.value);
  console.show(outcome);
}

void results(Console& console, const std::string& argument) {
  console.session().set_result_count(std::strtoull(argument.c_str(), nullptr, 10));
}

void watch(Console& console, const std::string& argument) {
  if (!argument.empty() && argument != "on" && argument != "off")
    return console.fail("usage: `:watch [on|off]`");
  console.watch(argument.empty() ? !console.is_watching() : argument == "on");
  console.presenter().message(!console.is_watching() ? "files are not watched\n"
                              : console.loaded_path().empty()
                                  ? "the file that is loaded next is watched\n"
                                  : console.loaded_path() + " is watched\n");
}

// ---- the editor --------------------------------------------------------------------------------

std::string quoted_for_shell(const std::string& text) {
  std::string quoted = "'";
  for (char c : text)
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

/// Lets the user edit a file; false (told) if the editor cannot be run.
bool run_editor(Console& console, const std::string& path, std::uint32_t line) {
  const char* editor = std::getenv("VISUAL");
  if (!editor || !*editor) editor = std::getenv("EDITOR");
  if (!editor || !*editor) editor = "vi";
  std::string command = editor;
  // Nearly every editor knows +LINE; those that do not are not given it for the first line.
  if (line > 1) command += " +" + std::to_string(line);
  command += " " + quoted_for_shell(path);
  const int status = [&] {
    const Terminal::ForOthers modes(STDIN_FILENO);
    return std::system(command.c_str());
  }();
  if (status == 0) return true;
  console.fail("`" + command + "` failed; the environment variable EDITOR names the editor");
  return false;
}

/// A file of its own for as long as it lives.
class TemporaryFile {
public:
  explicit TemporaryFile(std::string_view text) {
    std::string pattern = (std::filesystem::temp_directory_path() / "sinter-XXXXXX.fut").string();
    const int file = mkstemps(pattern.data(), 4);
    if (file < 0) return;
    path_ = pattern;
    std::ofstream stream(path_, std::ios::binary);
    stream << text << std::flush;
    is_written_ = stream.good();
    close(file);
  }
  ~TemporaryFile() {
    std::error_code error;
    if (!path_.empty()) std::filesystem::remove(path_, error);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }
  bool is_written() const { return is_written_; }
  std::string text() const {
    std::ostringstream text;
    text << std::ifstream(path_, std::ios::binary).rdbuf();
    return text.str();
  }

private:
  std::string path_;
  bool is_written_ = false;
};

void edit_text(Console& console, const std::string& text) {
  TemporaryFile file(text);
  if (!file.is_written()) return console.fail("no temporary file can be written");
  if (!run_editor(console, file.path(), 1)) return;
  const std::string edited = file.text();
  if (edited == text) return console.presenter().message("nothing was changed\n");
  for (const Entry& entry : entries_of(edited))
    console.submit_quietly(entry, "<editor>");
}

void edit(Console& console, const std::string& argument) {
  const std::string path = console.loaded_path();
  if (argument.empty()) {
    if (path.empty()) return edit_text(console, "");
    if (run_editor(console, path, 1) && console.load(path))
      console.presenter().message("loaded " + path + "\n");
    return;
  }
  std::optional<ValueDescription> found = describe_value(console.session(), argument);
  if (!found) return edit_text(console, "def " + argument + " = \n");
  if (found->source.empty()) return console.fail("`" + argument + "` is built in");
  const std::size_t colon = found->place.find(':');
  const std::string file = found->place.substr(0, colon);
  if (file.starts_with("/prelude"))
    return console.fail("`" + argument + "` is of the prelude; `:source` shows it");
  if (file.starts_with("sinter/") && !std::filesystem::exists(file))
    return console.fail("`" + argument + "` is of the library; `:source` shows it");
  if (!std::filesystem::exists(file)) return edit_text(console, found->source + "\n");
  const auto line =
      static_cast<std::uint32_t>(std::strtoul(found->place.c_str() + colon + 1, nullptr, 10));
  if (run_editor(console, file, line) && !path.empty() && console.load(path))
    console.presenter().message("loaded " + path + "\n");
}

constexpr Command table[] = {
    {"who", "", "the variables: their types, bytes and places", Completes::Nothing, who},
    {"undo", "", "take the last definition, result or file back", Completes::Nothing, undo},
    {"forget", "NAMES", "let names and their values go", Completes::Names, forget},
    {"save", "FILE", "write what is defined, and the results, to a file", Completes::Files, save},
    {"restore", "FILE", "start afresh with what was saved", Completes::Files, restore},
    {"value", "NAME TYPE \"FILE\"", "name a value of a saved session", Completes::Nothing, value},
    {"results", "COUNT", "how many results a saved session had", Completes::Nothing, results},
    {"edit", "[NAME]", "the loaded file, or a definition, in $EDITOR", Completes::Names, edit},
    {"watch", "[on|off]", "load the file again when it has changed", Completes::Nothing, watch},
};

} // namespace

std::span<const Command> keeping_commands() {
  return table;
}

} // namespace sinter::repl
