#include "repl/editor/key_help.h"

#include <cassert>
#include <string_view>

namespace sinter::repl {

namespace {

struct Row {
  std::string_view keys; ///< empty: `what` is the title of a group
  std::string_view what;
};

/// Editor::press and what it calls say the same in code.
constexpr Row rows[] = {
    {"", "Entries"},
    {"Enter", "evaluate; in an unfinished entry, go on in the next line"},
    {"Alt-Enter", "a new line in any case"},
    {"Tab", "complete the name, command or file; twice: show what there is"},
    {"Tab, Shift-Tab", "at the start of a line: indent it, take indentation back"},
    {"Ctrl-C", "drop the entry; stop an evaluation"},
    {"Ctrl-D", "in an empty entry: leave"},
    {"Ctrl-L", "clear the screen"},
    {"Ctrl-Z", "suspend the program"},
    {"", "Moving"},
    {"Left, Right",
     "by a character (also Ctrl-B, Ctrl-F); with Ctrl or Alt by a word (Alt-B, Alt-F)"},
    {"Up, Down", "by a line, at the first and last one through the history (also Ctrl-P, Ctrl-N)"},
    {"Home, End",
     "to the line's ends (also Ctrl-A, Ctrl-E); with Ctrl to the entry's (Alt-<, Alt->)"},
    {"", "History"},
    {"PageUp, PageDown", "older and newer entries that begin like this one (also Alt-P, Alt-N)"},
    {"Ctrl-R, Ctrl-S", "search for a part of an entry, backward and forward; Ctrl-G gives up"},
    {"", "Changing"},
    {"Backspace, Delete", "erase a character; with Alt (Delete: or Ctrl) a word"},
    {"Ctrl-K, Ctrl-U", "cut to the end of the line, to its start"},
    {"Ctrl-W, Alt-D", "cut the word before the cursor, the one after it"},
    {"Ctrl-Y, Alt-Y", "paste what was cut last; instead of it what was cut before that"},
    {"Ctrl-T", "swap two characters"},
    {"Ctrl-_", "undo"},
};

} // namespace

std::string key_help() {
  std::string text;
  for (const Row& row : rows) {
    if (row.keys.empty()) {
      text += std::string(row.what) + ":\n";
      continue;
    }
    std::string line = "  " + std::string(row.keys);
    assert(line.size() < key_help_indentation); // all of it ASCII
    line.resize(key_help_indentation, ' ');
    text += line + std::string(row.what) + "\n";
  }
  return text;
}

} // namespace sinter::repl
