// Sizes by their structure: from expressions, compared, and where they stand in types.
#include "lang/check/sizes/terms.h"

#include "lang/types/build.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

// ---- from expressions --------------------------------------------------------------------------

namespace {

std::optional<SizeOperator> size_operator(const syntax::BinaryExpr& node) {
  if (!node.variable || node.variable->kind != Variable::Kind::Overloaded) return std::nullopt;
  if (node.op.name == "+") return SizeOperator::Add;
  if (node.op.name == "-") return SizeOperator::Subtract;
  if (node.op.name == "*") return SizeOperator::Multiply;
  if (node.op.name == "/") return SizeOperator::Divide;
  if (node.op.name == "%") return SizeOperator::Remainder;
  return std::nullopt;
}

/// Makes the size of an expression; gives up (`binds`) where it binds names.
class Builder {
public:
  explicit Builder(TypeArena& arena) : arena_(arena) {}
  bool binds = false;

  const Size* build(const syntax::Expr& expression) {
    const Size* size =
        std::visit([&](const auto& node) { return visit(expression, node); }, expression.node);
    if (!size) binds = true;
    return size ? size : constant(arena_, 0);
  }

private:
  using Kind = TermSize::Kind;
  const Size* term(const syntax::Expr& e, Kind kind, Name head,
                   std::vector<const Size*> arguments) {
    return arena_.make<Size>(TermSize{kind, head, std::move(arguments), &e});
  }
  std::vector<const Size*> all(const std::vector<syntax::Expr*>& list) {
    std::vector<const Size*> sizes;
    for (const syntax::Expr* e : list)
      sizes.push_back(build(*e));
    return sizes;
  }
  const Size* name(const syntax::Expr& e, const Variable* v) {
    return v ? variable(arena_, v) : term(e, Kind::Literal, "?", {});
  }
  const Size* opaque(const syntax::Expr& e, std::vector<const Size*> parts) {
    return term(e, Kind::Opaque, {}, std::move(parts));
  }

  const Size* visit(const syntax::Expr&, const syntax::IntegerLiteral& node) {
    return constant(arena_, static_cast<std::int64_t>(node.value));
  }
  const Size* visit(const syntax::Expr& e, const syntax::FloatLiteral& node) {
    return term(e, Kind::Literal, node.text, {});
  }
  const Size* visit(const syntax::Expr& e, const syntax::BoolLiteral& node) {
    return term(e, Kind::Literal, node.value ? "true" : "false", {});
  }
  const Size* visit(const syntax::Expr&, const syntax::CharLiteral& node) {
    return constant(arena_, node.code_point);
  }
  const Size* visit(const syntax::Expr& e, const syntax::StringLiteral& node) {
    return term(e, Kind::Literal, node.bytes, {});
  }
  const Size* visit(const syntax::Expr& e, const syntax::Hole&) { return opaque(e, {}); }
  const Size* visit(const syntax::Expr& e, const syntax::VariableExpr& node) {
    const Size* size = name(e, node.variable);
    const std::vector<Name>& path = node.name.qualifiers;
    for (std::size_t i = path.size() + 1 - node.field_count; i <= path.size(); ++i)
      size = term(e, Kind::Project, i < path.size() ? path[i] : node.name.name, {size});
    return size;
  }
  const Size* visit(const syntax::Expr&, const syntax::Parenthesized& node) {
    return build(*node.inner);
  }
  const Size* visit(const syntax::Expr&, const syntax::LocalOpen& node) {
    return build(*node.body);
  }
  const Size* visit(const syntax::Expr& e, const syntax::TupleExpr& node) {
    return term(e, Kind::Tuple, {}, all(node.elements));
  }
  const Size* visit(const syntax::Expr& e, const syntax::RecordExpr& node) {
    std::vector<const Size*> parts;
    for (const syntax::FieldExpr& field : node.fields)
      parts.push_back(field.value ? build(*field.value) : name(e, field.variable));
    return opaque(e, std::move(parts));
  }
  const Size* visit(const syntax::Expr& e, const syntax::ArrayExpr& node) {
    return term(e, Kind::Array, {}, all(node.elements));
  }
  const Size* visit(const syntax::Expr& e, const syntax::ProjectExpr& node) {
    return term(e, Kind::Project, node.field, {build(*node.record)});
  }
  const Size* visit(const syntax::Expr& e, const syntax::IndexExpr& node) {
    std::vector<const Size*> parts{build(*node.array)};
    bool slices = false;
    for (const syntax::IndexPart& part : node.indices) {
      slices = slices || part.is_slice();
      for (const syntax::Expr* index : {part.index, part.begin, part.end, part.stride})
        if (index) parts.push_back(build(*index));
    }
    return slices ? opaque(e, std::move(parts)) : term(e, Kind::Index, {}, std::move(parts));
  }
  const Size* visit(const syntax::Expr& e, const syntax::LeftSection& node) {
    return opaque(e, {name(e, node.variable), build(*node.left)});
  }
  const Size* visit(const syntax::Expr& e, const syntax::RightSection& node) {
    return opaque(e, {name(e, node.variable), build(*node.right)});
  }
  const Size* visit(const syntax::Expr& e, const syntax::PathSection&) { return opaque(e, {}); }
  const Size* visit(const syntax::Expr& e, const syntax::ApplyExpr& node) {
    std::vector<const Size*> parts{build(*node.function)};
    if (const auto* inner = std::get_if<TermSize>(&parts.front()->node);
        inner && inner->kind == Kind::Apply)
      parts = inner->arguments;
    for (const syntax::Expr* argument : node.arguments)
      parts.push_back(build(*argument));
    return term(e, Kind::Apply, {}, std::move(parts));
  }
  const Size* visit(const syntax::Expr& e, const syntax::BinaryExpr& node) {
    const Size* left = build(*node.left);
    const Size* right = build(*node.right);
    if (auto op = size_operator(node)) return arena_.make<Size>(OperationSize{*op, left, right});
    if (node.variable && node.variable->kind != Variable::Kind::Overloaded)
      return term(e, Kind::Infix, node.op.name, {name(e, node.variable), left, right});
    return term(e, Kind::Infix, node.op.name, {left, right});
  }
  const Size* visit(const syntax::Expr& e, const syntax::UnaryExpr& node) {
    const Size* operand = build(*node.operand);
    switch (node.op) {
    case syntax::UnaryOperator::Negate:
      if (const auto* c = std::get_if<ConstantSize>(&operand->node))
        return constant(arena_, -c->value);
      return term(e, Kind::Prefix, "-", {operand});
    case syntax::UnaryOperator::Not:
      return term(e, Kind::Prefix, "!", {operand});
    }
    return nullptr;
  }
  const Size* visit(const syntax::Expr& e, const syntax::ConstructorExpr& node) {
    return term(e, Kind::Constructor, node.name, all(node.arguments));
  }
  const Size* visit(const syntax::Expr&, const syntax::AscribeExpr& node) {
    return build(*node.value);
  }
  const Size* visit(const syntax::Expr& e, const syntax::CoerceExpr& node) {
    return opaque(e, {build(*node.value)});
  }
  const Size* visit(const syntax::Expr& e, const syntax::RangeExpr& node) {
    std::vector<const Size*> parts{build(*node.first)};
    if (node.second) parts.push_back(build(*node.second));
    parts.push_back(build(*node.end));
    return opaque(e, std::move(parts));
  }
  const Size* visit(const syntax::Expr& e, const syntax::IfExpr& node) {
    return opaque(e, {build(*node.condition), build(*node.then_branch), build(*node.else_branch)});
  }
  const Size* visit(const syntax::Expr&, const syntax::AttributedExpr& node) {
    return build(*node.body);
  }
  const Size* visit(const syntax::Expr&, const syntax::AssertExpr& node) {
    return build(*node.body);
  }
  const Size* visit(const syntax::Expr& e, const syntax::WithExpr& node) {
    return opaque(e, {build(*node.value), build(*node.replacement)});
  }
  const Size* visit(const syntax::Expr&, const syntax::LetPatternExpr&) { return nullptr; }
  const Size* visit(const syntax::Expr&, const syntax::LetFunctionExpr&) { return nullptr; }
  const Size* visit(const syntax::Expr&, const syntax::LetWithExpr&) { return nullptr; }
  const Size* visit(const syntax::Expr&, const syntax::LambdaExpr&) { return nullptr; }
  const Size* visit(const syntax::Expr&, const syntax::LoopExpr&) { return nullptr; }
  const Size* visit(const syntax::Expr&, const syntax::MatchExpr&) { return nullptr; }
  const Size* visit(const syntax::Expr&, const syntax::ErrorExpr&) { return nullptr; }

