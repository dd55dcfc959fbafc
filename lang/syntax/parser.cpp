#include "lang/syntax/parser.h"

#include "lang/syntax/grammar.h"

namespace sinter::syntax {

File parse_file(SourceMap& sources, FileId file, Ast& ast, Diagnostics& diagnostics) {
  Grammar grammar(sources, file, ast, diagnostics);
  File result = grammar.file();
  grammar.report_loose_documentation();
  return result;
}

namespace {

/// One way to read a prompt's input.
struct Attempt {
  PromptInput input;
  Diagnostics diagnostics;
  std::uint32_t error_offset = 0;
};

Attempt try_declarations(SourceMap& sources, FileId file, Ast& ast) {
  Attempt attempt;
  Grammar grammar(sources, file, ast, attempt.diagnostics);
  File declared = grammar.file();
  attempt.input.declarations = std::move(declared.declarations);
  attempt.input.marks = std::move(declared.marks);
  grammar.report_loose_documentation();
  attempt.input.incomplete = grammar.failed_at_end();
  attempt.error_offset = grammar.error_offset();
  return attempt;
}

Expr* whole_expression(Grammar& grammar) {
  try {
    Expr* result = grammar.expression();
    if (!grammar.at_end())
      grammar.fail_expecting("an operator or the end of the expression",
                             grammar.definition_hint(*result));
    return result;
  } catch (Grammar::Failure&) {
    return nullptr;
  }
}

Attempt try_expression(SourceMap& sources, FileId file, Ast& ast) {
  Attempt attempt;
  Grammar grammar(sources, file, ast, attempt.diagnostics);
  attempt.input.expression = whole_expression(grammar);
  attempt.input.marks = grammar.marks();
  attempt.input.incomplete = grammar.failed_at_end();
  attempt.error_offset = grammar.error_offset();
  grammar.report_loose_documentation();
  return attempt;
}

PromptInput conclude(Attempt attempt, Diagnostics& diagnostics) {
  // Only an early end alone means "more to come": what is wrong already will not get better.
  attempt.input.incomplete = attempt.input.incomplete && attempt.diagnostics.error_count() == 1;
  for (const Diagnostic& diagnostic : attempt.diagnostics.all())
    diagnostics.add(diagnostic);
  return std::move(attempt.input);
}

} // namespace

PromptInput parse_prompt(SourceMap& sources, FileId file, Ast& ast, Diagnostics& diagnostics) {
  Diagnostics ignored;
  Grammar preview(sources, file, ast, ignored);
  switch (preview.kind_after_attributes()) {
  case TokenKind::EndOfFile: {
    PromptInput input;
    // Documentation or an attribute waits for its declaration; nothing at all is nothing.
    input.incomplete = preview.has_loose_documentation() || !preview.at_end();
    return input;
  }
  case TokenKind::Def:
  case TokenKind::Entry:
  case TokenKind::Type:
  case TokenKind::Module:
  case TokenKind::Open:
  case TokenKind::Import:
  case TokenKind::Local:
  case TokenKind::Val:
  case TokenKind::Include:
    return conclude(try_declarations(sources, file, ast), diagnostics);
  case TokenKind::Let: {
    Attempt declarations = try_declarations(sources, file, ast);
    if (!declarations.diagnostics.has_errors())
      return conclude(std::move(declarations), diagnostics);
    Attempt expression = try_expression(sources, file, ast);
    bool better = !expression.diagnostics.has_errors() ||
                  expression.error_offset >= declarations.error_offset;
    return conclude(std::move(better ? expression : declarations), diagnostics);
  }
  default:
    return conclude(try_expression(sources, file, ast), diagnostics);
  }
}

Expr* parse_expression(SourceMap& sources, FileId file, Ast& ast, Diagnostics& diagnostics) {
  std::size_t errors = diagnostics.error_count();
  Grammar grammar(sources, file, ast, diagnostics);
  Expr* result = whole_expression(grammar);
  grammar.report_loose_documentation();
  return diagnostics.error_count() == errors ? result : nullptr;
}

TypeExpr* parse_type(SourceMap& sources, FileId file, Ast& ast, Diagnostics& diagnostics) {
  std::size_t errors = diagnostics.error_count();
  Grammar grammar(sources, file, ast, diagnostics);
  TypeExpr* result = nullptr;
  try {
    result = grammar.type();
    if (!grammar.at_end()) grammar.fail_expecting("the end of the type");
  } catch (Grammar::Failure&) {
    return nullptr;
  }
  grammar.report_loose_documentation();
  return diagnostics.error_count() == errors ? result : nullptr;
}

std::vector<Specification*> parse_specifications(SourceMap& sources, FileId file, Ast& ast,
                                                 Diagnostics& diagnostics) {
  Grammar grammar(sources, file, ast, diagnostics);
  std::vector<Specification*> result = grammar.specifications(Grammar::no_brace).specifications;
  grammar.report_loose_documentation();
  return result;
}

} // namespace sinter::syntax
