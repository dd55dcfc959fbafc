// Types of expressions that bind names: let, local functions, lambdas and loops.
#include "lang/check/types/inference.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

namespace {

/// The variable of a pattern that is no more than a name.
Variable* name_of(const syntax::Pattern& pattern) {
  const syntax::Pattern* p = &pattern;
  while (true) {
    if (const auto* name = std::get_if<syntax::NamePattern>(&p->node)) return name->variable;
    if (const auto* a = std::get_if<syntax::AscribePattern>(&p->node))
      p = a->pattern;
    else if (const auto* i = std::get_if<syntax::ParenthesizedPattern>(&p->node))
      p = i->inner;
    else if (const auto* b = std::get_if<syntax::AttributedPattern>(&p->node))
      p = b->pattern;
    else
      return nullptr;
  }
}

bool occurs(const Variable* variable, const Type* type) {
  bool found = false;
  for_each_variable(type, [&](const Variable* v) { found = found || v == variable; });
  return found;
}

} // namespace

const Type* Inference::function_type(const std::vector<syntax::Pattern*>& parameters,
                                     const std::vector<const Type*>& parameter_types,
                                     const Type* result,
                                     std::vector<const Variable*> existentials) {
  for (std::size_t i = parameters.size(); i-- > 0;) {
    const Variable* name = name_of(*parameters[i]);
    if (name && !occurs(name, result)) name = nullptr;
    result = function(arena(), parameter_types[i], result, name, std::move(existentials));
    existentials.clear();
  }
  return result;
}

const Type* Inference::check_function(std::vector<syntax::Pattern*>& parameters,
                                      syntax::TypeExpr* result_type, syntax::Expr& body,
                                      AnonymousSizes mode, std::vector<Variable*>* made) {
  std::vector<const Type*> types;
  for (syntax::Pattern* parameter : parameters) {
    types.push_back(check_pattern(*parameter, new_meta(parameter->span),
                                  Reason{Reason::Kind::Pattern, parameter->span}, mode, made));
    must_be_irrefutable(*parameter);
  }
  std::vector<const Variable*> existentials;
  const Type* result = check_body(parameters, result_type, body, existentials);
  return function_type(parameters, types, result, std::move(existentials));
}

const Type* Inference::check_body(const std::vector<syntax::Pattern*>& parameters,
                                  syntax::TypeExpr* result_type, syntax::Expr& body,
                                  std::vector<const Variable*>& existentials) {
  const Type* declared = nullptr;
  if (result_type) {
    std::vector<Variable*> made;
    declared = result_type->type ? result_type->type
                                 : check_type(*result_type, AnonymousSizes::Existential, &made);
    existentials.assign(made.begin(), made.end());
  }
  const Type* type;
  {
    Layer layer(*this);
    type = check_expression(body);
  }
  if (declared) {
    Reason reason{Reason::Kind::Result, body.span};
    reason.origin = result_type->span;
    reason.origin_text = "the declared result type";
    unify(declared, type, reason);
    return declared;
  }
  std::vector<const Variable*> names;
  for (const syntax::Pattern* parameter : parameters)
    if (const Variable* name = name_of(*parameter)) names.push_back(name);
  return close_result(type, level_, names, existentials);
}

const Type* Inference::infer_lambda(syntax::Expr&, syntax::LambdaExpr& node) {
  syntax::Expr* outer = std::exchange(current_, nullptr);
  const Type* type;
  {
    Layer layer(*this);
    type = check_function(node.parameters, node.result_type, *node.body, AnonymousSizes::Infer,
                          nullptr);
  }
  current_ = outer;
  lower_levels(type);
  return type;
}

