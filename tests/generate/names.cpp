#include "tests/generate/names.h"

#include <cstdint>
#include <set>
#include <type_traits>

namespace sinter::generate {

namespace {

using namespace syntax;

class Walk {
public:
  explicit Walk(const NameVisitor& visitor) : visitor_(visitor) {}

  void visit(const Declaration* declaration) { visit_node(declaration); }

private:
  void value(NameUse use) {
    if (is_taken_apart_ && use.is_binder) {
      if (use.is_shorthand) shorthands_.insert(use.span.begin);
      return;
    }
    if (visitor_.value && use.variable) visitor_.value(use);
  }
  void other(Name name) {
    if (visitor_.other && !name.empty()) visitor_.other(name);
  }
  void binder(Span span, Name name, const types::Variable* variable) {
    value({span, name, variable, true});
  }
  void shared(const types::Variable* variable, const types::Variable* other) {
    if (visitor_.shared_name && variable && other) visitor_.shared_name(variable, other);
  }
  void path(const QualifiedName& name, const types::Variable* variable, std::size_t fields) {
    const std::size_t at = name.qualifiers.size() - fields;
    // Spaces do not stand in paths.
    Span span = name.span;
    for (std::size_t i = 0; i < at; ++i) {
      other(name.qualifiers[i]);
      span.begin += static_cast<std::uint32_t>(name.qualifiers[i].size()) + 1;
    }
    value({.span = span,
           .name = at < name.qualifiers.size() ? name.qualifiers[at] : name.name,
           .variable = variable,
           .is_qualified = at > 0});
  }
  void module_path(const QualifiedName& name) {
    for (Name qualifier : name.qualifiers)
      other(qualifier);
    other(name.name);
  }

  template <typename Node>
  void visit_node(const Node* node) {
    if (node) std::visit([&](const auto& inner) { inside(*node, inner); }, node->node);
  }
  void visit(const Expr* expr) { visit_node(expr); }
  void visit(const Pattern* pattern) { visit_node(pattern); }
  void visit(const TypeExpr* type) { visit_node(type); }
  void visit(const ModuleExpr* module) { visit_node(module); }
  void visit(const ModuleTypeExpr* type) { visit_node(type); }
  void visit(const Specification* specification) { visit_node(specification); }
  void visit(const std::vector<TypeParameter>& parameters) {
    for (const TypeParameter& parameter : parameters)
      if (parameter.size) binder(parameter.span, parameter.name, parameter.size);
  }
  void visit(const std::vector<SizeBinder>& sizes) {
    for (const SizeBinder& size : sizes)
      binder(size.span, size.name, size.variable);
  }
  void visit(const IndexPart& part) {
    for (const Expr* expr : {part.index, part.begin, part.end, part.stride})
      visit(expr);
  }
  void visit(const PathStep& step) { visit(step.indices); }
  void visit(const FieldExpr& field) {
    visit(field.value);
    if (!field.value)
      value({.span = field.name_span,
             .name = field.name,
             .variable = field.variable,
             .is_shorthand = true});
  }
  void visit(const FieldPattern& field) {
    // `{x: t}` is `{x = x: t}`.
    if (const auto* a = field.pattern ? std::get_if<AscribePattern>(&field.pattern->node) : nullptr)
      if (const auto* name = std::get_if<NamePattern>(&a->pattern->node);
          name && a->pattern->span == field.name_span) {
        value({field.name_span, field.name, name->variable, true, true});
        return visit(a->type);
      }
    visit(field.pattern);
    if (!field.pattern) value({field.name_span, field.name, field.variable, true, true});
  }
  void visit(const MatchCase& one) {
    visit(one.pattern);
    visit(one.body);
  }
  void visit(const TypeArgument& argument) {
    visit(argument.type);
    visit(argument.size);
  }
  void visit(const FieldType& field) { visit(field.type); }
  void visit(const ConstructorType& constructor) { visit(constructor.payload); }
  void visit(const ModuleParameter& parameter) {
    other(parameter.name);
    visit(parameter.type);
  }
  template <typename Item>
  void visit(const std::vector<Item>& items) {
    for (const Item& item : items)
      visit(item);
  }
  template <typename... Parts>
  void all(const Parts&... parts) {
    (visit(parts), ...);
  }

