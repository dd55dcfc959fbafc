#include "tests/fuzz/session_driver.h"

#include "lang/values/format.h"
#include "repl/commands/command.h"
#include "repl/editor/editor.h"
#include "repl/editor/input_text.h"
#include "repl/prompt/color_presenter.h"
#include "repl/prompt/prompt.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sinter::tests {

namespace {

/// What is likely to lead somewhere.
constexpr std::string_view pieces[] = {
    // keys
    "\r", "\r", "\r", "\r", "\r", "\x1b\r", "\x7f", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\t",
    "\t", "\x12", "\x13", "\x19", "\x1by", "\x1f", "\x17", "\x15",
    "\x1b[200~let z = 1\r\nin (z\x1b[201~", "\x1b[200~\x1b[201~", "\x1b[3~", "\x03", "\x0c", "\x1a",
    "\x04",
    // whole inputs
    "iota 10\r", "it\r", "map (+ 1) it\r", "let x = 3\r", "def f (n: i64) = iota n\r", "f 5\r",
    "#[break] 1 + 1\r", ":continue\r", ":abort\r", "[[1.5, 2], [3, f64.nan]]\r",
    "loop i = 0i64 while true do i + 1\r", "replicate 100000000000 0u8\r",
    "type t = #a i32 | #b {x: f32}\r", "#a 1 : t\r", "module m = {def y = 2i32 type s = [2]f64}\r",
    "m.y\r", "(1, {a = [true]}, \\x -> x + 1i32)\r", "def g x = g (x + 1) : i32\r", "g 0\r",
    "entry main (xs: []f32) = f32.sum xs\r", "main [1, 2]\r", "[1][2]\r", "1 / 0\r",
    "assert false 1\r", "match it case _ -> 1\r", "scatter (iota 5) [0, 9] [7, 8]\r", "open m\r",
    "import \"a\"\r",
    // fragments
    "let ", "in ", "def ", "if true ", "then ", "else ", "\\x -> ", "match ", "case ", "loop ",
    "for ", "do ", "while ", "with ", "module ", "type ", "entry ", "it", "x", "map ",
    "reduce (+) 0 ", "scan ", "filter ", "zip ", "iota ", "f32.", "i64.", "(", ")", "[", "]", "{",
    "}", "#", "#[", "\"", "\"a\"", ": ", " = ", " -> ", ", ", "1", "0.5f32",
    "-9223372036854775808i64", "+ ", "*", "==", "漢", "e\u0301", "\xff", "-- ", "-- |", "...",
    "..<", ":>", "$", "@", "'a ", "*[n]", "[n]", "u8 ",
    // commands
    ":set ", ":type ", ":load ", ":help ", "a.fut", "b.bin", "mode ", "jit", " on\r", " off\r",
    ":"};

/// Reads keys out of bytes until an entry ends, as the terminal's editor does.
class Typist final : public repl::LineEditor {
public:
  Typist(std::span<const std::uint8_t> bytes, repl::EditorHooks hooks)
      : bytes_(bytes), editor_(std::move(hooks), history_) {}

  std::size_t inputs() const { return inputs_; }
  bool at_end() const { return bytes_.empty() && keys_.is_idle(); }

  Line read(const std::string& prompt, const std::string& more) override {
    editor_.begin(prompt, more);
    repl::Screen screen(true);
    std::size_t top = 0;
    while (true) {
      screen.draw(repl::window(editor_.frame(columns, rows), rows, top));
      std::optional<repl::Key> key = next_key();
      if (!key) return {};
      switch (editor_.press(*key)) {
      case repl::Editor::Result::Accepted:
        screen.draw(editor_.last_frame(columns));
        ++inputs_;
        return {Line::Kind::Whole, editor_.text()};
      case repl::Editor::Result::Cancelled:
        return {Line::Kind::Interrupted, {}};
      case repl::Editor::Result::Ended:
        return {};
      default:
        break;
      }
    }
  }
  void remember(const std::string& input) override { history_.add(input); }

private:
  std::optional<repl::Key> next_key() {
    while (true) {
      if (std::optional<repl::Key> key = keys_.next()) return key;
      if (bytes_.empty()) {
        bool was_waiting = keys_.is_waiting();
        std::optional<repl::Key> key = keys_.give_up();
        if (!was_waiting) keys_ = {}; // a paste without an end
        return key;
      }
      std::uint8_t byte = bytes_.front();
      bytes_ = bytes_.subspan(1);
      keys_.feed(byte < 128 ? std::string(1, static_cast<char>(byte)) : piece(byte - 128u));
    }
  }
  /// The dictionary, and after it the commands.
  static std::string piece(std::size_t number) {
    const std::vector<repl::Command>& commands = repl::commands();
    constexpr std::size_t count = std::size(pieces);
    static_assert(count < 128);
    if (number < count) return std::string(pieces[number]);
    return ":" + std::string(commands[(number - count) * 7 % commands.size()].name) + " ";
  }

