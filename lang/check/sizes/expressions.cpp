// Sizes of expressions that bind no names.
#include "lang/base/interruptible.h"
#include "lang/check/sizes/size_checker.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

const Type* SizeChecker::check(syntax::Expr& expression) {
  const int level = sizes_.level;
  const std::size_t errors = context_.diagnostics->error_count();
  const Type* type = nullptr;
  try {
    type = strip_unique(arena(), infer(expression));
  } catch (const Stop&) {
    if (context_.diagnostics->error_count() == errors) throw;
    // For the rest it is as if the expression had the sizes that its place demands.
    sizes_.level = level;
    type = instances_.refresh(strip_unique(arena(), expression.type), expression.span,
                              Lifting::FullyLifted);
  }
  if (written_size_(type) >= WrittenSize::limit) throw Stop{}; // too many equations
  Node& node = nodes_[&expression];
  node.expression = &expression;
  node.type = type;
  return type;
}

const Type* SizeChecker::infer(syntax::Expr& expression) {
  static_assert(std::variant_size_v<syntax::ExprNode> == 35, "a new form needs a line here");
  poll_interruption();
  syntax::ExprNode& node = expression.node;
  if (auto* e = std::get_if<syntax::StringLiteral>(&node))
    return array(arena(), constant(arena(), static_cast<std::int64_t>(e->bytes.size())),
                 primitive(ElementType::U8));
  if (std::holds_alternative<syntax::Hole>(node))
    return instances_.refresh(expression.type, expression.span, Lifting::FullyLifted);
  if (auto* e = std::get_if<syntax::VariableExpr>(&node)) {
    const Type* type = look_up(e->variable, e->variable_type, expression.span, e->name.name);
    const auto& path = e->name.qualifiers;
    for (std::size_t i = path.size() + 1 - e->field_count; i <= path.size(); ++i)
      type = project(type, i < path.size() ? path[i] : e->name.name);
    return type;
  }
  if (auto* e = std::get_if<syntax::Parenthesized>(&node)) return check(*e->inner);
  if (auto* e = std::get_if<syntax::LocalOpen>(&node)) return check(*e->body);
  if (auto* e = std::get_if<syntax::TupleExpr>(&node)) {
    std::vector<const Type*> elements;
    for (syntax::Expr* element : e->elements)
      elements.push_back(check(*element));
    return tuple(arena(), elements);
  }
  if (auto* e = std::get_if<syntax::RecordExpr>(&node)) return record_fields(*e);
  if (auto* e = std::get_if<syntax::ArrayExpr>(&node)) return array_literal(expression, *e);
  if (auto* e = std::get_if<syntax::ProjectExpr>(&node))
    return project(check(*e->record), e->field);
  if (auto* e = std::get_if<syntax::IndexExpr>(&node)) {
    Variables made;
    const Type* type = check(*e->array);
    type = slice(&expression, type, e->indices, expression.span, SliceSizes::Exact, made);
    nodes_[&expression].made = std::move(made);
    return type;
  }
  if (auto* e = std::get_if<syntax::LeftSection>(&node)) return left_section(expression, *e);
  if (auto* e = std::get_if<syntax::RightSection>(&node)) return right_section(expression, *e);
  if (auto* e = std::get_if<syntax::PathSection>(&node)) return path_section(expression, *e);
  if (auto* e = std::get_if<syntax::ApplyExpr>(&node)) return application(expression, *e);
  if (auto* e = std::get_if<syntax::BinaryExpr>(&node)) return binary(expression, *e);
  if (auto* e = std::get_if<syntax::UnaryExpr>(&node)) return check(*e->operand);
  if (auto* e = std::get_if<syntax::ConstructorExpr>(&node)) return constructor(expression, *e);
  if (auto* e = std::get_if<syntax::AscribeExpr>(&node)) return ascription(*e);
  if (auto* e = std::get_if<syntax::CoerceExpr>(&node)) return coercion(*e);
  if (auto* e = std::get_if<syntax::RangeExpr>(&node)) return range(expression, *e);
  if (auto* e = std::get_if<syntax::IfExpr>(&node)) return branches(expression, *e);
  if (auto* e = std::get_if<syntax::LetPatternExpr>(&node)) return let(expression, *e);
  if (auto* e = std::get_if<syntax::LetFunctionExpr>(&node)) return let_function(expression, *e);
  if (auto* e = std::get_if<syntax::LetWithExpr>(&node)) return let_with(expression, *e);
  if (auto* e = std::get_if<syntax::LambdaExpr>(&node)) return lambda(*e);
  if (auto* e = std::get_if<syntax::LoopExpr>(&node)) return loop(expression, *e);
  if (auto* e = std::get_if<syntax::AttributedExpr>(&node)) return check(*e->body);
  if (auto* e = std::get_if<syntax::AssertExpr>(&node)) {
    check(*e->condition);
    return check(*e->body);
  }
  if (auto* e = std::get_if<syntax::WithExpr>(&node))
    return update(check(*e->value), e->path, *e->replacement);
  if (auto* e = std::get_if<syntax::MatchExpr>(&node)) return match(expression, *e);
  return expression.type; // literals
}

