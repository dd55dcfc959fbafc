// The printer proper: one member function for each node, writing its tokens into a Layout.
//
// The tree keeps all parentheses, so a tree that the parser made needs none added: writing the
// tokens in order reads back as the same tree.  `put` keeps neighbouring tokens apart.
#pragma once

#include "lang/syntax/layout.h"
#include "lang/syntax/print.h"

namespace sinter::syntax {

class Printer {
public:
  std::string finish() const { return layout_.render(line_width); }

  // print_declarations.cpp
  void file(const File& file);
  void declaration(const Declaration& declaration);
  // print_expressions.cpp
  void expression(const Expr& expr);
  // print_types.cpp
  void pattern(const Pattern& pattern);
  void type(const TypeExpr& type);

private:
  static constexpr int line_width = 90;

  /// Writes a token; a space is put before it if it would run into the last one.
  void put(std::string_view token);
  /// Writes a token that must directly follow the last one.
  void put_closely(std::string_view token);
  void space() { put_closely(" "); }
  void line() {
    last_ = ' ';
    layout_.line();
  }
  void fill() {
    last_ = ' ';
    layout_.fill();
  }
  void hard() {
    last_ = ' ';
    layout_.hard();
  }
  void open(int indent = 2) { layout_.open(indent); }
  void close() { layout_.close(); }
  /// `opening a, b, c closing`
  template <typename List, typename Function>
  void list(std::string_view opening, const List& items, std::string_view closing,
            Function&& print_item) {
    put(opening);
    open();
    layout_.soft();
    bool first = true;
    for (const auto& item : items) {
      if (!first) {
        put_closely(",");
        line();
      }
      first = false;
      print_item(item);
    }
    close();
    put_closely(closing);
  }

  void qualified_name(const QualifiedName& name);
  /// A name in prefix position: operators get parentheses.
  void prefix_name(Name name);
  void infix_operator(const QualifiedName& op);
  void attribute(const Attribute& attribute);
  void attribute_body(const Attribute& attribute);
  void string(std::string_view bytes);
  void type_parameters(const std::vector<TypeParameter>& parameters);
  void sizes(const std::vector<SizeBinder>& sizes);
  void index_list(const std::vector<IndexPart>& indices);
  void path(const std::vector<PathStep>& steps, bool first_dot);

  void node(const IntegerLiteral&);
  void node(const FloatLiteral&);
  void node(const BoolLiteral&);
  void node(const CharLiteral&);
  void node(const StringLiteral&);
  void node(const Hole&);
  void node(const VariableExpr&);
  void node(const Parenthesized&);
  void node(const LocalOpen&);
  void node(const TupleExpr&);
  void node(const RecordExpr&);
  void node(const ArrayExpr&);
  void node(const ProjectExpr&);
  void node(const IndexExpr&);
  void node(const LeftSection&);
  void node(const RightSection&);
  void node(const PathSection&);
  void node(const ApplyExpr&);
  void node(const BinaryExpr&);
  void node(const UnaryExpr&);
  void node(const ConstructorExpr&);
  void node(const AscribeExpr&);
  void node(const CoerceExpr&);
  void node(const RangeExpr&);
  void node(const IfExpr&);
  void node(const LetPatternExpr&);
  void node(const LetFunctionExpr&);
  void node(const LetWithExpr&);
  void node(const LambdaExpr&);
  void node(const LoopExpr&);
  void node(const AttributedExpr&);
  void node(const AssertExpr&);
  void node(const WithExpr&);
  void node(const MatchExpr&);
  void node(const ErrorExpr&);
  void let_value(const Expr& value);
  void let_body(const Expr& body, bool explicit_in);

  void node(const NamePattern&);
  void node(const WildcardPattern&);
  void node(const LiteralPattern&);
  void node(const TuplePattern&);
  void node(const RecordPattern&);
  void node(const ConstructorPattern&);
  void node(const AscribePattern&);
  void node(const ParenthesizedPattern&);
  void node(const AttributedPattern&);

  void node(const NamedType&);
  void node(const TypeApplication&);
  void node(const ArrayType&);
  void node(const UniqueType&);
  void node(const TupleType&);
  void node(const RecordType&);
  void node(const SumType&);
  void node(const FunctionType&);
  void node(const ExistentialType&);
  void node(const ParenthesizedType&);
  void node(const ErrorType&);

  void module(const ModuleExpr& module);
  void module_parameter(const ModuleParameter& parameter);
  void node(const ModuleName&);
  void node(const ModuleParenthesized&);
  void node(const ModuleImport&);
  void node(const ModuleBody&);
  void node(const ModuleApply&);
  void node(const ModuleAscribe&);
  void node(const ModuleLambda&);
  void node(const ErrorModule&);

  void module_type(const ModuleTypeExpr& type);
  void node(const ModuleTypeName&);
  void node(const ModuleTypeParenthesized&);
  void node(const ModuleTypeBody&);
  void node(const ModuleTypeWith&);
  void node(const ModuleTypeFunction&);

  void specification(const Specification& specification);
  void node(const ValueSpecification&);
  void node(const TypeSpecification&);
  void node(const ModuleSpecification&);
  void node(const IncludeSpecification&);

  void node(const ValueDeclaration&);
  void node(const TypeDeclaration&);
  void node(const ModuleDeclaration&);
  void node(const ModuleTypeDeclaration&);
  void node(const OpenDeclaration&);
  void node(const ImportDeclaration&);
  void node(const LocalDeclaration&);
  void node(const ErrorDeclaration&);

  void documentation(const Documentation& documentation);
  void type_head(std::string_view keyword, types::Lifting lifting, Name name,
                 const std::vector<TypeParameter>& parameters);
  void declarations(const std::vector<Declaration*>& list);

  Layout layout_;
  char last_ = ' '; ///< the last character written, or a blank
};

} // namespace sinter::syntax
