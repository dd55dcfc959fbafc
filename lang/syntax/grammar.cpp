#include "lang/syntax/grammar.h"

#include "lang/base/interruptible.h"

#include <algorithm>

namespace sinter::syntax {

Grammar::Grammar(SourceMap& sources, FileId file, Ast& ast, Diagnostics& diagnostics)
    : sources_(sources), ast_(ast), diagnostics_(diagnostics), file_(file),
      source_(sources.text(file)), stream_(tokenize(sources, file, diagnostics)) {}

Grammar::Nesting::Nesting(Grammar& grammar) : grammar_(grammar), outer_height_(grammar.height_) {
  poll_interruption();
  if (grammar.depth_ >= nesting_limit) grammar.fail_too_deep();
  ++grammar.depth_;
  grammar.height_ = 0;
}

Grammar::Nesting::~Nesting() {
  --grammar_.depth_;
  grammar_.height_ = std::max(outer_height_, grammar_.height_ + 1);
}

void Grammar::grow() {
  if (++height_ > nesting_limit) fail_too_deep();
}

void Grammar::fail_too_deep() {
  // No sensible program is like this, so the rest of the text is given up.
  Span where = span(peek());
  next_ = stream_.tokens.size() - 1;
  gave_up_ = true;
  fail("nesting-too-deep", where,
       "more than " + std::to_string(nesting_limit) + " levels of nesting (each `let` is one)",
       "make definitions of the inner parts");
}

std::string Grammar::describe(const Token& token) const {
  switch (token.kind) {
  case TokenKind::EndOfFile:
    return "end of file";
  case TokenKind::String:
    return "string literal";
  default:
    return "`" + std::string(text(token)) + "`";
  }
}

void Grammar::fail(std::string_view id, Span span, std::string message, std::string hint) {
  error_offset_ = std::max(error_offset_, peek().begin);
  diagnostics_.error(id, span, std::move(message)).hint = std::move(hint);
  throw Failure{};
}

Diagnostic* Grammar::report_unexpected(std::string_view expected, std::string hint) {
  const Token& token = peek();
  error_offset_ = std::max(error_offset_, token.begin);
  if (token.kind == TokenKind::Error || gave_up_) return nullptr;
  Span where = span(token);
  if (at_end()) {
    failed_at_end_ = true;
    // Best shown behind the last token, not on some empty line below.
    if (next_ > 0) where = {file_, previous_end_, previous_end_};
  }
  std::string found = describe(token);
  if (token.kind == TokenKind::Def || token.kind == TokenKind::Type ||
      token.kind == TokenKind::Module)
    found = "\"" + std::string(text(token)) + "\""; // rather a declaration than a stray token
  else if (found.starts_with('`'))
    found = "token: '" + std::string(text(token)) + "'";
  if (hint.empty() && token.kind == TokenKind::Equals) hint = "equality is written `==`";
  Diagnostic& diagnostic = diagnostics_.error(
      "unexpected-token", where, "Unexpected " + found + ", expected " + std::string(expected));
  diagnostic.hint = std::move(hint);
  return &diagnostic;
}

std::string Grammar::definition_hint(const Expr& left) const {
  if (!at(TokenKind::Equals)) return {};
  const std::string written(source_.substr(left.span.begin, left.span.end - left.span.begin));
  const bool defines = std::holds_alternative<VariableExpr>(left.node) ||
                       std::holds_alternative<ApplyExpr>(left.node);
  if (!defines || written.find('\n') != std::string::npos) return {};
  return "a definition is written `let " + written + " = …`, equality `==`";
}

void Grammar::fail_expecting(std::string_view expected, std::string hint) {
  report_unexpected(expected, std::move(hint));
  throw Failure{};
}

const Token& Grammar::expect(TokenKind kind, std::string_view what, std::string_view hint) {
  if (!at(kind)) fail_expecting(what, std::string(hint));
  return advance();
}

void Grammar::close(TokenKind kind, std::uint32_t open, std::string_view also_expected) {
  if (accept(kind)) return;
  const Token& opening = stream_.tokens[open];
  std::string_view closing = kind == TokenKind::RightParenthesis ? "`)`"
                             : kind == TokenKind::RightBracket   ? "`]`"
                                                                 : "`}`";
  std::string expected(also_expected);
  if (!expected.empty()) expected += " or ";
  expected += closing;
  if (Diagnostic* diagnostic = report_unexpected(expected, {}))
    diagnostic->notes.push_back({span(opening), "opened here"});
  throw Failure{};
}

void Grammar::recover_at_close(std::uint32_t open) {
  std::uint32_t closing = stream_.closing[open];
  if (closing < next_ || closing == 0) throw;
  next_ = closing;
  advance();
}

Name Grammar::identifier(std::string_view what) {
  const Token& token = peek();
  if (token.kind == TokenKind::Identifier) return text(advance());
  // A keyword on a new line is rather the start of something else.
  bool same_line = source_.substr(previous_end_, token.begin - previous_end_).find('\n') ==
                   std::string_view::npos;
  if (is_keyword(token.kind) && same_line) {
    advance();
    fail("reserved-name", span(token),
         "`" + std::string(text(token)) + "` is a reserved word, expected " + std::string(what),
         "choose another name, for example `" + std::string(text(token)) + "_`");
  }
  fail_expecting(what);
}

bool Grammar::has_loose_documentation() const {
  return !loose_documentation_.empty() || next_documentation_ < stream_.documentation.size();
}

void Grammar::report_loose_documentation() {
  for (; next_documentation_ < stream_.documentation.size(); ++next_documentation_)
    loose_documentation_.push_back(next_documentation_);
  for (std::size_t i : loose_documentation_) {
    const DocumentationBlock& block = stream_.documentation[i];
    diagnostics_
        .error("loose-documentation", {file_, block.begin, block.begin + 4},
               "documentation that stands before no declaration")
        .hint = "an ordinary comment starts with `--` alone";
  }
  loose_documentation_.clear();
}

} // namespace sinter::syntax
