#include "repl/editor/editor.h"

#include "repl/editor/input_text.h"
#include "tests/unit/repl/terminal_model.h"

#include <doctest/doctest.h>

#include <random>

using namespace sinter;
using repl::Editor;
using repl::Key;
using Result = repl::Editor::Result;

namespace {

/// An editor that is typed at; keys are written as the bytes that a terminal sends.
struct Typist {
  repl::History history;
  Editor editor;
  repl::KeyDecoder keys;

  explicit Typist(repl::EditorHooks hooks = {}) : editor(std::move(hooks), history) {
    editor.begin("> ", "| ");
  }
  Result type(std::string_view bytes) {
    keys.feed(bytes);
    Result result = Result::Going;
    while (true) {
      std::optional<Key> key = keys.next();
      if (!key) key = keys.give_up();
      if (!key) return result;
      result = editor.press(*key);
    }
  }
  std::string after(std::string_view bytes) {
    type(bytes);
    return editor.text();
  }
  std::vector<std::string> screen(std::size_t columns = 40, std::size_t rows = 24) {
    tests::TerminalModel terminal(columns);
    terminal.feed(repl::Screen(false).draw(editor.frame(columns, rows)));
    return terminal.text();
  }
};

using Lines = std::vector<std::string>;

const std::string up = "\x1b[A", down = "\x1b[B", left = "\x1b[D", home = "\x1b[H";

repl::EditorHooks language() {
  repl::EditorHooks hooks;
  hooks.highlight = repl::highlighted;
  hooks.is_whole = repl::is_whole_input;
  hooks.indentation = repl::indentation_after;
  return hooks;
}

repl::EditorHooks completing(std::vector<repl::Completion> items) {
  repl::EditorHooks hooks;
  hooks.complete = [items](std::string_view text) {
    std::size_t begin = text.rfind(' ') == std::string_view::npos ? 0 : text.rfind(' ') + 1;
    repl::Completions found{begin, {}};
    for (const repl::Completion& item : items)
      if (item.text.starts_with(text.substr(begin))) found.items.push_back(item);
    return found;
  };
  return hooks;
}

} // namespace

TEST_CASE("keys move and delete as in Emacs") {
  CHECK(Typist().after("abc\x01X\x05Y\x02\x02Z") == "XabZcY");
  CHECK(Typist().after("abc\x02\x04") == "ab");
  CHECK(Typist().after("abc\x7f\x7f") == "a");
  CHECK(Typist().after("one two\x17three") == "one three");
  CHECK(Typist().after("one two.three\x1b\x7f!") == "one two.!");
  CHECK(Typist().after("one two\x1b"
                       "b\x0b") == "one ");
  CHECK(Typist().after("one two\x01\x1b"
                       "d") == " two");
  CHECK(Typist().after("one two\x15") == "");
  CHECK(Typist().after("ab\x14") == "ba");
  CHECK(Typist().after("abc\x02\x14") == "acb");
  CHECK(Typist().after("abc" + home + "\x1b[3~") == "bc");
  CHECK(Typist().after("one two\x1b[1;5DX") == "one Xtwo"); // control with left
}

TEST_CASE("deleted text comes back, deletions in a row as one") {
  CHECK(Typist().after("one two three\x17\x17\x01\x19") == "two threeone ");
  CHECK(Typist().after("one two\x17\x05 \x17\x19\x1by") == "two"); // the one before
}

TEST_CASE("changes are undone, typing in a row as one change") {
  CHECK(Typist().after("one two\x1f") == "one ");
  CHECK(Typist().after("one\x17\x1f") == "one");
  CHECK(Typist().after("\x1f") == "");
  Typist typist;
  typist.type("abc\x01");
  CHECK(typist.after("X\x1f") == "abc");
}

TEST_CASE("glyphs of several bytes and marks are one step") {
  CHECK(Typist().after("aé漢\x7f") == "aé");
  CHECK(Typist().after("e\u0301x\x02\x02Y") == "Ye\u0301x");
  CHECK(Typist().after("\xff") == "\uFFFD"); // what is no UTF-8 doesn't get in
}

TEST_CASE("Enter ends an entry that is whole; Ctrl-C and Ctrl-D end it too") {
  Typist typist(language());
  CHECK(typist.type("1 + 1\r") == Result::Accepted);
  CHECK(Typist(language()).type("1 +\r") == Result::Going);
  CHECK(Typist().type("\x04") == Result::Ended);
  CHECK(Typist().type("a\x04") == Result::Going);
  CHECK(Typist().type("a\x03") == Result::Cancelled);
  CHECK(Typist().type("\x1a") == Result::Suspended);
  CHECK(Typist().type("\x0c") == Result::Cleared);
}

