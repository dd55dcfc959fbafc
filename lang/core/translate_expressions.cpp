// Expressions: constants, records, arrays, updates, bindings.  Control is in translate_control.cpp,
// names and applications are in translate_calls.cpp.
#include "lang/base/interruptible.h"
#include "lang/core/last_use.h"
#include "lang/core/translator.h"

#include <algorithm>
#include <stdexcept>

namespace sinter::core {

const Expr* Translator::expr(const syntax::Expr& source) {
  poll_interruption();
  const Expr* result =
      std::visit([&](const auto& node) { return translate(node, source); }, source.node);
  if (!source.makes_sizes || !source.type) return result;
  std::vector<SizeBinding> sizes = bind_sizes(*concrete(source.type));
  if (sizes.empty()) return result;
  return make(result->type, source.span, BindSizes{result, std::move(sizes)});
}

// ---- constants ----------------------------------------------------------------------------------

const Expr* Translator::translate(const syntax::IntegerLiteral& literal,
                                  const syntax::Expr& source) {
  const Representation* type = concrete(source.type)->representation;
  return make(type, source.span, Constant{integer_literal(literal, type->scalar())});
}

const Expr* Translator::translate(const syntax::FloatLiteral& literal, const syntax::Expr& source) {
  const Representation* type = concrete(source.type)->representation;
  return make(type, source.span, Constant{float_literal(literal, type->scalar())});
}

const Expr* Translator::translate(const syntax::BoolLiteral& literal, const syntax::Expr& source) {
  return make(definitions_.scalar_type(ElementType::Bool), source.span,
              Constant{Scalar::of(literal.value)});
}

const Expr* Translator::translate(const syntax::CharLiteral& literal, const syntax::Expr& source) {
  const Representation* type = concrete(source.type)->representation;
  return make(type, source.span,
              Constant{integer_literal({.value = literal.code_point}, type->scalar())});
}

const Expr* Translator::translate(const syntax::StringLiteral& literal,
                                  const syntax::Expr& source) {
  return make(concrete(source.type)->representation, source.span, Bytes{literal.bytes});
}

const Expr* Translator::translate(const syntax::Hole&, const syntax::Expr& source) {
  return make(concrete(source.type)->representation, source.span, Hole{});
}

const Expr* Translator::translate(const syntax::ErrorExpr&, const syntax::Expr& source) {
  return make(definitions_.types.unit()->representation, source.span,
              Unsupported{"this expression has a syntax error"});
}

// ---- names and application ----------------------------------------------------------------------

const Expr* Translator::translate(const syntax::VariableExpr& name, const syntax::Expr& source) {
  const ConcreteType* result = concrete(source.type);
  const ConcreteType* type = name.variable_type ? concrete(name.variable_type) : result;
  return apply({&name.name, name.field_count, name.variable, type, source.span}, {}, result,
               source.span, frame_.size());
}

const Expr* Translator::translate(const syntax::Parenthesized& parenthesized, const syntax::Expr&) {
  return expr(*parenthesized.inner);
}

const Expr* Translator::translate(const syntax::LocalOpen& open, const syntax::Expr&) {
  std::vector<Name> path = open.module.qualifiers;
  path.push_back(open.module.name);
  ModuleValue* module = definitions_.modules.find_module(modules_, path);
  if (!module) throw UnknownVariable("no module " + std::string(open.module.name));
  Translator inside(definitions_, frame_, definitions_.modules.open(modules_, module), types_);
  return inside.expr(*open.body);
}

const Expr* Translator::translate(const syntax::ApplyExpr&, const syntax::Expr& source) {
  // `f x y` may be one application or two, with parentheses between.
  const syntax::Expr* head = &source;
  std::vector<const syntax::Expr*> reversed;
  while (true) {
    if (const auto* parenthesized = std::get_if<syntax::Parenthesized>(&head->node)) {
      head = parenthesized->inner;
      continue;
    }
    const auto* call = std::get_if<syntax::ApplyExpr>(&head->node);
    if (!call || (head != &source && head->makes_sizes)) break;
    reversed.insert(reversed.end(), call->arguments.rbegin(), call->arguments.rend());
    head = call->function;
  }
  const Slot first_slot = frame_.size();
  Arguments arguments;
  for (auto argument = reversed.rbegin(); argument != reversed.rend(); ++argument)
    arguments.push_back(expr(**argument));
  const ConcreteType* result = concrete(source.type);
  if (const auto* name = std::get_if<syntax::VariableExpr>(&head->node)) {
    const ConcreteType* type = concrete(name->variable_type ? name->variable_type : head->type);
    return apply({&name->name, name->field_count, name->variable, type, head->span},
                 std::move(arguments), result, source.span, first_slot);
  }
  return apply_value(expr(*head), std::move(arguments), result, source.span);
}

const Expr* Translator::translate(const syntax::BinaryExpr& binary, const syntax::Expr& source) {
  const ConcreteType* result = concrete(source.type);
  if (!binary.variable) {
    const Expr* left = expr(*binary.left);
    return short_circuit(binary.op.name, {left, branch(*binary.right)}, source.span);
  }
  const Slot first_slot = frame_.size();
  const Expr* left = expr(*binary.left);
  const Expr* right = expr(*binary.right);
  // Operators of the language itself need no type: their operands have it.
  const ConcreteType* type = binary.variable_type ? concrete(binary.variable_type) : nullptr;
  return apply({&binary.op, 0, binary.variable, type, binary.op.span}, {left, right}, result,
               source.span, first_slot);
}

const Expr* Translator::translate(const syntax::UnaryExpr& unary, const syntax::Expr& source) {
  const bool negates = unary.op == syntax::UnaryOperator::Negate;
  const Expr* operand = expr(*unary.operand);
  if (const auto* constant = std::get_if<Constant>(&operand->node); constant && negates)
    return make(operand->type, source.span,
                Constant{negate(constant->value, operand->type->scalar())});
  const primitives::Primitive* primitive =
      primitives::find_operator(negates ? "neg" : "not", operand->type->scalar());
  if (!primitive) throw std::logic_error("no such prefix operation on " + print(operand->type));
  return make(definitions_.scalar_type(primitive->result), source.span,
              PrimitiveCall{primitive, {operand}});
}

const Expr* Translator::translate(const syntax::LeftSection& left, const syntax::Expr& source) {
  const ConcreteType* type = left.variable_type ? concrete(left.variable_type) : nullptr;
  return section({&left.op, 0, left.variable, type, left.op.span}, *left.left, true, source);
}

const Expr* Translator::translate(const syntax::RightSection& right, const syntax::Expr& source) {
  const ConcreteType* type = right.variable_type ? concrete(right.variable_type) : nullptr;
  return section({&right.op, 0, right.variable, type, right.op.span}, *right.right, false, source);
}

const Expr* Translator::translate(const syntax::PathSection& path, const syntax::Expr& source) {
  const ConcreteType* type = concrete(source.type);
  return eta_expand(type, 1, source.span,
                    [&](Translator& here, Arguments given, const ConcreteType* result) {
                      const Expr* value = given[0];
                      const ConcreteType* reached = type->parts[0];
                      for (const syntax::PathStep& step : path.steps) {
                        if (step.is_field()) {
                          value = here.project(value, reached, step.field, step.span);
                          continue;
                        }
                        reached = here.indexed_type(reached, step.indices);
                        value = here.make(reached->representation, step.span,
                                          Index{value, here.index_parts(step.indices)});
                      }
                      (void)result;
                      return value;
                    });
}

const Expr* Translator::translate(const syntax::LambdaExpr& lambda, const syntax::Expr& source) {
  Function& function = *definitions_.program.arena.make<Function>();
  function.name = "lambda";
  function.span = source.span;
  Frame inner(&frame_);
  Translator translator(definitions_, inner, modules_, types_);
  std::vector<HiddenSize> none;
  translator.parameters(function, lambda.parameters, none);
  translator.complete(function, translator.expr(*lambda.body), none, true);
  return closure(function, inner.captures(), nullptr, source.span);
}

// ---- records and sums ---------------------------------------------------------------------------

const Expr* Translator::translate(const syntax::TupleExpr& tuple, const syntax::Expr& source) {
  Record record;
  for (const syntax::Expr* element : tuple.elements)
    record.fields.push_back(expr(*element));
  return make(concrete(source.type)->representation, source.span, std::move(record));
}

const Expr* Translator::translate(const syntax::RecordExpr& fields, const syntax::Expr& source) {
  const ConcreteType* type = concrete(source.type);
  Record record;
  record.fields.resize(type->parts.size());
  // Fields are evaluated as they are written, but stand in canonical order.
  std::vector<std::pair<Slot, const Expr*>> early;
  std::uint32_t previous = 0;
  bool is_canonical = true;
  std::vector<std::uint32_t> positions;
  for (const syntax::FieldExpr& field : fields.fields) {
    const std::uint32_t position = field_position(*type, field.name);
    is_canonical = is_canonical && (positions.empty() || position > previous);
    previous = position;
    positions.push_back(position);
    if (field.value) {
      record.fields[position] = expr(*field.value);
    } else {
      const syntax::QualifiedName name{.name = field.name, .span = field.name_span};
      const ConcreteType* field_type =
          field.variable_type ? concrete(field.variable_type) : type->parts[position];
      record.fields[position] = apply({&name, 0, field.variable, field_type, field.name_span}, {},
                                      type->parts[position], field.name_span, frame_.size());
    }
  }
  if (!is_canonical)
    for (std::uint32_t position : positions) {
      const Expr*& field = record.fields[position];
      const Slot slot = frame_.new_slot();
      early.emplace_back(slot, field);
      field = make(field->type, field->span, Local{slot});
    }
  const Expr* result = make(type->representation, source.span, std::move(record));
  for (auto field = early.rbegin(); field != early.rend(); ++field)
    result = make(type->representation, source.span,
                  Let{definitions_.make_pattern(field->second->span, field->second->type,
                                                SlotPattern{field->first}),
                      field->second, result});
  return result;
}

const Expr* Translator::project(const Expr* record, const ConcreteType*& type, Name field,
                                Span span) {
  const std::uint32_t position = field_position(*type, field);
  type = type->parts[position];
  return make(type->representation, span, Project{record, position});
}

const Expr* Translator::translate(const syntax::ProjectExpr& access, const syntax::Expr& source) {
  const ConcreteType* type = concrete(access.record->type);
  return project(expr(*access.record), type, access.field, source.span);
}

const Expr* Translator::translate(const syntax::ConstructorExpr& constructor,
                                  const syntax::Expr& source) {
  const Representation* type = concrete(source.type)->representation;
  const auto& constructors = std::get<SumRepresentation>(type->node).constructors;
  Sum sum;
  while (constructors.at(sum.tag).name != constructor.name)
    ++sum.tag;
  for (const syntax::Expr* argument : constructor.arguments)
    sum.payload.push_back(expr(*argument));
  return make(type, source.span, std::move(sum));
}

// ---- arrays -------------------------------------------------------------------------------------

const Expr* Translator::translate(const syntax::ArrayExpr& array, const syntax::Expr& source) {
  ArrayLiteral literal;
  for (const syntax::Expr* element : array.elements)
    literal.elements.push_back(expr(*element));
  const ConcreteType* type = concrete(source.type);
  literal.type = sized(*type, source.span);
  return make(type->representation, source.span, std::move(literal));
}

const Expr* Translator::translate(const syntax::RangeExpr& range, const syntax::Expr& source) {
  const ConcreteType* type = concrete(source.type);
  Range result{.type = type->element().representation->scalar(), .kind = range.kind};
  result.first = expr(*range.first);
  if (range.second) result.second = expr(*range.second);
  result.end = expr(*range.end);
  return make(type->representation, source.span, result);
}

std::vector<IndexPart> Translator::index_parts(const std::vector<syntax::IndexPart>& parts) {
  auto optional = [&](const syntax::Expr* part) { return part ? expr(*part) : nullptr; };
  std::vector<IndexPart> result;
  for (const syntax::IndexPart& part : parts) {
    IndexPart made{.index = optional(part.index),
                   .begin = optional(part.begin),
                   .end = optional(part.end),
                   .stride = optional(part.stride),
                   .is_slice = part.is_slice(),
                   .span = part.span};
    if (made.index) made.index_type = made.index->type->scalar();
    result.push_back(made);
  }
  return result;
}

const ConcreteType* Translator::indexed_type(const ConcreteType* array,
                                             const std::vector<syntax::IndexPart>& parts) {
  // Slices keep a dimension; which one it was does not matter for the representation.
  for (const syntax::IndexPart& part : parts)
    if (!part.is_slice()) {
      if (array->kind != ConcreteType::Kind::Array)
        throw std::logic_error("something else than an array is indexed");
      array = &array->element();
    }
  return array;
}

const Expr* Translator::translate(const syntax::IndexExpr& index, const syntax::Expr& source) {
  std::vector<IndexPart> parts = index_parts(index.indices);
  const Expr* array = expr(*index.array);
  return make(concrete(source.type)->representation, source.span, Index{array, std::move(parts)});
}

const Expr* Translator::update(const Expr* value, const ConcreteType* type,
                               const std::vector<syntax::PathStep>& path,
                               const syntax::Expr& replacement, Span span) {
  Update result{.value = value};
  const ConcreteType* reached = type;
  for (const syntax::PathStep& step : path) {
    if (!step.is_field()) {
      result.path.emplace_back(IndexStep{index_parts(step.indices)});
      reached = indexed_type(reached, step.indices);
      continue;
    }
    const std::uint32_t position = field_position(*reached, step.field);
    result.path.emplace_back(FieldStep{position});
    reached = reached->parts[position];
  }
  result.replacement = expr(replacement);
  return make(value->type, span, std::move(result));
}

const Expr* Translator::translate(const syntax::WithExpr& with, const syntax::Expr& source) {
  const ConcreteType* type = concrete(with.value->type);
  return update(expr(*with.value), type, with.path, *with.replacement, source.span);
}

// ---- bindings -----------------------------------------------------------------------------------

const Expr* Translator::translate(const syntax::LetPatternExpr& let, const syntax::Expr& source) {
  const Expr* value = expr(*let.value);
  const Pattern* bound = pattern(*let.pattern);
  const Expr* body = expr(*let.body);
  return make(body->type, source.span, Let{bound, value, body});
}

const Expr* Translator::translate(const syntax::LetWithExpr& let, const syntax::Expr& source) {
  const ConcreteType* type = concrete(let.target->scheme.type);
  const Expr* old = nullptr;
  if (let.source->kind == types::Variable::Kind::Global) {
    const syntax::QualifiedName name{.name = let.name, .span = let.name_span};
    old =
        apply({&name, 0, let.source, type, let.name_span}, {}, type, let.name_span, frame_.size());
  } else {
    old = variable(let.source, type->representation, let.name_span);
  }
  const Expr* value = update(old, type, let.path, *let.value, let.value->span);
  const Pattern* bound =
      definitions_.make_pattern(let.name_span, type->representation,
                                SlotPattern{frame_.bind(let.target, type->representation)});
  const Expr* body = expr(*let.body);
  return make(body->type, source.span, Let{bound, value, body});
}

const Expr* Translator::translate(const syntax::LetFunctionExpr& let, const syntax::Expr& source) {
  const types::Scheme& scheme = let.variable->scheme;
  LocalFunction& local = definitions_.all_local_functions.emplace_back();
  local.source = &let;
  local.modules = modules_;
  local.types = types_;
  local.is_polymorphic = !scheme.type_parameters.empty();

  const Pattern* bound = nullptr;
  const Expr* value = nullptr;
  if (!local.is_polymorphic) {
    Function& function = *definitions_.program.arena.make<Function>();
    function.name = let.name;
    function.span = let.name_span;
    Frame inner(&frame_);
    Preparation prepared = prepare(definitions_.types, scheme, types_, types_->modules, {});
    Translator translator(definitions_, inner, modules_, types_);
    local.hidden = std::move(prepared.candidates);
    translator.parameters(function, let.parameters, local.hidden);
    translator.complete(function, translator.expr(*let.value), local.hidden, true);
    value = closure(function, inner.captures(), nullptr, let.name_span);
    bound = definitions_.make_pattern(let.name_span, value->type,
                                      SlotPattern{frame_.bind(let.variable, value->type)});
  }
  // The same function may be translated again while its body is (a copy inside a copy).
  auto& in_scope = definitions_.local_functions;
  auto previous = in_scope.find(let.variable);
  LocalFunction* outside = previous == in_scope.end() ? nullptr : previous->second;
  in_scope[let.variable] = &local;
  const Expr* body = expr(*let.body);
  if (outside)
    in_scope[let.variable] = outside;
  else
    in_scope.erase(let.variable);
  return bound ? make(body->type, source.span, Let{bound, value, body}) : body;
}

} // namespace sinter::core