  // ---- expressions ----
  void inside(const Expr&, const IntegerLiteral&) {}
  void inside(const Expr&, const FloatLiteral&) {}
  void inside(const Expr&, const BoolLiteral&) {}
  void inside(const Expr&, const CharLiteral&) {}
  void inside(const Expr&, const StringLiteral&) {}
  void inside(const Expr&, const Hole&) {}
  void inside(const Expr&, const ErrorExpr&) {}
  void inside(const Expr&, const VariableExpr& e) { path(e.name, e.variable, e.field_count); }
  void inside(const Expr&, const Parenthesized& e) { visit(e.inner); }
  void inside(const Expr&, const LocalOpen& e) {
    if (visitor_.local_open) visitor_.local_open();
    module_path(e.module);
    visit(e.body);
  }
  void inside(const Expr&, const TupleExpr& e) { visit(e.elements); }
  void inside(const Expr&, const RecordExpr& e) { visit(e.fields); }
  void inside(const Expr&, const ArrayExpr& e) { visit(e.elements); }
  void inside(const Expr&, const ProjectExpr& e) { visit(e.record); }
  void inside(const Expr&, const IndexExpr& e) { all(e.array, e.indices); }
  void inside(const Expr&, const LeftSection& e) {
    visit(e.left);
    path(e.op, e.variable, 0);
  }
  void inside(const Expr&, const RightSection& e) {
    path(e.op, e.variable, 0);
    visit(e.right);
  }
  void inside(const Expr&, const PathSection& e) { visit(e.steps); }
  void inside(const Expr&, const ApplyExpr& e) { all(e.function, e.arguments); }
  void inside(const Expr&, const BinaryExpr& e) {
    visit(e.left);
    path(e.op, e.variable, 0);
    visit(e.right);
  }
  void inside(const Expr&, const UnaryExpr& e) { visit(e.operand); }
  void inside(const Expr&, const ConstructorExpr& e) { visit(e.arguments); }
  void inside(const Expr&, const AscribeExpr& e) { all(e.value, e.type); }
  void inside(const Expr&, const CoerceExpr& e) { all(e.value, e.type); }
  void inside(const Expr&, const RangeExpr& e) { all(e.first, e.second, e.end); }
  void inside(const Expr&, const IfExpr& e) { all(e.condition, e.then_branch, e.else_branch); }
  void inside(const Expr&, const LetPatternExpr& e) { all(e.sizes, e.pattern, e.value, e.body); }
  void inside(const Expr&, const LetFunctionExpr& e) {
    binder(e.name_span, e.name, e.variable);
    all(e.type_parameters, e.parameters, e.result_type, e.value, e.body);
  }
  void inside(const Expr&, const LetWithExpr& e) {
    shared(e.target, e.source);
    value({.span = e.name_span, .name = e.name, .variable = e.source});
    binder(e.name_span, e.name, e.target);
    all(e.path, e.value, e.body);
  }
  void inside(const Expr&, const LambdaExpr& e) { all(e.parameters, e.result_type, e.body); }
  void inside(const Expr&, const LoopExpr& e) {
    all(e.sizes, e.pattern, e.initial);
    if (!e.initial) {
      std::vector<const types::Variable*> bound;
      NameVisitor binders{.value = [&](const NameUse& use) {
        if (use.is_binder && use.variable->kind == types::Variable::Kind::Local)
          bound.push_back(use.variable);
      }};
      Walk(binders).visit(e.pattern);
      for (std::size_t i = 0; i < bound.size() && i < e.implicit_initial.size(); ++i)
        shared(bound[i], e.implicit_initial[i]);
    }
    if (const auto* less = std::get_if<ForLess>(&e.form)) {
      binder(less->name_span, less->name, less->variable);
      visit(less->bound);
    } else if (const auto* in = std::get_if<ForIn>(&e.form)) {
      all(in->pattern, in->array);
    } else {
      visit(std::get<While>(e.form).condition);
    }
    visit(e.body);
  }
  void inside(const Expr&, const AttributedExpr& e) { visit(e.body); }
  void inside(const Expr&, const AssertExpr& e) { all(e.condition, e.body); }
  void inside(const Expr&, const WithExpr& e) { all(e.value, e.path, e.replacement); }
  void inside(const Expr&, const MatchExpr& e) { all(e.scrutinee, e.cases); }

  // ---- patterns ----
  void inside(const Pattern& whole, const NamePattern& p) {
    binder(whole.span, p.name, p.variable);
  }
  void inside(const Pattern&, const WildcardPattern&) {}
  void inside(const Pattern&, const LiteralPattern&) {}
  void inside(const Pattern&, const TuplePattern& p) { visit(p.elements); }
  void inside(const Pattern&, const RecordPattern& p) { visit(p.fields); }
  void inside(const Pattern&, const ConstructorPattern& p) { visit(p.arguments); }
  void inside(const Pattern&, const AscribePattern& p) { all(p.pattern, p.type); }
  void inside(const Pattern&, const ParenthesizedPattern& p) { visit(p.inner); }
  void inside(const Pattern&, const AttributedPattern& p) { visit(p.pattern); }

