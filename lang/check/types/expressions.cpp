// Types of expressions that bind no names.
#include "lang/base/interruptible.h"
#include "lang/base/prelude_files.h"
#include "lang/check/types/inference.h"
#include "lang/types/brief.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

const Type* Inference::check_expression(syntax::Expr& expression) {
  poll_interruption();
  const Type* type = strip_unique(arena(), infer(expression));
  annotations_.put(expression.type, type);
  return type;
}

void Inference::require(syntax::Expr& expression, ElementType element) {
  const Type* type = check_expression(expression);
  Reason reason;
  reason.span = expression.span;
  unifier_.unify(primitive(element), type, reason);
}

const Type* Inference::require_any(syntax::Expr& expression, std::uint16_t elements) {
  const Type* type = check_expression(expression);
  if (const auto* p = as<PrimitiveType>(type); p && (elements & element_bit(p->element)) != 0)
    return type;
  Reason reason;
  reason.span = expression.span;
  return unifier_.unify(unifier_.new_overloaded(expression.span, elements), type, reason) ? type
                                                                                          : error_;
}

const Type* Inference::infer(syntax::Expr& expression) {
  static_assert(std::variant_size_v<syntax::ExprNode> == 35, "a new form needs a line here");
  syntax::ExprNode& node = expression.node;
  if (auto* literal = std::get_if<syntax::IntegerLiteral>(&node)) {
    const Type* type = literal->suffix ? primitive(*literal->suffix)
                                       : unifier_.new_overloaded(expression.span, number_elements);
    deferred_.add_literal(expression);
    return type;
  }
  if (auto* literal = std::get_if<syntax::FloatLiteral>(&node)) {
    const Type* type = literal->suffix ? primitive(*literal->suffix)
                                       : unifier_.new_overloaded(expression.span, float_elements);
    deferred_.add_literal(expression);
    return type;
  }
  if (auto* e = std::get_if<syntax::VariableExpr>(&node)) return infer_variable(expression, *e);
  if (auto* e = std::get_if<syntax::ApplyExpr>(&node)) return infer_apply(expression, *e);
  if (auto* e = std::get_if<syntax::BinaryExpr>(&node)) return infer_binary(expression, *e);
  if (auto* e = std::get_if<syntax::LetPatternExpr>(&node)) return infer_let(*e);
  if (auto* e = std::get_if<syntax::LambdaExpr>(&node)) return infer_lambda(*e);
  if (auto* e = std::get_if<syntax::Parenthesized>(&node)) return check_expression(*e->inner);
  if (std::holds_alternative<syntax::BoolLiteral>(node)) return primitive(ElementType::Bool);
  if (std::holds_alternative<syntax::CharLiteral>(node))
    return unifier_.new_overloaded(expression.span, number_elements);
  if (auto* e = std::get_if<syntax::StringLiteral>(&node))
    return array(arena(), constant(arena(), static_cast<std::int64_t>(e->bytes.size())),
                 primitive(ElementType::U8));
  if (std::holds_alternative<syntax::Hole>(node)) {
    deferred_.add_hole(expression);
    return unifier_.new_meta(expression.span);
  }
  if (auto* e = std::get_if<syntax::LocalOpen>(&node)) return infer_local_open(*e);
  if (auto* e = std::get_if<syntax::TupleExpr>(&node)) {
    std::vector<const Type*> elements;
    elements.reserve(e->elements.size());
    for (syntax::Expr* element : e->elements)
      elements.push_back(check_expression(*element));
    return elements.empty() ? unit_ : tuple(arena(), elements);
  }
  if (auto* e = std::get_if<syntax::RecordExpr>(&node)) return infer_record(expression, *e);
  if (auto* e = std::get_if<syntax::ArrayExpr>(&node)) return infer_array(expression, *e);
  if (auto* e = std::get_if<syntax::ProjectExpr>(&node))
    return project(check_expression(*e->record), e->field, e->field_span);
  if (auto* e = std::get_if<syntax::IndexExpr>(&node))
    return index(check_expression(*e->array), e->indices, e->array->span);
  if (auto* e = std::get_if<syntax::LeftSection>(&node)) return infer_left_section(expression, *e);
  if (auto* e = std::get_if<syntax::RightSection>(&node))
    return infer_right_section(expression, *e);
  if (auto* e = std::get_if<syntax::PathSection>(&node)) return infer_path_section(expression, *e);
  if (auto* e = std::get_if<syntax::UnaryExpr>(&node)) return infer_unary(expression, *e);
  if (auto* e = std::get_if<syntax::ConstructorExpr>(&node))
    return infer_constructor(expression, *e);
  if (auto* e = std::get_if<syntax::AscribeExpr>(&node))
    return infer_ascription(*e->value, *e->type);
  if (auto* e = std::get_if<syntax::CoerceExpr>(&node))
    return infer_ascription(*e->value, *e->type);
  if (auto* e = std::get_if<syntax::RangeExpr>(&node)) return infer_range(*e);
  if (auto* e = std::get_if<syntax::IfExpr>(&node)) return infer_if(expression, *e);
  if (auto* e = std::get_if<syntax::LetFunctionExpr>(&node)) return infer_let_function(*e);
  if (auto* e = std::get_if<syntax::LetWithExpr>(&node)) return infer_let_with(*e);
  if (auto* e = std::get_if<syntax::LoopExpr>(&node)) return infer_loop(*e);
  if (auto* e = std::get_if<syntax::AttributedExpr>(&node)) return check_expression(*e->body);
  if (auto* e = std::get_if<syntax::AssertExpr>(&node)) {
    require(*e->condition, ElementType::Bool);
    return check_expression(*e->body);
  }
  if (auto* e = std::get_if<syntax::WithExpr>(&node)) return infer_with(*e);
  if (auto* e = std::get_if<syntax::MatchExpr>(&node)) return infer_match(expression, *e);
  return error_; // what the parser could not read has been reported
}

