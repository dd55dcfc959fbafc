#include "repl/literate/writer.h"

#include "repl/editor/input_text.h"
#include "repl/kernel/cell_output.h"
#include "repl/kernel/html.h"
#include "repl/session/interrupt_key.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace sinter::repl {

namespace {

namespace fs = std::filesystem;

std::string ending_for(const Media& media) {
  if (media.mime_type == "image/svg+xml") return "svg";
  return media.mime_type.substr(media.mime_type.rfind('/') + 1);
}

// ---- Markdown
// ----------------------------------------------------------------------------------

class MarkdownWriter final : public DocumentWriter {
public:
  MarkdownWriter(std::string folder, std::string reference)
      : folder_(std::move(folder)), reference_(std::move(reference)) {}

  Drawing drawing() const override { return Drawing::Png; }
  void prose(std::string_view markdown) override { (text_ += markdown) += '\n'; }
  void code(std::string_view program) override { fenced("futhark", program); }
  void directive(std::string_view text) override { fenced("", text); }
  void value(std::string_view text, std::string_view) override { fenced("", text); }
  void failure(std::string_view messages) override {
    text_ += "**FAILED**\n";
    fenced("", messages);
  }
  void media(const Media& media, const std::string& file) override {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) throw FormatError("cannot make the folder `" + folder_ + "`: " + error.message());
    std::string name = file.empty() ? std::to_string(++count_) + "." + ending_for(media) : file;
    write_file_bytes((fs::path(folder_) / name).string(), media.bytes);
    bool sound = media.mime_type.starts_with("audio/");
    // A reference to a sound is a link to it.
    text_ += (sound ? "[" : "![") + media.description + "](<" + reference_ + "/" + name + ">)\n\n";
  }
  std::string finish() override { return std::move(text_); }

private:
  /// In a fence that nothing in the text can close.
  void fenced(std::string_view language, std::string_view text) {
    std::size_t longest = 2, run = 0;
    for (char c : text) {
      run = c == '`' ? run + 1 : 0;
      longest = std::max(longest, run);
    }
    std::string fence(longest + 1, '`');
    ((text_ += fence) += language) += '\n';
    text_ += text;
    if (!text.ends_with('\n')) text_ += '\n';
    text_ += fence + "\n\n";
  }

  std::string text_;
  std::string folder_, reference_;
  int count_ = 0;
};

// ---- HTML
// --------------------------------------------------------------------------------------

constexpr std::string_view style =
    "body{max-width:50em;margin:2em auto;padding:0 1em;font:16px/1.5 sans-serif;color:#222}"
    "pre,div.value{padding:.6em .9em;overflow-x:auto;font:14px/1.4 monospace;"
    "border-left:3px solid #ccc}"
    "pre{background:#f5f5f2;white-space:pre-wrap;overflow-wrap:anywhere}"
    "pre.directive{color:#555;background:none;border-left-color:#e8a33d}"
    "pre.value,div.value{background:none;border-left-color:#4a8}"
    "pre.failure{border-left-color:#c33;color:#a00}"
    "table{border-collapse:collapse;font:13px/1.4 sans-serif}"
    "th,td{padding:.2em .6em;border:none}"
    "tr:nth-child(even)>td{background:#f5f5f5}"
    "th+th{border-bottom:1px solid #ccc}" // of columns, not of rows
    ".keyword{color:#008000;font-weight:bold}.number{color:#666}.string{color:#ba2121}"
    ".comment{color:#3d7b7b;font-style:italic}.type{color:#b00040}.constructor{color:#a2f}"
    ".attribute{color:#666}.command{color:#00f}"
    "img,video{max-width:100%;image-rendering:auto}";

/// The class of a style in the page; empty for what looks like the rest.
std::string_view class_of(Style kind) {
  switch (kind) {
  case Style::Keyword:
    return "keyword";
  case Style::Number:
    return "number";
  case Style::String:
    return "string";
  case Style::Comment:
    return "comment";
  case Style::Type:
    return "type";
  case Style::Constructor:
    return "constructor";
  case Style::Attribute:
    return "attribute";
  case Style::Command:
    return "command";
  default:
    return {};
  }
}

std::string code_html(std::string_view program) {
  std::string html;
  std::size_t at = 0;
  for (const StyledRange& range : highlighted(program, std::string_view::npos)) {
    const std::string_view name = class_of(range.style);
    if (name.empty()) continue;
    html += escaped(program.substr(at, range.begin - at)) + "<span class=\"" + std::string(name) +
            "\">" + escaped(program.substr(range.begin, range.end - range.begin)) + "</span>";
    at = range.end;
  }
  return html + escaped(program.substr(at));
}