const Type* Inference::infer_let_function(syntax::Expr& expression, syntax::LetFunctionExpr& node) {
  std::vector<Variable*> made;
  const Type* type;
  syntax::Expr* outer = std::exchange(current_, nullptr);
  {
    Layer layer(*this);
    bind_parameters(node.type_parameters);
    type = check_function(node.parameters, node.result_type, *node.value, AnonymousSizes::Parameter,
                          &made);
  }
  current_ = outer;
  Scheme scheme;
  for (const syntax::TypeParameter& parameter : node.type_parameters) {
    if (parameter.type_name) scheme.type_parameters.push_back(parameter.type_name);
    if (parameter.size) scheme.size_parameters.push_back(parameter.size);
  }
  scheme.size_parameters.insert(scheme.size_parameters.end(), made.begin(), made.end());
  generalise_sizes(type, scheme.size_parameters);
  lower_levels(type);
  const Type* body;
  {
    Layer layer(*this);
    must_be_redefinable(node.name, node.name_span);
    node.variable = new_variable(Variable::Kind::Local, node.name, node.name_span, type);
    node.variable->scheme.type_parameters = std::move(scheme.type_parameters);
    node.variable->scheme.size_parameters = std::move(scheme.size_parameters);
    bind(node.variable);
    body = check_expression(*node.body);
  }
  (void)expression;
  return leave_scope(body);
}

void Inference::check_size_binders(std::vector<syntax::SizeBinder>& sizes) {
  for (syntax::SizeBinder& binder : sizes) {
    binder.variable = new_variable(Variable::Kind::SizeParameter, binder.name, binder.span,
                                   primitive(ElementType::I64));
    bind(binder.variable);
  }
}

const Type* Inference::infer_let(syntax::Expr&, syntax::LetPatternExpr& node) {
  const Type* value = check_expression(*node.value);
  const Type* body;
  {
    Layer layer(*this);
    check_size_binders(node.sizes);
    const Type* pattern =
        check_pattern(*node.pattern, value, Reason{Reason::Kind::Pattern, node.pattern->span});
    must_be_irrefutable(*node.pattern);
    if (!node.sizes.empty()) relate_sizes(pattern, value);
    if (Variable* name = name_of(*node.pattern); name && is_primitive(value, ElementType::I64))
      if (const Size* size = size_of(*node.value)) known_sizes_.emplace(name, size);
    body = check_expression(*node.body);
  }
  return leave_scope(body);
}

const Type* Inference::infer_let_with(syntax::Expr&, syntax::LetWithExpr& node) {
  syntax::QualifiedName name{{}, node.name, node.name_span};
  std::uint32_t field_count = 0;
  node.source = find_variable(name, field_count);
  const Type* type = node.source ? instantiate(*node.source, node.name_span) : error_;
  const Type* part = follow_path(type, node.path);
  const Type* value = check_expression(*node.value);
  Reason reason{Reason::Kind::Replacement, node.value->span};
  reason.field = node.path.back().field;
  unify(part, value, reason);
  const Type* body;
  {
    Layer layer(*this);
    node.target = new_variable(Variable::Kind::Local, node.name, node.name_span, type);
    bind(node.target);
    body = check_expression(*node.body);
  }
  return leave_scope(body);
}

// ---- loops -------------------------------------------------------------------------------------
//
// Which sizes of a loop's parameter stay the same is known only after its body has been checked.
// Until then each of them is a frozen inference variable.  Then those that the body gives back
// unchanged become the initial value's size, the others an unknown size that is read off the
// parameter's value before each iteration.