  static constexpr std::size_t columns = 30, rows = 8;
  std::span<const std::uint8_t> bytes_;
  repl::KeyDecoder keys_;
  repl::History history_;
  repl::Editor editor_;
  std::size_t inputs_ = 0;
};

/// Counts the values that it shows.
class CountingPresenter final : public repl::ColorPresenter {
public:
  using ColorPresenter::ColorPresenter;
  void value(const repl::Outcome& outcome, const repl::DisplayOptions& options) override {
    ++values;
    ColorPresenter::value(outcome, options);
  }
  std::size_t values = 0;
};

[[noreturn]] void give_up(const std::string& messages) {
  std::fputs(messages.c_str(), stderr);
  std::abort();
}

/// Where relative paths lead to while sessions are typed.
void enter_scratch_folder() {
  static const bool entered = [] {
    namespace fs = std::filesystem;
    std::string pattern = (fs::temp_directory_path() / "sinter_session_XXXXXX").string();
    if (!mkdtemp(pattern.data())) std::abort();
    fs::current_path(pattern);
    std::ofstream("a.fut")
        << "-- | Doubles.\ndef double (x: f64) = 2 * x\nmodule k = {type t = i32}\n";
    std::ofstream("b.bin") << "b\x02\x01 i32\x03";
    for (const char* name : {"EDITOR", "VISUAL", "PAGER"})
      setenv(name, "false", 1);
    for (const char* name : {"PATH", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "HOME"})
      setenv(name, pattern.c_str(), 1);
    return true;
  }();
  (void)entered;
}

} // namespace

TypedSession type_at_random(std::span<const std::uint8_t> bytes) {
  enter_scratch_folder();
  std::ostringstream out, err;
  CountingPresenter presenter(out, err);
  repl::PromptOptions options;
  options.console.session.color = true;
  options.console.session.max_memory_bytes = std::size_t{64} << 20;
  options.console.session.timeout = std::chrono::milliseconds(100);
  options.console.session.trace = [&](const std::string& text) { err << text; };
  options.console.display.width = 40;
  repl::Prompt prompt(options, presenter);
  repl::EditorHooks hooks;
  hooks.highlight = repl::highlighted;
  hooks.is_whole = repl::is_whole_input;
  hooks.indentation = repl::indentation_after;
  hooks.complete = [&](std::string_view text) { return prompt.console().complete(text); };
  Typist typist(bytes, std::move(hooks));
  while (!typist.at_end())
    prompt.run(typist); // which ends at `:quit` and Ctrl-D too
  TypedSession typed{typist.inputs(), presenter.values};
  // At the beginning of a line: what was typed is quoted elsewhere, and may be these very words.
  const std::string messages = "\n" + err.str();
  if (messages.find("\nerror: internal error: ") != std::string::npos) give_up(messages);
  for (std::size_t at = 0; (at = messages.find("error: ", at)) != std::string::npos; ++at)
    ++typed.errors;
  // Whatever was set and defined, a number is a number.
  repl::Session& session = prompt.console().session();
  session.set_timeout(std::nullopt);
  session.set_memory_limit(SIZE_MAX);
  const repl::Outcome answer = session.submit("42i32");
  if (!answer.ok() || print_value(answer.value, answer.representation) != "42i32")
    give_up(messages + "\nthe session no longer evaluates: " + answer.messages);
  return typed;
}

} // namespace sinter::tests
