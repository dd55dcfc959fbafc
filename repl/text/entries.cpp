#include "repl/text/entries.h"

#include "lang/syntax/lexer.h"
#include "lang/syntax/parser.h"
#include "repl/text/lines.h"

#include <algorithm>
#include <utility>

namespace sinter::repl {

namespace {

std::size_t indentation_of(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

std::string_view first_word(std::string_view line) {
  line.remove_prefix(indentation_of(line));
  return line.substr(
      0, std::min(line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789'"), line.size()));
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_comment(std::string_view line) {
  return line.substr(indentation_of(line)).starts_with("--");
}
bool begins_directive(std::string_view line) {
  return line.starts_with("-- >");
}
bool begins_command(std::string_view line) {
  return line.size() > 1 && line[0] == ':' && line[1] >= 'a' && line[1] <= 'z';
}
/// Of those that are never a part of an expression or of another declaration outside of braces.
bool begins_declaration(std::string_view line) {
  return is_one_of(first_word(line), {"def", "entry", "module", "open", "import", "local"});
}

/// Whether no entry can begin with the line, but one can go on with it.
bool can_only_go_on(std::string_view line) {
  if (is_one_of(first_word(line), {"in", "then", "else", "case", "with", "do"})) return true;
  line.remove_prefix(indentation_of(line));
  // An operator; but `-` may be a sign or begin a comment, `!` negates.
  constexpr std::string_view beginnings = ")]},|<>=+*/%&^:.`";
  return !line.empty() && (beginnings.find(line.front()) != std::string_view::npos ||
                           line.starts_with("->") || line.starts_with("!="));
}

/// How many more brackets a line opens than it closes.
std::ptrdiff_t brackets_in(std::string_view line) {
  SourceMap sources;
  Diagnostics ignored;
  std::ptrdiff_t depth = 0;
  for (const syntax::Token& token :
       syntax::tokenize(sources, sources.add("<line>", std::string(line)), ignored).tokens)
    switch (token.kind) {
    case syntax::TokenKind::LeftParenthesis:
    case syntax::TokenKind::LeftBracket:
    case syntax::TokenKind::IndexBracket:
    case syntax::TokenKind::LeftBrace:
    case syntax::TokenKind::AttributeBracket:
      ++depth;
      break;
    case syntax::TokenKind::RightParenthesis:
    case syntax::TokenKind::RightBracket:
    case syntax::TokenKind::RightBrace:
      --depth;
      break;
    default:
      break;
    }
  return depth;
}

/// What is known of a code entry's text.
struct Reading {
  bool has_ended = true;         ///< it is whole, or wrong already
  bool is_inside_module = false; ///< of an open brace, where declarations begin lines too
};

Reading reading_of(const std::string& text) {
  SourceMap sources;
  syntax::Ast ast;
  Diagnostics ignored;
  const FileId file = sources.add("<entry>", text);
  Reading reading;
  reading.has_ended = !syntax::parse_prompt(sources, file, ast, ignored).incomplete;
  const syntax::TokenStream stream = syntax::tokenize(sources, file, ignored);
  for (std::size_t i = 0; i < stream.tokens.size(); ++i) {
    const syntax::TokenKind kind = stream.tokens[i].kind;
    if (kind == syntax::TokenKind::Module || kind == syntax::TokenKind::Open ||
        kind == syntax::TokenKind::Import)
      for (std::size_t brace = i; brace < stream.tokens.size(); ++brace)
        reading.is_inside_module = reading.is_inside_module ||
                                   (stream.tokens[brace].kind == syntax::TokenKind::LeftBrace &&
                                    stream.closing[brace] == 0);
    if (kind != syntax::TokenKind::Local) break; // an entry begins with what it is
  }
  if (reading.is_inside_module) reading.has_ended = false;
  return reading;
}

/// Nothing but comments and attributes: it belongs to what follows.
bool is_prologue(std::string_view text) {
  bool found_more = false;
  for_each_line(text, [&](std::string_view line) {
    const std::string_view content = without_blanks(line);
    const bool is_attribute = content.starts_with("#[") && content.find(']') == content.size() - 1;
    found_more = found_more || !(content.empty() || is_comment(content) || is_attribute);
  });
  return !found_more;
}

/// Whether a prologue asks for the declaration that it is about.
bool is_about_something(std::string_view prologue) {
  bool found = false;
  for_each_line(prologue, [&](std::string_view line) {
    const std::string_view content = without_blanks(line);
    found = found || content.starts_with("-- |") || content.starts_with("#[");
  });
  return found;
}

std::size_t blanks_at_end(const std::vector<std::string>& lines) {
  std::size_t count = 0;
  while (count < lines.size() && lines[lines.size() - 1 - count].empty())
    ++count;
  return count;
}

} // namespace

bool EntrySplitter::goes_on(std::string_view line) const {
  const std::string& text = open_->text;
  const std::size_t first_line_indentation = indentation_of(text);
  const bool is_deeper = indentation_of(line) > first_line_indentation;
  const bool follows_blank = std::ranges::any_of(between_, &std::string::empty);
  if (open_->kind != Entry::Kind::Code) return is_deeper && between_.empty();
  if (is_prologue(text) || can_only_go_on(line)) return true;
  if (is_deeper && !follows_blank) return true;
  if (depth_ > 0 && was_unfinished_ && !begins_declaration(line) && blanks_at_end(between_) < 2)
    return true;
  const Reading reading = reading_of(text);
  was_unfinished_ = !reading.has_ended;
  if (reading.has_ended) return false;
  if (is_deeper || reading.is_inside_module) return true;
  return !begins_declaration(line) && blanks_at_end(between_) < 2;
}

void EntrySplitter::begin(std::string_view line) {
  open_.emplace();
  open_->kind = begins_command(line)     ? Entry::Kind::Command
                : begins_directive(line) ? Entry::Kind::Directive
                                         : Entry::Kind::Code;
  open_->line = number_;
  // What was said since the last empty line, and documentation, is about what begins here.
  std::size_t first = between_.size();
  while (first > 0 && !between_[first - 1].empty())
    --first;
  const auto documentation = std::ranges::find_if(
      between_, [](const std::string& text) { return without_blanks(text).starts_with("-- |"); });
  first = std::min(first, static_cast<std::size_t>(documentation - between_.begin()));
  if (open_->kind == Entry::Kind::Code && first < between_.size()) {
    open_->line -= between_.size() - first;
    for (; first < between_.size(); ++first)
      open_->text += between_[first] + "\n";
  }
  between_.clear();
  depth_ = 0;
  was_unfinished_ = false;
  add_to_open(line);
}

void EntrySplitter::add_to_open(std::string_view line) {
  open_->text += line;
  if (open_->kind == Entry::Kind::Code) depth_ += brackets_in(line);
}

void EntrySplitter::close() {
  if (!open_) return;
  Entry entry = std::move(*open_);
  open_.reset();
  if (entry.kind == Entry::Kind::Code && is_prologue(entry.text)) {
    // Comments alone ask for nothing; documentation asks for what it is about.
    if (!is_about_something(entry.text)) return;
  }
  ended_.push_back(std::move(entry));
}

void EntrySplitter::add_blank() {
  if (!open_) return between_.clear();
  if (open_->kind != Entry::Kind::Code) return close();
  if (is_prologue(open_->text) && !is_about_something(open_->text)) return open_.reset();
  between_.emplace_back();
}

void EntrySplitter::add_comment(std::string_view line) {
  if (!open_) return begin(line);
  switch (open_->kind) {
  case Entry::Kind::Command:
    close();
    return begin(line);
  case Entry::Kind::Directive:
    if (line.starts_with("--")) {
      (open_->text += '\n') += line;
      return;
    }
    close();
    return begin(line);
  case Entry::Kind::Code:
    if (is_prologue(open_->text) && between_.empty())
      (open_->text += '\n') += line;
    else
      between_.emplace_back(line);
  }
}

void EntrySplitter::add(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (is_blank(line)) {
    add_blank();
  } else if (begins_directive(line) && open_ && open_->kind == Entry::Kind::Code &&
             !is_prologue(open_->text) && !reading_of(open_->text).has_ended) {
    add_comment(line); // inside of something it is but a comment
  } else if (begins_command(line) || begins_directive(line)) {
    close();
    between_.clear();
    begin(line);
  } else if (is_comment(line)) {
    add_comment(line);
  } else if (open_ && goes_on(line)) {
    for (const std::string& text : between_)
      open_->text += "\n" + text;
    between_.clear();
    open_->text += '\n';
    add_to_open(line);
  } else {
    close();
    begin(line);
  }
  ++number_;
}

void EntrySplitter::end() {
  close();
  between_.clear();
}

std::vector<Entry> EntrySplitter::take() {
  return std::exchange(ended_, {});
}

bool EntrySplitter::is_unfinished() const {
  if (!open_ || open_->kind != Entry::Kind::Code) return false;
  if (is_prologue(open_->text)) return is_about_something(open_->text);
  if (depth_ > 0 && was_unfinished_) return true;
  return was_unfinished_ = !reading_of(open_->text).has_ended;
}

bool EntrySplitter::wants_more() const {
  if (!open_ || open_->kind == Entry::Kind::Command) return false;
  if (open_->kind == Entry::Kind::Directive) return true;
  const std::size_t blanks = blanks_at_end(between_);
  if (blanks >= 2) return false;
  if (is_unfinished()) return true;
  const std::size_t last_line = open_->text.rfind('\n');
  return blanks == 0 && last_line != std::string::npos &&
         first_word(std::string_view(open_->text).substr(last_line + 1)) == "case";
}

std::vector<Entry> entries_of(std::string_view text) {
  EntrySplitter splitter;
  for_each_line(text, [&](std::string_view line) { splitter.add(line); });
  splitter.end();
  return splitter.take();
}

bool is_unfinished(std::string_view text) {
  EntrySplitter splitter;
  for_each_line(text, [&](std::string_view line) { splitter.add(line); });
  return splitter.is_unfinished();
}

bool can_only_go_on(const Entry& entry) {
  return entry.kind == Entry::Kind::Code && can_only_go_on(std::string_view(entry.text));
}

} // namespace sinter::repl