namespace {

struct LoopSize {
  MetaSize* meta = nullptr;
  const Size* initial = nullptr;
  const Size* next = nullptr; ///< after an iteration
  bool changes = false;
};

class SizeFreezer : public Rewriter {
public:
  SizeFreezer(TypeArena& arena, std::function<Size*()> make, std::vector<LoopSize>& sizes)
      : Rewriter(arena), make_(std::move(make)), sizes_(sizes) {}
  const Type* freeze(const Type* t) {
    t = resolve(t);
    // Of what has very many parts the sizes must not change.
    if (written_size_(t) >= WrittenSize::limit) return t;
    if (const auto* a = std::get_if<ArrayType>(&t->node)) {
      Size* size = make_();
      sizes_.push_back({&std::get<MetaSize>(size->node), a->size, nullptr, false});
      return array(arena_, size, freeze(a->element));
    }
    if (const auto* r = std::get_if<RecordType>(&t->node)) {
      std::vector<Field> fields;
      for (const Field& field : r->fields)
        fields.push_back({field.name, freeze(field.type)});
      return record_like(arena_, *r, std::move(fields));
    }
    if (const auto* s = std::get_if<SumType>(&t->node)) {
      std::vector<Constructor> constructors;
      for (const Constructor& constructor : s->constructors) {
        constructors.push_back({constructor.name, {}});
        for (const Type* payload : constructor.payload)
          constructors.back().payload.push_back(freeze(payload));
      }
      return arena_.make<Type>(SumType{std::move(constructors)});
    }
    return t;
  }

private:
  WrittenSize written_size_;
  std::function<Size*()> make_;
  std::vector<LoopSize>& sizes_;
};

/// Finds, in the order of `SizeFreezer`, what each size is after an iteration.
void next_sizes(const Type* before, const Type* after, std::vector<LoopSize>& sizes,
                std::size_t& position, WrittenSize& written_size) {
  before = resolve(before);
  if (written_size(before) >= WrittenSize::limit) return;
  if (const auto* a = std::get_if<ArrayType>(&before->node)) {
    const auto* b = as<ArrayType>(after);
    if (position < sizes.size()) sizes[position].next = b ? resolve(b->size) : nullptr;
    ++position;
    next_sizes(a->element, b ? b->element : a->element, sizes, position, written_size);
  } else if (const auto* r = std::get_if<RecordType>(&before->node)) {
    const auto* s = as<RecordType>(after);
    for (std::size_t i = 0; i < r->fields.size(); ++i)
      next_sizes(r->fields[i].type,
                 s && i < s->fields.size() ? s->fields[i].type : r->fields[i].type, sizes, position,
                 written_size);
  } else if (const auto* c = std::get_if<SumType>(&before->node)) {
    const auto* d = as<SumType>(after);
    for (std::size_t i = 0; i < c->constructors.size(); ++i)
      for (std::size_t j = 0; j < c->constructors[i].payload.size(); ++j) {
        const Type* payload = c->constructors[i].payload[j];
        const Type* other = payload;
        if (d && i < d->constructors.size() && j < d->constructors[i].payload.size())
          other = d->constructors[i].payload[j];
        next_sizes(payload, other, sizes, position, written_size);
      }
  }
}

/// Whether two sizes are equal if the loop sizes that do not change are their initial ones.
bool same_in_loop(const Size* a, const Size* b, const std::vector<LoopSize>& sizes) {
  auto initial = [&](const Size* s) {
    s = resolve(s);
    if (const auto* m = std::get_if<MetaSize>(&s->node))
      for (const LoopSize& size : sizes)
        if (size.meta == m) return size.changes ? s : resolve(size.initial);
    return s;
  };
  a = initial(a);
  b = initial(b);
  if (a == b) return true;
  if (a->node.index() != b->node.index()) return false;
  if (const auto* x = std::get_if<ConstantSize>(&a->node))
    return x->value == std::get<ConstantSize>(b->node).value;
  if (const auto* x = std::get_if<VariableSize>(&a->node))
    return x->variable == std::get<VariableSize>(b->node).variable;
  if (const auto* x = std::get_if<OperationSize>(&a->node)) {
    const auto& y = std::get<OperationSize>(b->node);
    return x->op == y.op && same_in_loop(x->left, y.left, sizes) &&
           same_in_loop(x->right, y.right, sizes);
  }
  return false;
}

} // namespace

/// The value that a loop without `= initial` starts from: the outer variables of the pattern's
/// names, in the pattern's shape.
const Type* Inference::implicit_initial(const syntax::Pattern& pattern,
                                        std::vector<Variable*>& variables) {
  auto outer = [&](std::string_view name, Span span) {
    std::uint32_t field_count = 0;
    Variable* variable = find_variable(syntax::QualifiedName{{}, name, span}, field_count);
    variables.push_back(variable);
    return variable ? instantiate(*variable, span) : error_;
  };
  if (const auto* name = std::get_if<syntax::NamePattern>(&pattern.node))
    return outer(name->name, pattern.span);
  if (const auto* t = std::get_if<syntax::TuplePattern>(&pattern.node)) {
    std::vector<const Type*> parts;
    for (const syntax::Pattern* element : t->elements)
      parts.push_back(implicit_initial(*element, variables));
    return tuple(arena(), parts);
  }
  if (const auto* r = std::get_if<syntax::RecordPattern>(&pattern.node)) {
    std::vector<Field> fields;
    for (const syntax::FieldPattern& field : r->fields)
      fields.push_back({field.name, field.pattern ? implicit_initial(*field.pattern, variables)
                                                  : outer(field.name, field.name_span)});
    return record(arena(), std::move(fields));
  }
  if (const auto* a = std::get_if<syntax::AscribePattern>(&pattern.node))
    return implicit_initial(*a->pattern, variables);
  if (const auto* p = std::get_if<syntax::ParenthesizedPattern>(&pattern.node))
    return implicit_initial(*p->inner, variables);
  if (const auto* b = std::get_if<syntax::AttributedPattern>(&pattern.node))
    return implicit_initial(*b->pattern, variables);
  diagnostics().error("loop-initial", pattern.span,
                      "a loop whose pattern is not made of names needs an initial value");
  return error_;
}

