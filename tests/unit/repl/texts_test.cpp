// Texts as people paste them from tutorials, through every entrance: all of them show the same
// values and the same errors, but for the place.
#include "repl/editor/editor.h"
#include "repl/editor/input_text.h"
#include "repl/kernel/kernel.h"
#include "repl/literate/writer.h"
#include "repl/prompt/prompt.h"
#include "repl/scripts/script.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

using namespace sinter;
using namespace sinter::repl;

namespace {

/// What was shown: "[3]i32: [1, 2, 3]", "error: Unknown name …".
using Shown = std::vector<std::string>;

void add_errors(Shown& shown, const std::string& messages) {
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t error = line.find("rror: "); error != std::string::npos)
      shown.push_back("e" + line.substr(error));
}

/// The kernel speaks of definitions only where numbers have got a type by default.
void add_text(Shown& shown, const std::string& text) {
  static const std::regex definition("[a-z_0-9]+ : .*");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (!std::regex_match(line, definition)) shown.push_back(line);
}

class Recorder final : public Presenter {
public:
  void value(const Outcome& outcome, const DisplayOptions& options) override {
    // A result that is taken back gives its number to the one that comes instead.
    if (const auto known = std::ranges::find(names_, outcome.name); known != names_.end()) {
      shown.resize(static_cast<std::size_t>(known - names_.begin()));
      names_.resize(shown.size());
    }
    shown.push_back(display_result(outcome.type_text, outcome.value, outcome.representation,
                                   options, outcome.order));
    names_.resize(shown.size());
    names_.back() = outcome.name;
  }
  void definition(std::string_view, bool) override {}
  void text(std::string_view text) override { add_text(shown, std::string(text)); }
  void message(std::string_view text) override { add_errors(shown, std::string(text)); }
  void media(const Media& media) override { shown.push_back(media.description); }

  Shown shown;

private:
  std::vector<std::string> names_; ///< of the results that are shown
};

/// Gives a prompt lines, or a whole text.
class Lines final : public LineEditor {
public:
  explicit Lines(std::vector<Line> lines) : lines_(std::move(lines)) {}
  Line read(const std::string&, const std::string&) override {
    return next_ < lines_.size() ? lines_[next_++] : Line();
  }
  void remember(const std::string&) override {}

private:
  std::vector<Line> lines_;
  std::size_t next_ = 0;
};

/// Presses the keys of a text in the line editor, as a terminal does that does not mark pastes.
class Keys final : public LineEditor {
public:
  explicit Keys(std::string text) : text_(std::move(text)) {
    EditorHooks hooks;
    hooks.is_whole = is_whole_input;
    hooks.indentation = indentation_after;
    editor_.emplace(std::move(hooks), history_);
  }
  Line read(const std::string&, const std::string&) override {
    editor_->begin("> ", "| ");
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      const char following = at_ < text_.size() ? text_[at_] : '\0';
      const Key key = c == '\n' ? Key{Key::Kind::Enter, {}} : Key{Key::Kind::Character, {c}};
      if (editor_->press(key, following) == Editor::Result::Accepted)
        return {Line::Kind::Whole, editor_->text()};
    }
    // Who pastes presses Enter then, until what was pasted is obeyed.
    for (int i = 0; i < 3 && !editor_->text().empty(); ++i)
      if (editor_->press({Key::Kind::Enter, {}}) == Editor::Result::Accepted)
        return {Line::Kind::Whole, editor_->text()};
    return {};
  }
  void remember(const std::string&) override {}

private:
  std::string text_;
  std::size_t at_ = 0;
  History history_{""};
  std::optional<Editor> editor_;
};

Shown at_prompt(LineEditor& editor) {
  Recorder recorder;
  Prompt prompt({}, recorder);
  prompt.run(editor);
  return recorder.shown;
}

Shown typed(const std::string& text) {
  std::vector<LineEditor::Line> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back({LineEditor::Line::Kind::Text, line});
  Lines editor(std::move(lines));
  return at_prompt(editor);
}

Shown pasted_without_marks(const std::string& text) {
  Keys editor(text);
  return at_prompt(editor);
}

Shown pasted(const std::string& text) {
  Lines editor({{LineEditor::Line::Kind::Whole, text}});
  return at_prompt(editor);
}

Shown in_cell(const std::string& text) {
  class Output final : public CellOutput {
  public:
    void stream(Stream stream, std::string_view text) override {
      if (stream == Stream::Out) add_text(shown, std::string(text));
    }
    void display(const MimeBundle& bundle, std::string_view) override { add(bundle); }
    void result(const MimeBundle& bundle) override { add(bundle); }
    void add(const MimeBundle& bundle) {
      for (const auto& [type, content] : bundle)
        if (type == "text/plain") shown.push_back(content);
    }
    Shown shown;
  } output;
  Kernel kernel({});
  if (std::optional<CellError> error = kernel.execute(text, output))
    for (const std::string& line : error->lines)
      add_errors(output.shown, line);
  return output.shown;
}

Shown as_script(const std::string& path) {
  Recorder recorder;
  Console console({}, recorder);
  run_script(console, path);
  return recorder.shown;
}

Shown as_page(const std::string& path) {
  class Writer final : public DocumentWriter {
  public:
    Drawing drawing() const override { return Drawing::Png; }
    void prose(std::string_view) override {}
    void code(std::string_view) override {}
    void directive(std::string_view) override {}
    void value(std::string_view text, std::string_view) override {
      add_text(shown, std::string(text));
    }
    void failure(std::string_view messages) override { add_errors(shown, std::string(messages)); }
    void media(const Media& media, const std::string&) override {
      shown.push_back(media.description);
    }
    std::string finish() override { return {}; }
    Shown shown;
  } writer;
  const auto complain = [](const std::string&) {};
  if (!DocumentConsole({}, complain).obey(path, false, writer).is_whole)
    return as_script(path); // a program that is not one: there is no page, only the messages
  return writer.shown;
}

std::string listed(const Shown& shown) {
  std::string text;
  for (const std::string& one : shown)
    text += one + "\n";
  return text;
}

} // namespace

TEST_CASE("a text means the same through every entrance") {
  const tests::TemporaryFolder folder;
  std::size_t count = 0, with_errors = 0;
  for (const auto& file : std::filesystem::directory_iterator("tests/prompt/texts")) {
    std::stringstream stream;
    stream << std::ifstream(file.path(), std::ios::binary).rdbuf();
    const std::string text = stream.str();
    const std::string name = file.path().filename().string();
    const Shown expected = pasted(text);
    CHECK_MESSAGE(!expected.empty(), name);
    ++count;
    with_errors += listed(expected).find("error: ") != std::string::npos;
    CHECK_MESSAGE(listed(pasted_without_marks(text)) == listed(expected), name << ", keys");
    CHECK_MESSAGE(listed(in_cell(text)) == listed(expected), name << ", a cell");
    const std::string path = folder.file(name + ".fut");
    std::ofstream(path, std::ios::binary) << text;
    CHECK_MESSAGE(listed(as_script(path)) == listed(expected), name << ", a script");
    CHECK_MESSAGE(listed(as_page(path)) == listed(expected), name << ", a page");
    // Where each line is obeyed as soon as it can be, indented lines come too late to go on.
    if (text.find("\n  |>") == std::string::npos)
      CHECK_MESSAGE(listed(typed(text)) == listed(expected), name << ", line by line");
  }
  CHECK(count >= 45);
  CHECK(with_errors == 6);
}
