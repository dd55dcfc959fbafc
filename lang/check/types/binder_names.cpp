#include "lang/check/types/binder_names.h"

#include <map>
#include <string>

namespace sinter::check {

namespace {

using Binders = std::map<std::string_view, Span>;

class BinderCheck {
public:
  explicit BinderCheck(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void check(const syntax::TypeExpr& type, const Binders& bound) {
    std::visit([&](const auto& node) { visit(node, bound); }, type.node);
  }

private:
  void add(Binders& bound, std::string_view name, Span span) {
    auto [found, is_new] = bound.emplace(name, span);
    if (is_new) return;
    diagnostics_
        .error("duplicate-name", span, "Name \"" + std::string(name) + "\" is also bound earlier")
        .notes.push_back({found->second, "first bound here"});
  }

  void visit(const syntax::FunctionType& node, const Binders& bound) {
    if (node.parameter_name.empty()) {
      check(*node.parameter, bound);
      check(*node.result, bound);
      return;
    }
    Binders inner = bound;
    add(inner, node.parameter_name, node.parameter->span);
    check(*node.parameter, inner);
    check(*node.result, inner);
  }
  void visit(const syntax::ExistentialType& node, const Binders& bound) {
    Binders inner = bound;
    for (const syntax::SizeBinder& size : node.sizes)
      add(inner, size.name, size.span);
    check(*node.body, inner);
  }
  void visit(const syntax::TupleType& node, const Binders& bound) {
    for (const syntax::TypeExpr* element : node.elements)
      check(*element, bound);
  }
  void visit(const syntax::RecordType& node, const Binders& bound) {
    for (const syntax::FieldType& field : node.fields)
      check(*field.type, bound);
  }
  void visit(const syntax::SumType& node, const Binders& bound) {
    for (const syntax::ConstructorType& constructor : node.constructors)
      for (const syntax::TypeExpr* payload : constructor.payload)
        check(*payload, bound);
  }
  void visit(const syntax::TypeApplication& node, const Binders& bound) {
    for (const syntax::TypeArgument& argument : node.arguments)
      if (argument.type) check(*argument.type, bound);
  }
  void visit(const syntax::UniqueType& node, const Binders& bound) { check(*node.inner, bound); }
  void visit(const syntax::ParenthesizedType& node, const Binders& bound) {
    check(*node.inner, bound);
  }
  // An array's elements are no functions.
  void visit(const syntax::ArrayType&, const Binders&) {}
  void visit(const syntax::NamedType&, const Binders&) {}
  void visit(const syntax::ErrorType&, const Binders&) {}

  Diagnostics& diagnostics_;
};

} // namespace

void check_binder_names(const syntax::TypeExpr& type, Diagnostics& diagnostics) {
  // Most types bind nothing.
  if (std::holds_alternative<syntax::NamedType>(type.node) ||
      std::holds_alternative<syntax::ArrayType>(type.node))
    return;
  BinderCheck(diagnostics).check(type, {});
}

} // namespace sinter::check