const Type* Inference::infer_loop(syntax::Expr& expression, syntax::LoopExpr& node) {
  node.implicit_initial.clear(); // of an earlier attempt
  const Type* initial = node.initial ? check_expression(*node.initial)
                                     : implicit_initial(*node.pattern, node.implicit_initial);
  oblige(initial, Lifting::SizeLifted, node.pattern->span,
         ", but a loop parameter may not be of function type");
  // The parts of the form that are evaluated once, before the loop.
  const Type* bound = nullptr;
  const Type* element = nullptr;
  if (auto* form = std::get_if<syntax::ForLess>(&node.form)) {
    bound = require_any(*form->bound, integer_elements);
  } else if (auto* form_in = std::get_if<syntax::ForIn>(&node.form)) {
    const Type* type = check_expression(*form_in->array);
    if (const auto* a = as<ArrayType>(type)) {
      element = a->element;
    } else {
      element = new_meta(form_in->array->span, Lifting::None);
      Reason reason;
      reason.span = form_in->array->span;
      unify(array(arena(), new_size(), element), type, reason);
    }
  }
  const Type* result;
  {
    syntax::Expr* outer = std::exchange(current_, nullptr);
    Layer layer(*this);
    std::vector<LoopSize> sizes;
    auto make = [&] { return arena().make<Size>(MetaSize{next_id_++, level_, true, nullptr}); };
    const Type* parameter = SizeFreezer(arena(), make, sizes).freeze(initial);
    check_size_binders(node.sizes);
    const Type* pattern =
        check_pattern(*node.pattern, parameter, Reason{Reason::Kind::Pattern, node.pattern->span});
    must_be_irrefutable(*node.pattern);
    if (!node.sizes.empty()) relate_sizes(pattern, parameter);
    const Type* body;
    {
      Layer inner(*this);
      if (auto* form = std::get_if<syntax::ForLess>(&node.form)) {
        form->variable = new_variable(Variable::Kind::Local, form->name, form->name_span, bound);
        bind(form->variable);
      } else if (auto* form_in = std::get_if<syntax::ForIn>(&node.form)) {
        check_pattern(*form_in->pattern, element,
                      Reason{Reason::Kind::Pattern, form_in->pattern->span});
        must_be_irrefutable(*form_in->pattern);
      } else {
        require(*std::get<syntax::While>(node.form).condition, ElementType::Bool);
      }
      body = check_expression(*node.body);
    }
    Reason reason{Reason::Kind::LoopBody, node.body->span};
    reason.origin = node.initial ? node.initial->span : node.pattern->span;
    reason.origin_text = "the loop starts from this";
    unify(parameter, body, reason);
    std::size_t position = 0;
    WrittenSize written_size;
    next_sizes(parameter, body, sizes, position, written_size);
    bool stable = false;
    while (!stable) {
      stable = true;
      for (LoopSize& size : sizes) {
        if (size.changes) continue;
        if (size.next && same_in_loop(size.initial, size.next, sizes)) continue;
        size.changes = true;
        stable = false;
      }
    }
    for (LoopSize& size : sizes)
      size.meta->link = size.changes ? new_unknown_size() : size.initial;
    result = pattern;
    current_ = outer;
  }
  (void)expression;
  return leave_scope(strip_unique(arena(), result));
}

} // namespace sinter::check