  // ---- types ----
  void inside(const TypeExpr&, const syntax::NamedType& t) { module_path(t.name); }
  void inside(const TypeExpr&, const TypeApplication& t) {
    module_path(t.name);
    visit(t.arguments);
  }
  void inside(const TypeExpr&, const syntax::ArrayType& t) { all(t.size, t.element); }
  void inside(const TypeExpr&, const syntax::UniqueType& t) { visit(t.inner); }
  void inside(const TypeExpr&, const TupleType& t) { visit(t.elements); }
  void inside(const TypeExpr&, const syntax::RecordType& t) { visit(t.fields); }
  void inside(const TypeExpr&, const syntax::SumType& t) { visit(t.constructors); }
  void inside(const TypeExpr&, const syntax::FunctionType& t) {
    other(t.parameter_name);
    all(t.parameter, t.result);
  }
  void inside(const TypeExpr&, const ExistentialType& t) { all(t.sizes, t.body); }
  void inside(const TypeExpr&, const ParenthesizedType& t) { visit(t.inner); }
  void inside(const TypeExpr&, const syntax::ErrorType&) {}

  // ---- modules ----
  void inside(const ModuleExpr&, const ModuleName& m) { module_path(m.name); }
  void inside(const ModuleExpr&, const ModuleParenthesized& m) { visit(m.inner); }
  void inside(const ModuleExpr&, const ModuleImport&) {}
  void inside(const ModuleExpr&, const ModuleBody& m) { visit(m.declarations); }
  void inside(const ModuleExpr&, const ModuleApply& m) { all(m.functor, m.argument); }
  void inside(const ModuleExpr&, const ModuleAscribe& m) { all(m.body, m.type); }
  void inside(const ModuleExpr&, const ModuleLambda& m) {
    visit(m.parameter);
    all(m.result_type, m.body);
  }
  void inside(const ModuleExpr&, const ErrorModule&) {}
  void inside(const ModuleTypeExpr&, const ModuleTypeName& m) { module_path(m.name); }
  void inside(const ModuleTypeExpr&, const ModuleTypeParenthesized& m) { visit(m.inner); }
  void inside(const ModuleTypeExpr&, const ModuleTypeBody& m) { visit(m.specifications); }
  void inside(const ModuleTypeExpr&, const ModuleTypeWith& m) { all(m.base, m.parameters, m.type); }
  void inside(const ModuleTypeExpr&, const ModuleTypeFunction& m) {
    other(m.parameter_name);
    all(m.parameter, m.result);
  }
  void inside(const Specification&, const ValueSpecification& s) {
    if (visitor_.specification) visitor_.specification({s.name_span, s.name, nullptr, true});
    all(s.type_parameters, s.type);
  }
  void inside(const Specification&, const TypeSpecification& s) { all(s.parameters, s.definition); }
  void inside(const Specification&, const ModuleSpecification& s) {
    other(s.name);
    visit(s.type);
  }
  void inside(const Specification&, const IncludeSpecification& s) { visit(s.type); }

  // ---- declarations ----
  void inside(const Declaration& whole, const ValueDeclaration& d) {
    // Of `let (a, b) = e` the names are those of the declarations that follow it.
    if (d.is_part)
      return value({.span = d.name_span,
                    .name = d.name,
                    .variable = d.variable,
                    .is_binder = true,
                    .is_shorthand = shorthands_.contains(d.name_span.begin)});
    if (visitor_.value_declaration) visitor_.value_declaration(whole);
    if (d.pattern) {
      is_taken_apart_ = true;
      visit(d.pattern);
      is_taken_apart_ = false;
      return visit(std::get<LetPatternExpr>(d.body->node).value);
    }
    binder(d.name_span, d.name, d.variable);
    all(d.type_parameters, d.parameters, d.result_type, d.body);
  }
  void inside(const Declaration&, const TypeDeclaration& d) { all(d.parameters, d.definition); }
  void inside(const Declaration&, const ModuleDeclaration& d) {
    other(d.name);
    all(d.parameters, d.ascription, d.body);
  }
  void inside(const Declaration&, const ModuleTypeDeclaration& d) { visit(d.type); }
  void inside(const Declaration&, const OpenDeclaration& d) { visit(d.module); }
  void inside(const Declaration&, const ImportDeclaration&) {}
  void inside(const Declaration&, const LocalDeclaration& d) { visit(d.inner); }
  void inside(const Declaration&, const ErrorDeclaration&) {}

  const NameVisitor& visitor_;
  bool is_taken_apart_ = false;        ///< what is being visited is a declaration's pattern
  std::set<std::uint32_t> shorthands_; ///< where names in such patterns are those of fields, too
};

} // namespace

void visit_names(const syntax::Declaration& declaration, const NameVisitor& visitor) {
  Walk(visitor).visit(&declaration);
}

void visit_names(const syntax::File& file, const NameVisitor& visitor) {
  Walk walk(visitor);
  for (const syntax::Declaration* declaration : file.declarations)
    walk.visit(declaration);
}

} // namespace sinter::generate