// ---- names -------------------------------------------------------------------------------------

Variable* Inference::find_variable(const syntax::QualifiedName& name, std::uint32_t& field_count) {
  field_count = 0;
  if (name.qualifiers.empty()) {
    if (Variable* variable = scope_->value(name.name)) {
      if (name.name.size() > 1 && name.name[0] == '_' && variable->span.is_known())
        diagnostics()
            .error("underscore-name", name.span,
                   "use of " + in_quotes(name.name) +
                       ": variables prefixed with underscore may not be accessed")
            .notes.push_back({variable->span, "bound here"});
      return variable;
    }
  }
  std::string_view key = name.span.is_known() ? context_.sources.text(name.span) : name.name;
  if (unknown_names_.contains(key)) return nullptr;
  std::optional<ResolvedValue> found = find_value(*scope_, name, diagnostics());
  if (!found) {
    unknown_names_.insert(key);
    return nullptr;
  }
  field_count = found->field_count;
  return found->variable;
}

Variable* Inference::find_operator(const syntax::QualifiedName& op) {
  std::uint32_t field_count = 0;
  Variable* variable = find_variable(op, field_count);
  if (field_count == 0) return variable;
  diagnostics().error("not-an-operator", op.span,
                      "a record's field cannot be used as infix operator");
  return nullptr;
}

namespace {

/// The functions that ask for derivatives are checked, but evaluating them fails.
void tell_of_derivative(Context& context, const syntax::VariableExpr& node) {
  constexpr std::string_view names[] = {"jvp", "vjp", "jvp2", "vjp2", "jmp", "mjp", "jmp2", "mjp2"};
  if (std::find(std::begin(names), std::end(names), node.name.name) == std::end(names)) return;
  const Span span_of_variable = node.variable->span;
  const bool is_built_in =
      !span_of_variable.is_known() || is_in_prelude(context.sources, span_of_variable);
  if (!is_built_in || is_in_prelude(context.sources, node.name.span)) return;
  context.diagnostics->warning(
      "no-derivatives", node.name.span,
      in_quotes(context.sources.text(node.name.span)) +
          " is checked, but derivatives cannot be computed yet: evaluating this "
          "fails");
}

} // namespace