TEST_CASE("an entry that isn't whole goes on in a line of its own, indented") {
  Typist typist(language());
  CHECK(typist.after("def f x =\r") == "def f x =\n  ");
  CHECK(typist.after("let y = (\r") == "def f x =\n  let y = (\n    ");
  CHECK(typist.type("1)\rin y\r") == Result::Accepted);
  CHECK(Typist().after("a\x1b\rb") == "a\nb"); // Alt-Enter
  // Cases may follow cases; an empty line ends them.
  Typist cases(language());
  CHECK(cases.type("match 1i32\rcase 1 -> 2\r") == Result::Going);
  CHECK(cases.type("case _ -> 3\r") == Result::Going);
  CHECK(cases.type("\r") == Result::Accepted);
}

TEST_CASE("what is pasted is one change, with its line breaks") {
  CHECK(Typist(language()).after("\x1b[200~let x = 1\r\nin\tx\r\x1b[201~") == "let x = 1\nin\tx\n");
  CHECK(Typist().after("\x1b[200~a\nb\x1b[201~\x1f") == "");
  // An escape sequence in it does nothing.
  CHECK(Typist().after("\x1b[200~a\x1b[Ab\x1b[201~") == "a[Ab");
}

TEST_CASE("up and down move between lines first, then through the history") {
  Typist typist;
  typist.history.add("old");
  typist.history.add("two\nlines");
  CHECK(typist.after("ab\x1b\rcd" + up + "X") == "abX\ncd");
  CHECK(typist.after(up) == "abX\ncd"); // nothing starts so
  typist.editor.begin("> ", "| ");
  CHECK(typist.after(up) == "two\nlines");
  CHECK(typist.after(up) == "two\nlines"); // to the first line
  CHECK(typist.after(up) == "old");
  CHECK(typist.after(up) == "old");
  CHECK(typist.after(down) == "two\nlines");
  CHECK(typist.after(down) == "");
}

TEST_CASE("up looks for what starts as the text does") {
  Typist typist;
  for (const char* input : {"let a", "map f", "let b", "map g"})
    typist.history.add(input);
  CHECK(typist.after("let" + up) == "let b");
  CHECK(typist.after(up) == "let a");
  CHECK(typist.after(down + down) == "let");
  CHECK(typist.after("\x15" + up) == "map g");
}

TEST_CASE("incremental search goes back and forth") {
  Typist typist;
  for (const char* input : {"map f xs", "reduce f", "map G xs"})
    typist.history.add(input);
  CHECK(typist.after("new\x12map") == "map G xs");
  CHECK(typist.screen() == Lines{"> map G xs", "search: map"});
  CHECK(typist.after("\x12") == "map f xs");
  CHECK(typist.after("\x12") == "map f xs");
  CHECK(typist.screen() == Lines{"> map f xs", "nothing found: map"});
  CHECK(typist.after("\x13") == "map G xs");
  CHECK(typist.after("\x07") == "new");               // given up
  CHECK(typist.after("\x12G\x1b[C!") == "map G! xs"); // any other key means what it always does
  CHECK(typist.type("\x12red\r") == Result::Accepted);
  CHECK(typist.editor.text() == "reduce f");
}

TEST_CASE("tab completes as far as there is one way, then shows the ways") {
  Typist typist(completing({{"reduce", "a"}, {"reduce_comm", "b"}, {"replicate", "c"}}));
  CHECK(typist.after("1 + re\t") == "1 + re");
  CHECK(typist.screen() == Lines{"> 1 + re", "reduce       a", "reduce_comm  b", "replicate    c"});
  CHECK(typist.after("d\t") == "1 + reduce");
  CHECK(typist.screen() == Lines{"> 1 + reduce"});
  CHECK(typist.after("_\t") == "1 + reduce_comm");
  CHECK(typist.after("x\t") == "1 + reduce_commx");
}

TEST_CASE("many completions stand in columns, elided; long details are cut") {
  std::vector<repl::Completion> many;
  for (int i = 10; i < 90; ++i)
    many.push_back({"name" + std::to_string(i), "detail"});
  Typist typist(completing(many));
  typist.type("name\t");
  Lines lines = typist.screen(40, 12);
  CHECK(lines.size() == 7);
  CHECK(lines[1] == "name10  name15  name20  name25  name30");
  CHECK(lines.back() == "… and 55 more");
  Typist other(completing({{"ab", "a type that is much too long for this"}, {"ac", ""}}));
  other.type("a\t");
  CHECK(other.screen(20) == Lines{"> a", "ab  a type that is …", "ac"});
}

