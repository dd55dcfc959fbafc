#include "repl/literate/writer.h"

#include "repl/kernel/cell_output.h"
#include "repl/kernel/html.h"

#include <algorithm>
#include <filesystem>
#include <functional>

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

  void prose(std::string_view markdown) override { (text_ += markdown) += '\n'; }
  void code(std::string_view program) override { fenced("futhark", program); }
  void directive(std::string_view text) override { fenced("", text); }
  void value(std::string_view text) override { fenced("", text); }
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
    "pre{background:#f5f5f2;padding:.6em .9em;overflow-x:auto;font:14px/1.4 monospace;"
    "border-left:3px solid #ccc}"
    "pre.directive{color:#555;background:none;border-left-color:#e8a33d}"
    "pre.value{border-left-color:#4a8}"
    "pre.failure{border-left-color:#c33;color:#a00}"
    "img{max-width:100%;image-rendering:auto}";

class HtmlWriter final : public DocumentWriter {
public:
  explicit HtmlWriter(const std::string& title)
      : text_("<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>" +
              escaped(title) + "</title>\n<style>" + std::string(style) +
              "</style>\n</head>\n<body>\n") {}

  void prose(std::string_view markdown) override { text_ += codecs().html_of_markdown(markdown); }
  void code(std::string_view program) override { block("code", program); }
  void directive(std::string_view text) override { block("directive", text); }
  void value(std::string_view text) override { block("value", text); }
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

/// What a directive looks like in the document.
std::string shown_text(const Block& block) {
  if (!block.directive.brief) return block.text;
  std::string command = block.directive.command.empty() ? "" : ":" + block.directive.command + " ";
  return "> " + command + block.directive.expression() + "\n";
}

} // namespace

std::unique_ptr<DocumentWriter> markdown_writer(const std::string& folder,
                                                const std::string& reference) {
  return std::make_unique<MarkdownWriter>(folder, reference);
}

std::unique_ptr<DocumentWriter> html_writer(const std::string& title) {
  return std::make_unique<HtmlWriter>(title);
}

Outcome write_document(Session& session, const std::string& path, const LiterateOptions& options,
                       const std::function<void(const std::string&)>& complain) {
  Outcome result = session.load(path);
  if (!result.messages.empty()) complain(result.messages);
  result.messages.clear();
  if (!result.ok()) return result;
  fs::path output = options.output;
  fs::path folder = fs::path(output).replace_extension().concat("-img");
  std::unique_ptr<DocumentWriter> writer =
      output.extension() == ".html" ? html_writer(fs::path(path).filename().string())
                                    : markdown_writer(folder.string(), folder.filename().string());
  std::string text(session.sources().text(session.loaded()->syntax.id));
  for (const Block& block : blocks_of(text)) {
    if (block.kind == Block::Kind::Prose) {
      writer->prose(block.text);
      continue;
    }
    if (block.kind == Block::Kind::Code) {
      writer->code(block.text);
      continue;
    }
    if (!block.directive.covert) writer->directive(shown_text(block));
    Performed performed = perform(session, path, block.directive);
    const Outcome& outcome = performed.outcome;
    if (!outcome.messages.empty()) complain(outcome.messages);
    if (!outcome.ok()) {
      writer->failure(outcome.messages);
      if (result.ok()) {
        result.kind = outcome.kind;
        result.failure = outcome.failure;
      }
      if (options.stop_on_error || outcome.failure == FailureKind::Interrupted) return result;
    } else if (performed.media)
      writer->media(*performed.media, performed.file);
    else if (outcome.kind == Outcome::Kind::Value) {
      constexpr std::size_t elide_above = 10'000;
      writer->value(print_value(outcome.value, outcome.representation, elide_above, outcome.order));
    }
  }
  write_file_bytes(options.output, writer->finish());
  return result;
}

} // namespace sinter::repl