const Type* Inference::infer_variable(syntax::Expr& expression, syntax::VariableExpr& node) {
  node.variable = find_variable(node.name, node.field_count);
  if (!node.variable) {
    annotations_.put(node.variable_type, error_);
    unifier_.note_error();
    return error_;
  }
  tell_of_derivative(context_, node);
  recursive_uses_.note_name(expression, *node.variable);
  const Type* type = instantiate(*node.variable, expression.span);
  annotations_.put(node.variable_type, type);
  std::size_t first = node.name.qualifiers.size() + 1 - node.field_count;
  for (std::size_t i = first; i <= node.name.qualifiers.size(); ++i) {
    std::string_view field =
        i < node.name.qualifiers.size() ? node.name.qualifiers[i] : node.name.name;
    type = project(type, field, expression.span);
  }
  return type;
}

const Type* Inference::infer_local_open(syntax::LocalOpen& node) {
  const Module* module = find_module(*scope_, node.module, diagnostics());
  if (!module) {
    Scope unknown{scope_, {}, true};
    const Scope* outer = std::exchange(scope_, &unknown);
    check_expression(*node.body);
    scope_ = outer;
    unifier_.note_error();
    return error_;
  }
  const Environment* environment = module->environment();
  if (!environment) {
    diagnostics().error("module-is-parametric", node.module.span,
                        "Module " + in_quotes(excerpt_of(context_, node.module.span)) +
                            " is a parametric module");
    return error_;
  }
  Scope opened{scope_, *environment, module->is_erroneous};
  const Scope* outer = std::exchange(scope_, &opened);
  const Type* type = check_expression(*node.body);
  scope_ = outer;
  return type;
}

// ---- records and sums --------------------------------------------------------------------------

const Type* Inference::infer_record(syntax::Expr& expression, syntax::RecordExpr& node) {
  std::vector<Field> fields;
  for (syntax::FieldExpr& field : node.fields) {
    const Type* type = nullptr;
    if (field.value) {
      type = check_expression(*field.value);
    } else {
      std::uint32_t field_count = 0;
      syntax::QualifiedName name{{}, field.name, field.name_span};
      field.variable = find_variable(name, field_count);
      type = field.variable ? instantiate(*field.variable, expression.span) : error_;
      if (!field.variable) unifier_.note_error();
      annotations_.put(field.variable_type, type);
    }
    auto old = std::find_if(node.fields.data(), &field, [&](const syntax::FieldExpr& other) {
      return other.name == field.name;
    });
    if (old != &field) {
      diagnostics()
          .error("duplicate-field", field.name_span,
                 "field " + in_quotes(field.name) + " previously defined in the same record")
          .notes.push_back({old->name_span, "first defined here"});
      continue;
    }
    fields.push_back({field.name, type});
  }
  return record(arena(), std::move(fields));
}

const Type* Inference::project(const Type* type, std::string_view field, Span span) {
  if (const auto* r = as<RecordType>(type)) {
    if (const Type* found = find_field(r->fields, field)) return strip_unique(arena(), found);
    std::vector<std::string_view> names;
    for (const Field& f : r->fields)
      names.push_back(f.name);
    auto& diagnostic =
        diagnostics().error("unknown-field", span,
                            "no field " + in_quotes(field) + " in a record type with fields " +
                                in_quotes(print_briefly(type)));
    auto similar = similar_names(field, names);
    if (!similar.empty()) diagnostic.hint = "did you mean " + in_quotes(similar.front()) + "?";
    return error_;
  }
  if (as<ErrorType>(type)) return error_;
  if (!as<MetaType>(type)) {
    diagnostics().error("not-a-record", span,
                        "cannot project field " + in_quotes(field) + " from a value of type " +
                            in_quotes(print_briefly(type)) + ", which is not a record");
    return error_;
  }
  const Type* result = unifier_.new_meta(span);
  const Type* with_field = unifier_.new_record(span, field, result);
  Reason reason;
  reason.span = span;
  return unifier_.unify(with_field, type, reason) ? result : error_;
}