/// The type of an occurrence of a name, whose annotation it will be.
const Type* SizeChecker::look_up(const Variable* variable, const Type*& annotation, Span span,
                                 std::string_view name) {
  const Type* type = instance(variable, annotation, span, name);
  annotations_.emplace_back(&annotation, type);
  return type;
}

const Type* SizeChecker::instance(const Variable* variable, const Type* inferred, Span span,
                                  std::string_view name) {
  if (!variable || !inferred || written_size_(inferred) >= WrittenSize::limit) throw Stop{};
  if (variable == self_) {
    if (self_scheme_) return instances_.instantiate(*self_scheme_, inferred, span, name);
    return instances_.refresh(inferred, span, Lifting::None);
  }
  if (auto found = bindings_.find(variable); found != bindings_.end()) {
    const Scheme& scheme = found->second;
    if (scheme.type_parameters.empty() && scheme.size_parameters.empty())
      return sizes_.normalise(scheme.type);
    return instances_.instantiate(scheme, inferred, span, name);
  }
  if (variable->kind == Variable::Kind::Overloaded) {
    // Both operands are of one type.
    const auto* f = as<FunctionType>(inferred);
    const auto* g = f ? as<FunctionType>(f->result) : nullptr;
    if (!g) return instances_.refresh(inferred, span, Lifting::None);
    const Type* operand = instances_.refresh(f->parameter, span, Lifting::None);
    const Type* result = as<ArrayType>(g->result) ? operand : g->result;
    return function(arena(), operand, function(arena(), operand, result));
  }
  const Scheme& scheme = variable->scheme;
  if (!scheme.type || variable->has_unknown_sizes || as<ErrorType>(scheme.type)) {
    has_met_error_ = true;
    return instances_.refresh(inferred, span, Lifting::FullyLifted);
  }
  return instances_.instantiate(scheme, inferred, span, name);
}

const Type* SizeChecker::record_fields(syntax::RecordExpr& node) {
  std::vector<Field> fields;
  for (syntax::FieldExpr& field : node.fields)
    fields.push_back(
        {field.name, field.value
                         ? check(*field.value)
                         : strip_unique(arena(), look_up(field.variable, field.variable_type,
                                                         field.name_span, field.name))});
  return record(arena(), std::move(fields));
}

const Type* SizeChecker::project(const Type* type, std::string_view field) {
  const auto* r = as<RecordType>(type);
  const Type* found = r ? find_field(r->fields, field) : nullptr;
  if (!found) throw Stop{};
  return found;
}

const Type* SizeChecker::array_literal(syntax::Expr& expression, const syntax::ArrayExpr& node) {
  const Size* size = constant(arena(), static_cast<std::int64_t>(node.elements.size()));
  if (node.elements.empty()) {
    const auto* a = as<ArrayType>(expression.type);
    if (!a) throw Stop{};
    return array(arena(), size, instances_.refresh(a->element, expression.span, Lifting::None));
  }
  const Type* first = check(*node.elements.front());
  for (std::size_t i = 1; i < node.elements.size(); ++i) {
    Purpose purpose{node.elements[i]->span, "array element differs in type from the first one."};
    purpose.notes.push_back({node.elements.front()->span, "the first element"});
    unify(first, check(*node.elements[i]), std::move(purpose));
  }
  return array(arena(), size, first);
}

const Type* SizeChecker::constructor(syntax::Expr& expression,
                                     const syntax::ConstructorExpr& node) {
  const Type* type = instances_.refresh(expression.type, expression.span, Lifting::FullyLifted);
  const auto* s = as<SumType>(type);
  const Constructor* own = s ? find_constructor(s->constructors, node.name) : nullptr;
  if (!own) throw Stop{};
  for (std::size_t i = 0; i < node.arguments.size() && i < own->payload.size(); ++i)
    unify(own->payload[i], check(*node.arguments[i]),
          Purpose{node.arguments[i]->span, "the payload of a constructor does not fit."});
  return type;
}

// ---- ascriptions -------------------------------------------------------------------------------

const Type* SizeChecker::ascription(const syntax::AscribeExpr& node) {
  const Type* type = written_type(*node.type);
  const Type* found = check(*node.value);
  Purpose purpose{node.value->span, "Expression does not have expected type from type ascription."};
  purpose.notes.push_back({node.type->span, "the ascription"});
  unify(type, found, std::move(purpose));
  return found;
}