  TypeArena& arena_;
};

} // namespace

const Size* structural_size(TypeArena& arena, const syntax::Expr& expression) {
  Builder builder(arena);
  const Size* size = builder.build(expression);
  return builder.binds ? nullptr : size;
}

// ---- compared ----------------------------------------------------------------------------------

std::optional<std::vector<std::pair<const Size*, const Size*>>> similar_sizes(const Size* a,
                                                                              const Size* b) {
  std::vector<std::pair<const Size*, const Size*>> parts;
  if (a == b) return parts;
  if (!a || !b || a->node.index() != b->node.index()) return std::nullopt;
  if (const auto* x = std::get_if<ConstantSize>(&a->node)) {
    if (x->value != std::get<ConstantSize>(b->node).value) return std::nullopt;
    return parts;
  }
  if (const auto* x = std::get_if<VariableSize>(&a->node)) {
    if (x->variable != std::get<VariableSize>(b->node).variable) return std::nullopt;
    return parts;
  }
  if (const auto* x = std::get_if<OperationSize>(&a->node)) {
    const auto& y = std::get<OperationSize>(b->node);
    if (x->op != y.op) return std::nullopt;
    parts = {{x->left, y.left}, {x->right, y.right}};
    return parts;
  }
  if (const auto* x = std::get_if<TermSize>(&a->node)) {
    const auto& y = std::get<TermSize>(b->node);
    if (x->kind != y.kind || x->head != y.head || x->arguments.size() != y.arguments.size())
      return std::nullopt;
    if (x->kind == TermSize::Kind::Opaque && x->expression != y.expression) return std::nullopt;
    for (std::size_t i = 0; i < x->arguments.size(); ++i)
      parts.emplace_back(x->arguments[i], y.arguments[i]);
    return parts;
  }
  return std::nullopt;
}

bool same_size(const Size* a, const Size* b) {
  auto parts = similar_sizes(a, b);
  return parts && std::all_of(parts->begin(), parts->end(),
                              [&](const auto& pair) { return same_size(pair.first, pair.second); });
}

} // namespace sinter::check