const Type* Inference::infer_constructor(syntax::Expr& expression, syntax::ConstructorExpr& node) {
  std::vector<const Type*> payload;
  for (syntax::Expr* argument : node.arguments)
    payload.push_back(check_expression(*argument));
  return unifier_.new_sum(expression.span, node.name, std::move(payload));
}

// ---- arrays ------------------------------------------------------------------------------------

const Type* Inference::infer_array(syntax::Expr& expression, syntax::ArrayExpr& node) {
  const Type* element = nullptr;
  for (syntax::Expr* e : node.elements) {
    const Type* type = check_expression(*e);
    if (!element) {
      element = type;
      continue;
    }
    Reason reason{Reason::Kind::Element, e->span};
    reason.origin = node.elements.front()->span;
    reason.origin_text = "the first element has the expected type";
    unifier_.unify(element, type, reason);
  }
  if (!element) element = unifier_.new_meta(expression.span, Lifting::None);
  deferred_.oblige(element, Lifting::None, expression.span, "");
  return array(arena(), constant(arena(), static_cast<std::int64_t>(node.elements.size())),
               element);
}

namespace {
const syntax::IntegerLiteral* literal_of(const syntax::Expr* expression) {
  while (const auto* p = std::get_if<syntax::Parenthesized>(&expression->node))
    expression = p->inner;
  return std::get_if<syntax::IntegerLiteral>(&expression->node);
}
/// Whether two expressions are the same literal or the same name.
bool same_start(const syntax::Expr& a, const syntax::Expr& b) {
  if (const auto* x = literal_of(&a)) {
    const auto* y = literal_of(&b);
    return y && x->digits_value == y->digits_value;
  }
  const auto* x = std::get_if<syntax::VariableExpr>(&a.node);
  const auto* y = std::get_if<syntax::VariableExpr>(&b.node);
  return x && y && x->variable && x->variable == y->variable && x->field_count == 0 &&
         y->field_count == 0;
}
} // namespace

const Type* Inference::index(const Type* type, std::vector<syntax::IndexPart>& parts, Span span) {
  for (syntax::IndexPart& part : parts) {
    if (part.index) require_any(*part.index, integer_elements);
    if (part.begin) require(*part.begin, ElementType::I64);
    if (part.end) require(*part.end, ElementType::I64);
    if (part.stride) require(*part.stride, ElementType::I64);
    if (const auto* a = as<ArrayType>(type)) {
      type = a->element;
      continue;
    }
    if (as<ErrorType>(type)) return error_;
    const Type* element = unifier_.new_meta(span, Lifting::None);
    deferred_.oblige(element, Lifting::None, span, "");
    if (as<MetaType>(type)) {
      Reason reason;
      reason.span = span;
      if (!unifier_.unify(array(arena(), unknown_size_, element), type, reason)) return error_;
    } else {
      diagnostics().error("not-an-array", span,
                          "cannot index a value of type " + in_quotes(print_briefly(type)) +
                              ", which is not an array of rank " + std::to_string(parts.size()));
      return error_;
    }
    type = element;
  }
  for (const syntax::IndexPart& part : parts)
    if (part.is_slice()) type = array(arena(), unknown_size_, type);
  return type;
}

