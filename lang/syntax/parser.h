// Text to syntax tree, with error recovery.
#pragma once

#include "lang/base/diagnostic.h"
#include "lang/syntax/ast.h"

namespace sinter::syntax {

/// Parses a whole file.  Never throws: each syntax error becomes a diagnostic, the parser skips to
/// the next declaration (or closing bracket) and goes on, and the broken part is an Error node.
/// Nesting deeper than a fixed limit is a diagnostic too, never a stack overflow.
File parse_file(SourceMap& sources, FileId file, Ast& ast, Diagnostics& diagnostics);

/// What a prompt was given.
struct PromptInput {
  std::vector<Declaration*> declarations; ///< non-empty: declarations
  Expr* expression = nullptr;             ///< else: an expression
  std::vector<Span> marks;                ///< of the attributes `#[accelerate]`, `#[parallel]`
  /// The text ends inside a construct (open bracket, `let` without body, `if` without `else`, …):
  /// a prompt asks for another line.
  bool incomplete = false;
};
/// Parses either declarations or an expression.  `def x = 1` is a declaration; `let x = 1 in x` an
/// expression; `let x = 1` alone a declaration.
PromptInput parse_prompt(SourceMap& sources, FileId file, Ast& ast, Diagnostics& diagnostics);

/// Parses one expression that spans the file (null after an error).
Expr* parse_expression(SourceMap& sources, FileId file, Ast& ast, Diagnostics& diagnostics);
/// Parses one type that spans the file (null after an error).
TypeExpr* parse_type(SourceMap& sources, FileId file, Ast& ast, Diagnostics& diagnostics);
/// Parses specifications (`val f : …`, `type t`, …) that span the file: the text of a module type
/// without its braces.
std::vector<Specification*> parse_specifications(SourceMap& sources, FileId file, Ast& ast,
                                                 Diagnostics& diagnostics);

} // namespace sinter::syntax
