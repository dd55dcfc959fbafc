// The parser proper: recursive descent over declarations, modules, types and patterns, precedence
// climbing over infix forms.  parser.h has the entry points; one file implements each sort of
// phrase.
//
// Errors: `fail` reports a diagnostic and throws Failure, which the nearest construct that knows
// where to go on catches (brackets, declarations); it never leaves this folder.
//
// Depth: every recursive cycle passes through a Nesting, which counts the recursion on the way down
// and the height of the finished tree on the way up.  Both are limited, so that neither the parser
// nor a recursive walk over the tree can overflow the stack, although long chains (`a + b + …`) are
// read by loops.
#pragma once

#include "lang/syntax/lexer.h"
#include "lang/syntax/parser.h"

#include <initializer_list>
#include <string>
#include <utility>

namespace sinter::syntax {

/// The most levels that expressions, types, patterns and modules may nest.
inline constexpr std::uint32_t nesting_limit = 2000;

class Grammar {
public:
  Grammar(SourceMap& sources, FileId file, Ast& ast, Diagnostics& diagnostics);

  struct Failure {};

  // declarations.cpp
  File file();
  static constexpr std::uint32_t no_brace = UINT32_MAX;
  /// Up to the end or, with the index of the `{` that encloses them, up to the `}`.
  std::vector<Declaration*> declarations(std::uint32_t open);
  ModuleTypeBody specifications(std::uint32_t open);

  // expressions.cpp
  Expr* expression();
  // types.cpp
  TypeExpr* type();

  bool at_end() const { return peek().kind == TokenKind::EndOfFile; }
  /// The kind of the first token after documentation and attributes.
  TokenKind kind_after_attributes() const;
  /// What to say if an `=` follows an expression, as if it were a definition; else nothing.
  std::string definition_hint(const Expr& left) const;
  [[noreturn]] void fail_expecting(std::string_view expected, std::string hint = {});
  /// Whether some error was that the text ended too early.
  bool failed_at_end() const { return failed_at_end_; }
  /// Offset of the furthest token that was looked at when an error was reported.
  std::uint32_t error_offset() const { return error_offset_; }
  /// The attributes `#[accelerate]` and `#[parallel]` so far.
  const std::vector<Span>& marks() const { return marks_; }
  bool has_loose_documentation() const;
  /// Reports documentation that no declaration claimed.
  void report_loose_documentation();

private:
  /// See the head of this file.
  class Nesting {
  public:
    explicit Nesting(Grammar& grammar);
    ~Nesting();
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

  private:
    Grammar& grammar_;
    std::uint32_t outer_height_;
  };
  /// The tree under construction gets a further level on top of all that was read in this Nesting.
  void grow();
  [[noreturn]] void fail_too_deep();

  // tokens
  const Token& peek(std::size_t ahead = 0) const {
    std::size_t i = next_ + ahead;
    return stream_.tokens[i < stream_.tokens.size() ? i : stream_.tokens.size() - 1];
  }
  bool at(TokenKind kind) const { return peek().kind == kind; }
  const Token& advance() {
    const Token& token = peek();
    if (next_ + 1 < stream_.tokens.size()) ++next_;
    previous_end_ = token.end;
    return token;
  }
  bool accept(TokenKind kind) {
    if (!at(kind)) return false;
    advance();
    return true;
  }
  /// The closing bracket of the one at token `open`, else an error that shows both.
  void close(TokenKind kind, std::uint32_t open, std::string_view also_expected);
  const Token& expect(TokenKind kind, std::string_view what, std::string_view hint = {});
  Name identifier(std::string_view what);
  std::string_view text(const Token& token) const {
    return source_.substr(token.begin, token.end - token.begin);
  }
  Span span(const Token& token) const { return {file_, token.begin, token.end}; }
  Span span_from(std::uint32_t begin) const { return {file_, begin, previous_end_}; }
  std::string describe(const Token& token) const;
  /// Reports what stands here; null where the lexer has reported it already.
  Diagnostic* report_unexpected(std::string_view expected, std::string hint);
  [[noreturn]] void fail(std::string_view id, Span span, std::string message,
                         std::string hint = {});
  /// After a failure inside of the bracket at token `open`: goes on behind its closing bracket, or
  /// gives up if it has none.
  void recover_at_close(std::uint32_t open);

  template <typename Node>
  Expr* make_expression(Node&& node, std::uint32_t begin) {
    return ast_.make<Expr>(ExprNode{std::forward<Node>(node)}, span_from(begin));
  }
  template <typename Node>
  Pattern* make_pattern(Node&& node, std::uint32_t begin) {
    return ast_.make<Pattern>(PatternNode{std::forward<Node>(node)}, span_from(begin));
  }
  template <typename Node>
  TypeExpr* make_type(Node&& node, std::uint32_t begin) {
    return ast_.make<TypeExpr>(TypeExprNode{std::forward<Node>(node)}, span_from(begin));
  }
  template <typename Node>
  ModuleExpr* make_module(Node&& node, std::uint32_t begin) {
    return ast_.make<ModuleExpr>(ModuleExprNode{std::forward<Node>(node)}, span_from(begin));
  }
  template <typename Node>
  ModuleTypeExpr* make_module_type(Node&& node, std::uint32_t begin) {
    return ast_.make<ModuleTypeExpr>(ModuleTypeExprNode{std::forward<Node>(node)},
                                     span_from(begin));
  }