const Type* Inference::follow_path(const Type* type, std::vector<syntax::PathStep>& path) {
  for (syntax::PathStep& step : path)
    type = step.is_field() ? project(type, step.field, step.span)
                           : index(type, step.indices, step.span);
  return type;
}

const Type* Inference::infer_path_section(syntax::Expr& expression, syntax::PathSection& node) {
  const Type* source = unifier_.new_meta(expression.span);
  const Type* result = follow_path(source, node.steps);
  return function(arena(), source, result);
}

const Type* Inference::infer_with(syntax::WithExpr& node) {
  const Type* type = check_expression(*node.value);
  const Type* part = follow_path(type, node.path);
  const Type* replacement = check_expression(*node.replacement);
  Reason reason{Reason::Kind::Replacement, node.replacement->span};
  reason.field = node.path.back().field;
  unifier_.unify(part, replacement, reason);
  return type;
}

const Type* Inference::infer_range(syntax::RangeExpr& node) {
  const Type* element = require_any(*node.first, integer_elements);
  auto same = [&](syntax::Expr& e) {
    Reason reason;
    reason.span = e.span;
    reason.origin = node.first->span;
    reason.origin_text = "all parts of a range have the type of its first element";
    unifier_.unify(element, check_expression(e), reason);
  };
  if (node.second) same(*node.second);
  same(*node.end);
  if (node.second && same_start(*node.first, *node.second))
    diagnostics().warning("identical-start", node.second->span,
                          "First and second element of range are identical, this will produce an "
                          "empty array.");
  return array(arena(), unknown_size_, element);
}

// ---- ascription and branches -------------------------------------------------------------------

const Type* Inference::infer_ascription(syntax::Expr& value, syntax::TypeExpr& type_expression) {
  const Type* found = check_expression(value);
  const Type* type = strip_unique(arena(), check_type(type_expression, AnonymousSizes::Open));
  Reason reason{Reason::Kind::Ascription, value.span};
  reason.origin = type_expression.span;
  reason.origin_text = "the ascription";
  unifier_.unify(type, found, reason);
  return type;
}

const Type* Inference::infer_if(syntax::Expr& expression, syntax::IfExpr& node) {
  require(*node.condition, ElementType::Bool);
  const Type *then_type, *else_type;
  {
    Layer layer(*this);
    then_type = check_expression(*node.then_branch);
    else_type = check_expression(*node.else_branch);
  }
  Reason reason{Reason::Kind::Branches, node.else_branch->span};
  reason.origin = node.then_branch->span;
  reason.origin_text = "the other branch";
  if (!unifier_.unify(then_type, else_type, reason)) return error_;
  const Type* type = as<ErrorType>(then_type) ? else_type : then_type;
  deferred_.oblige(type, Lifting::SizeLifted, expression.span,
                   ", but if-results may not be of function type");
  return type;
}

const Type* Inference::infer_match(syntax::Expr& expression, syntax::MatchExpr& node) {
  const Type* scrutinee = check_expression(*node.scrutinee);
  const Type* result = nullptr;
  std::vector<const syntax::Pattern*> cases;
  for (syntax::MatchCase& branch : node.cases) {
    const Type* type;
    {
      Layer layer(*this);
      check_pattern(*branch.pattern, scrutinee,
                    Reason{Reason::Kind::Pattern, branch.pattern->span});
      type = check_expression(*branch.body);
    }
    cases.push_back(branch.pattern);
    if (!result) {
      result = type;
      continue;
    }
    Reason reason{Reason::Kind::Branches, branch.body->span};
    reason.origin = node.cases.front().body->span;
    reason.origin_text = "the first case";
    if (unifier_.unify(result, type, reason) && as<ErrorType>(result)) result = type;
  }
  deferred_.add_match(expression.span, std::move(cases));
  if (!result) return error_;
  deferred_.oblige(result, Lifting::SizeLifted, expression.span,
                   ", but match-results may not be of function type");
  return result;
}

} // namespace sinter::check