TEST_CASE("at the start of a line tab indents") {
  CHECK(Typist().after("\tx") == "  x");
  CHECK(Typist().after("\t\t\x1b[Zx") == "  x");
}

TEST_CASE("long lines go on in the next row; wide glyphs are not cut") {
  Typist typist;
  typist.type("12345678901234567漢字x");
  CHECK(typist.screen(20) == Lines{"> 12345678901234567", "漢字x"});
  typist.editor.begin("> ", "| ");
  typist.type("123456789012345678");
  CHECK(typist.screen(20) == Lines{"> 123456789012345678"});
  CHECK(typist.editor.frame(20, 24).cursor_row == 1);
}

TEST_CASE("an entry that is higher than the screen shows the part around the cursor") {
  Typist typist;
  for (int i = 0; i < 9; ++i)
    typist.type(std::to_string(i) + "\x1b\r");
  std::size_t top = 0;
  auto shown = [&] {
    tests::TerminalModel terminal(20);
    terminal.feed(repl::Screen(false).draw(repl::window(typist.editor.frame(20, 3), 3, top)));
    return terminal.text();
  };
  CHECK(shown() == Lines{"| 7", "| 8", "|"});
  typist.type("\x1b[A\x1b[A\x1b[A\x1b[A");
  CHECK(shown() == Lines{"| 5", "| 6", "| 7"});
}

TEST_CASE("a change of one glyph is a few bytes of output") {
  Typist typist(language());
  typist.type("map (\\x -> x + 1) [1, 2, 3]");
  repl::Screen screen(true);
  screen.draw(typist.editor.frame(80, 24));
  CHECK(screen.draw(typist.editor.frame(80, 24)).empty());
  typist.type("i");
  CHECK(screen.draw(typist.editor.frame(80, 24)).size() < 60);
}

TEST_CASE("whatever is typed, the screen shows what the editor means") {
  // Output that only says what changed must lead to the same screen as output from nothing.
  const std::vector<std::string> pieces = {"a",
                                           "b ",
                                           "é",
                                           "漢",
                                           "(",
                                           ")",
                                           "[",
                                           "]",
                                           "{",
                                           "\"",
                                           "let x = ",
                                           "\r",
                                           "\x1b\r",
                                           "\x7f",
                                           "\x1b[A",
                                           "\x1b[B",
                                           "\x1b[C",
                                           "\x1b[D",
                                           "\x01",
                                           "\x05",
                                           "\x0b",
                                           "\x15",
                                           "\x17",
                                           "\x19",
                                           "\x1by",
                                           "\x1f",
                                           "\x12",
                                           "\x13",
                                           "\x07",
                                           "\t",
                                           "\x1b[Z",
                                           "\x14",
                                           "e\u0301",
                                           "\t",
                                           "\x1b",
                                           "\x1b[200~x\ny\tz\x1b[201~",
                                           "a long piece of text that needs a row ",
                                           "\x1b[3~",
                                           "\x1b<"};
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    repl::EditorHooks hooks = language();
    hooks.complete = completing({{"let", "1"}, {"left", "2"}, {"a", "3"}, {"ab", "4"}}).complete;
    Typist typist(hooks);
    typist.history.add("one\ntwo");
    typist.history.add("a b");
    const std::size_t columns = 8 + random() % 30, rows = 4 + random() % 8;
    tests::TerminalModel terminal(columns);
    repl::Screen screen(seed % 2 == 0);
    std::size_t top = 0;
    for (int step = 0; step < 150; ++step) {
      if (typist.type(pieces[random() % pieces.size()]) == Result::Accepted) {
        terminal.feed(screen.leave());
        terminal.feed("\x1b[9999A\r\x1b[J");
        typist.history.add(typist.editor.text());
        typist.editor.begin("> ", "| ");
      }
      repl::Frame frame = repl::window(typist.editor.frame(columns, rows), rows, top);
      tests::TerminalModel afresh(columns);
      afresh.feed(repl::Screen(false).draw(frame));
      terminal.feed(screen.draw(frame));
      REQUIRE(terminal.text() == afresh.text());
      REQUIRE(terminal.row() == frame.cursor_row);
      REQUIRE(terminal.column() == frame.cursor_column);
      REQUIRE(frame.rows.size() <= rows);
      REQUIRE_FALSE(terminal.overflowed());
      REQUIRE(terminal.unknown().empty());
    }
  }
}