class HtmlWriter final : public DocumentWriter {
public:
  explicit HtmlWriter(const std::string& title)
      : text_("<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>" +
              escaped(title) + "</title>\n<style>" + std::string(style) +
              "</style>\n</head>\n<body>\n") {}

  Drawing drawing() const override { return Drawing::Svg; }
  void prose(std::string_view markdown) override { text_ += codecs().html_of_markdown(markdown); }
  void code(std::string_view program) override {
    text_ += "<pre class=\"code\">" + code_html(program) + "</pre>\n";
  }
  void directive(std::string_view text) override {
    constexpr std::string_view mark = "> ";
    const std::size_t begin = text.starts_with(mark) ? mark.size() : 0;
    text_ += "<pre class=\"directive\">" + escaped(text.substr(0, begin)) +
             code_html(text.substr(begin)) + "</pre>\n";
  }
  void value(std::string_view text, std::string_view html) override {
    if (html.empty())
      block("value", text);
    else
      text_ += "<div class=\"value\">" + std::string(html) + "</div>\n";
  }
  void failure(std::string_view messages) override { block("failure", messages); }
  void media(const Media& media, const std::string&) override {
    std::string source =
        "src=\"data:" + escaped(media.mime_type) + ";base64," + base64(media.bytes) + "\"";
    text_ += media.mime_type.starts_with("audio/")
                 ? "<p><audio controls " + source + "></audio></p>\n"
                 : "<p><img alt=\"" + escaped(media.description) + "\" " + source + "></p>\n";
  }
  std::string finish() override { return std::move(text_) + "</body>\n</html>\n"; }

private:
  void block(std::string_view kind, std::string_view text) {
    text_ += "<pre class=\"" + std::string(kind) + "\">" + escaped(text) + "</pre>\n";
  }
  std::string text_;
};

} // namespace

/// Keeps what an entry has to show until the entry itself has been written.
class DocumentPresenter final : public Presenter {
public:
  explicit DocumentPresenter(std::function<void(const std::string&)> complain)
      : complain_(std::move(complain)) {}

  void draw_as(Drawing drawing) { drawing_ = drawing; }
  void value(const Outcome& outcome, const DisplayOptions& options) override {
    end_text();
    shown_.emplace_back(
        [text = display_result(outcome.type_text, outcome.value, outcome.representation, options,
                               outcome.order),
         html = value_html(outcome.type_text, outcome.value, outcome.representation, options,
                           outcome.order)](DocumentWriter& writer) { writer.value(text, html); });
  }
  void definition(std::string_view, bool) override {}
  void text(std::string_view text) override {
    text_ += text; // what is said in several pieces is one block
  }
  void message(std::string_view text) override {
    complain_(std::string(text));
    messages_ += text;
  }
  void media(const Media& media) override {
    end_text();
    shown_.emplace_back([media](DocumentWriter& writer) { writer.media(media, media.file); });
  }
  DrawingForm drawing_form() const override { return {.drawing = drawing_}; }

  bool has_shown() const { return !shown_.empty() || !text_.empty(); }
  /// Writes it; the messages, if it failed.
  void write(DocumentWriter& writer, bool failed) {
    end_text();
    for (const auto& show : std::exchange(shown_, {}))
      show(writer);
    if (failed) writer.failure(messages_);
    messages_.clear();
  }

private:
  void end_text() {
    if (text_.empty()) return;
    shown_.emplace_back(
        [text = std::exchange(text_, {})](DocumentWriter& writer) { writer.value(text); });
  }

  Drawing drawing_{};
  std::string text_; ///< of commands, which has not been taken up yet
  std::function<void(const std::string&)> complain_;
  std::vector<std::function<void(DocumentWriter&)>> shown_;
  std::string messages_;
};

namespace {

/// What a directive looks like in the document.
std::string shown_text(const Block& block) {
  if (!block.directive.brief) return block.text;
  std::string command = block.directive.command.empty() ? "" : ":" + block.directive.command + " ";
  return "> " + command + block.directive.expression() + "\n";
}

std::size_t line_count(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n')) + (text.ends_with('\n') ? 0 : 1);
}

/// The first lines of a text, which are taken off.
std::string take_lines(std::string_view& text, std::size_t count) {
  std::size_t end = 0;
  for (; count > 0 && end < text.size(); --count)
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  std::string taken(text.substr(0, end));
  text.remove_prefix(end);
  return taken;
}

void write_code(DocumentWriter& writer, std::string code) {
  const std::size_t begin = std::min(code.find_first_not_of('\n'), code.size());
  code.erase(0, begin);
  while (code.ends_with("\n\n"))
    code.pop_back();
  if (!code.empty()) writer.code(code);
}

/// Goes through a script and its blocks at once.
class DocumentMaker {
public:
  DocumentMaker(Console& console, DocumentPresenter& presenter, DocumentWriter& writer,
                std::string path, bool stops_on_error)
      : console_(console), presenter_(presenter), writer_(writer), path_(std::move(path)),
        stops_on_error_(stops_on_error) {}