  // names.cpp: names, operators, attributes, type parameters
  QualifiedName qualified_name(std::string_view what);
  /// Whether the token starts an infix operator that may also stand alone in parentheses.
  bool at_operator() const;
  /// Whether the operator here is directly followed by `)`.
  bool operator_then_close() const;
  QualifiedName infix_operator();
  Name binding_operator();
  bool at_parenthesized_operator() const;
  Attribute attribute();
  Attribute attribute_body();
  /// Reads a mark, and notes it.
  AccelerateMark accelerate_mark(const Attribute& attribute);
  /// The mark `#[parallel]` before an expression: it must be a counted loop.
  void parallel_mark(const Attribute& attribute, Expr& marked);
  bool at_type_parameter() const;
  TypeParameter type_parameter();
  std::vector<TypeParameter> type_parameters();
  std::vector<SizeBinder> size_binders();
  bool at_field() const { return at(TokenKind::Identifier) || at(TokenKind::Natural); }
  Token field(std::string_view what);
  std::string string_literal();

  // expressions.cpp
  Expr* infix(Level minimum, bool section = false);
  Expr* infix_tail(Level minimum, bool section, Expr* left, std::uint32_t begin);
  Expr* operand();
  Expr* unary();
  Expr* update(Expr* value, std::uint32_t begin);
  Expr* range(Expr* first, std::uint32_t begin);
  Expr* ascriptions(Expr* value, std::uint32_t begin);
  Expr* application();
  Expr* lambda();
  Expr* conditional();
  Expr* assertion();
  Expr* attributed();
  // control.cpp
  Expr* let();
  Expr* let_pattern(std::uint32_t begin);
  Expr* let_function(std::uint32_t begin);
  Expr* let_update(std::uint32_t begin);
  Expr* let_body(bool& explicit_in);
  Expr* loop();
  Expr* match();
  std::vector<PathStep> update_path(bool after_with);
  // atoms.cpp
  static bool starts_atom(TokenKind kind);
  Expr* atom();
  Expr* atom_tail(Expr* head, bool is_name, std::uint32_t begin);
  Expr* primary();
  Expr* name_expression();
  Expr* literal();
  Expr* parenthesized();
  Expr* parenthesized_body(std::uint32_t open, std::uint32_t begin);
  Expr* operator_section(std::uint32_t open, std::uint32_t begin);
  Expr* path_section(std::uint32_t open, std::uint32_t begin);
  Expr* array();
  Expr* record();
  std::vector<IndexPart> indices();
  IndexPart index_part();

  // patterns.cpp
  Pattern* pattern();
  /// One without ascription, attribute or constructor arguments, unless in parentheses.
  Pattern* inner_pattern(bool allow_negative);
  Pattern* parenthesized_pattern();
  Pattern* record_pattern();
  bool starts_inner_pattern(bool allow_negative) const;
  std::vector<Pattern*> parameters();

  // types.cpp
  TypeExpr* type_term(); ///< without arrows
  TypeExpr* type_application();
  TypeExpr* type_atom();
  TypeExpr* parenthesized_type();
  TypeExpr* record_type();
  TypeExpr* sum_type();
  TypeExpr* existential_type();
  static bool starts_type_atom(TokenKind kind);
  TypeArgument size_in_brackets();

  // modules.cpp
  ModuleExpr* module();
  ModuleExpr* module_operand();
  ModuleExpr* module_atom();
  ModuleExpr* module_lambda();
  ModuleParameter module_parameter();
  ModuleTypeExpr* module_type();
  ModuleTypeExpr* module_type_operand();

  // declarations.cpp
  std::optional<Documentation> documentation();
  Documentation make_documentation(const DocumentationBlock& block) const;
  std::vector<Attribute> attributes();
  Declaration* declaration();
  void mark_definition(Declaration& declaration, Attribute attribute);
  DeclarationNode declaration_node();
  DeclarationNode value_declaration();
  DeclarationNode pattern_declaration(ValueDeclaration whole, std::size_t pattern_begin);
  DeclarationNode type_declaration();
  DeclarationNode module_declaration();
  types::Lifting lifting();
  Specification* specification();
  SpecificationNode specification_node();
  SpecificationNode value_specification();
  void synchronize(std::uint32_t start, std::uint32_t open);

  SourceMap& sources_;
  Ast& ast_;
  Diagnostics& diagnostics_;
  FileId file_;
  std::string_view source_;
  TokenStream stream_;
  std::size_t next_ = 0;
  std::uint32_t previous_end_ = 0;
  std::uint32_t depth_ = 0;
  std::uint32_t height_ = 0;
  std::size_t next_documentation_ = 0;
  std::vector<std::size_t> loose_documentation_;
  std::uint32_t error_offset_ = 0;
  bool failed_at_end_ = false;
  /// Declarations that follow the one that is read now: of the names of its pattern.
  std::vector<Declaration*> parts_;
  std::vector<Span> marks_; ///< the attributes `#[accelerate]` so far
  bool gave_up_ = false;    ///< after too deep nesting nothing more is read or reported
};

} // namespace sinter::syntax