namespace {
constexpr const char* why =
    "a size coercion where the underlying expression size cannot be determined";
}

const Type* SizeChecker::coercion(const syntax::CoerceExpr& node) {
  const Type* type = written_type(*node.type);
  const Type* found = check(*node.value);
  // Sizes that are written are checked while running; only the others are equations.
  std::vector<std::pair<const Variable*, const Size*>> made;
  const Type* loose = instances_.refresh_flexible(type, node.type->span, why, made);
  unify(found, loose, Purpose{node.value->span, "size coercion does not fit."});
  const std::vector<const Variable*>& sizes = node.type->open_sizes;
  for (const auto& [open, size] : made) {
    const Variable* v = as_variable(size);
    if (v && std::find(sizes.begin(), sizes.end(), v) != sizes.end() && sizes_.is_flexible(v))
      sizes_.set_solution(v, variable(arena(), open));
  }
  return type;
}

// ---- ranges ------------------------------------------------------------------------------------

const Type* SizeChecker::range(syntax::Expr& expression, const syntax::RangeExpr& node) {
  const Type* element = check(*node.first);
  if (node.second) check(*node.second);
  check(*node.end);
  auto value = [&](const syntax::Expr* e) -> std::optional<std::int64_t> {
    const Size* size = e ? structural_size(arena(), *e) : nullptr;
    const auto* c = size ? std::get_if<ConstantSize>(&size->node) : nullptr;
    return c ? std::optional(c->value) : std::nullopt;
  };
  const Size* size = nullptr;
  if (is_primitive(element, ElementType::I64)) {
    const Size* first = structural_size(arena(), *node.first);
    const Size* end = structural_size(arena(), *node.end);
    bool exclusive = node.kind == syntax::RangeEnd::UpTo;
    bool inclusive = node.kind == syntax::RangeEnd::Inclusive;
    auto minus = [&](const Size* a, const Size* b) {
      return arena().make<Size>(OperationSize{SizeOperator::Subtract, a, b});
    };
    bool known = true;
    if (exclusive && value(node.first) == 0 && (!node.second || value(node.second) == 1))
      size = end;
    else if (exclusive && !node.second)
      size = first && end ? minus(end, first) : nullptr;
    else if (inclusive && value(node.first) == 1 && node.second && value(node.second) == 2)
      size = end;
    else if (inclusive && !node.second)
      size = first && end ? arena().make<Size>(OperationSize{SizeOperator::Add, minus(end, first),
                                                             constant(arena(), 1)})
                          : nullptr;
    else
      known = false;
    if (known && !size) warn_binding(expression.span);
  }
  if (!size) {
    const Variable* unknown = sizes_.unknown(expression.span, "is unknown length of range");
    nodes_[&expression].made = {unknown};
    size = variable(arena(), unknown);
  }
  return array(arena(), size, element);
}

// ---- branches ----------------------------------------------------------------------------------

const Type* SizeChecker::branches(syntax::Expr& expression, const syntax::IfExpr& node) {
  check(*node.condition);
  const Type* then_type = check(*node.then_branch);
  const Type* else_type = check(*node.else_branch);
  Variables made;
  try {
    const Type* type = unifier_.unify_branches(then_type, else_type, expression.span, made);
    nodes_[&expression].made = std::move(made);
    return type;
  } catch (SizeMismatch& mismatch) {
    fail(mismatch.id, expression.span, "Branches differ in type. " + mismatch.message,
         std::move(mismatch.notes));
  }
}

const Type* SizeChecker::match(syntax::Expr& expression, const syntax::MatchExpr& node) {
  const Type* scrutinee = check(*node.scrutinee);
  std::vector<const Type*> types;
  Variables made;
  for (const syntax::MatchCase& branch : node.cases) {
    std::vector<Variable*> bound;
    bind_pattern(*branch.pattern, scrutinee, {}, bound);
    const Type* type;
    {
      Deeper deeper(*this);
      type = check(*branch.body);
    }
    types.push_back(leave(type, bound, branch.span, expression));
  }
  if (types.empty()) throw Stop{};
  // The unknown sizes of the cases are made by the whole.
  made = nodes_[&expression].made;
  const Type* result = types.back();
  try {
    for (std::size_t i = types.size() - 1; i-- > 0;)
      result = unifier_.unify_branches(types[i], result, node.cases[i].span, made);
  } catch (SizeMismatch& mismatch) {
    fail(mismatch.id, expression.span, "Branches differ in type. " + mismatch.message,
         std::move(mismatch.notes));
  }
  nodes_[&expression].made = std::move(made);
  return result;
}

} // namespace sinter::check