  /// False: nothing more is to be obeyed or written.
  bool write(const Block& block, std::span<const Entry> entries) {
    switch (block.kind) {
    case Block::Kind::Prose:
      writer_.prose(block.text);
      return true;
    case Block::Kind::Directive:
      if (!block.directive.covert) writer_.directive(shown_text(block));
      for (const Entry& entry : entries)
        if (!obey(entry)) return false;
      return true;
    case Block::Kind::Code:
      break;
    }
    std::string_view rest = block.text;
    std::size_t line = block.line;
    std::string code;
    for (const Entry& entry : entries) {
      const std::size_t end = entry.line + line_count(entry.text);
      code += take_lines(rest, end - line);
      line = end;
      const bool goes_on = obey(entry, &code);
      if (!goes_on) return false;
    }
    write_code(writer_, code + std::string(rest));
    return true;
  }
  const Outcome& result() const { return result_; }

private:
  bool obey(const Entry& entry, std::string* code = nullptr) {
    const bool failed = console_.submit(entry, path_) == Console::Progress::Failed;
    if (code && (failed || presenter_.has_shown())) write_code(writer_, std::exchange(*code, {}));
    presenter_.write(writer_, failed);
    if (!failed) return true;
    if (result_.ok()) result_ = console_.failure();
    return !stops_on_error_ && console_.failure().failure != FailureKind::Interrupted;
  }

  Console& console_;
  DocumentPresenter& presenter_;
  DocumentWriter& writer_;
  std::string path_;
  bool stops_on_error_;
  Outcome result_;
};

} // namespace

std::unique_ptr<DocumentWriter> markdown_writer(const std::string& folder,
                                                const std::string& reference) {
  return std::make_unique<MarkdownWriter>(folder, reference);
}

std::unique_ptr<DocumentWriter> html_writer(const std::string& title) {
  return std::make_unique<HtmlWriter>(title);
}

DocumentConsole::DocumentConsole(ConsoleOptions options,
                                 std::function<void(const std::string&)> complain)
    : presenter_(std::make_unique<DocumentPresenter>(std::move(complain))),
      console_(std::move(options), *presenter_) {}

DocumentConsole::~DocumentConsole() = default;

Document DocumentConsole::obey(const std::string& path, bool stop_on_error,
                               DocumentWriter& writer) {
  presenter_->draw_as(writer.drawing());
  std::string text;
  try {
    text = read_script(path);
  } catch (const FormatError&) {
    // Loading says it in its own words.
  }
  std::vector<Entry> entries = entries_of(text);
  if (is_program(entries)) {
    const InterruptKey key(session().interrupt());
    if (!console_.load(path)) return {console_.failure(), false};
    std::erase_if(entries, [](const Entry& entry) { return entry.kind == Entry::Kind::Code; });
  }
  DocumentMaker maker(console_, *presenter_, writer, path, stop_on_error);
  std::size_t next = 0;
  for (const Block& block : blocks_of(text)) {
    // An entry belongs to the block that it ends in: comments before it may be prose.
    const std::size_t end = block.line + line_count(block.text);
    const std::size_t first = next;
    while (next < entries.size() && entries[next].line + line_count(entries[next].text) <= end)
      ++next;
    if (!maker.write(block, std::span(entries).subspan(first, next - first)))
      return {maker.result(), false};
  }
  return {maker.result(), true};
}

Outcome write_document(DocumentConsole& console, const std::string& path,
                       const LiterateOptions& options) {
  const fs::path output = options.output;
  const fs::path folder = fs::path(output).replace_extension().concat("-img");
  const bool is_html = output.extension() == ".html";
  std::unique_ptr<DocumentWriter> writer =
      is_html ? html_writer(fs::path(path).filename().string())
              : markdown_writer(folder.string(), folder.filename().string());
  const Document document = console.obey(path, options.stop_on_error, *writer);
  if (document.is_whole) write_file_bytes(options.output, writer->finish());
  return document.outcome;
}

} // namespace sinter::repl
