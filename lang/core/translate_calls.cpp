// Names and what they are applied to: local values, definitions, intrinsics, operators, sections.
#include "lang/core/last_use.h"
#include "lang/core/translator.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace sinter::core {

namespace {

/// How many arguments an intrinsic's type (as text) has: its outermost arrows.
std::size_t arity(const primitives::Intrinsic& intrinsic) {
  if (const auto* primitive = std::get_if<const primitives::Primitive*>(&intrinsic.meaning))
    return (*primitive)->arity;
  std::size_t count = 0, depth = 0;
  for (std::size_t i = 0; i + 1 < intrinsic.type.size(); ++i) {
    const char c = intrinsic.type[i];
    if (c == '(' || c == '[' || c == '{')
      ++depth;
    else if (c == ')' || c == ']' || c == '}')
      --depth;
    else if (depth == 0 && c == '-' && intrinsic.type[i + 1] == '>')
      ++count;
  }
  return count;
}

bool is_differentiation(primitives::ArrayOperation operation) {
  using primitives::ArrayOperation;
  return operation == ArrayOperation::Jvp2 || operation == ArrayOperation::Vjp2 ||
         operation == ArrayOperation::Jmp2 || operation == ArrayOperation::Mjp2 ||
         operation == ArrayOperation::WithVjp;
}

/// The type of what remains after `count` arguments; null where it is not known.
const ConcreteType* result_after(const ConcreteType* type, std::size_t count) {
  for (; count > 0 && type; --count)
    type = type->parts.size() == 2 && type->kind == ConcreteType::Kind::Function ? type->parts[1]
                                                                                 : nullptr;
  return type;
}

bool reads_slot_from(const Expr* expr, Slot first) {
  if (const auto* local = std::get_if<Local>(&expr->node)) return local->slot >= first;
  if (const auto* call = std::get_if<PrimitiveCall>(&expr->node))
    return std::ranges::any_of(call->arguments,
                               [&](const Expr* e) { return reads_slot_from(e, first); });
  // Other sizes (calls, say) may read anything.
  return !std::holds_alternative<Constant>(expr->node) &&
         !std::holds_alternative<Captured>(expr->node) &&
         !std::holds_alternative<GlobalValue>(expr->node) &&
         !std::holds_alternative<Unsupported>(expr->node);
}

} // namespace

// ---- names --------------------------------------------------------------------------------------

const Expr* Translator::variable(const types::Variable* variable, const Representation* type,
                                 Span span) {
  if (const SizeTerm* replaced = types_->find(variable)) {
    if (const Expr* value = size(*replaced, span, SizeUse::Value)) return value;
    throw UnknownVariable(std::string(variable->name));
  }
  auto place = frame_.find(variable);
  if (!place) throw UnknownVariable("no place for the variable " + std::string(variable->name));
  if (!type) type = place->type;
  if (place->is_captured) return make(type, span, Captured{place->index});
  return make(type, span, Local{place->index});
}

const Expr* Translator::apply(const Head& head, Arguments arguments, const ConcreteType* result,
                              Span span, Slot first_slot) {
  if (head.field_count > 0) {
    Head record = head;
    record.field_count = 0;
    syntax::QualifiedName name = *head.name;
    std::vector<Name> path = name.qualifiers;
    path.push_back(name.name);
    const std::size_t whole = path.size() - head.field_count;
    name.name = path[whole - 1];
    name.qualifiers.assign(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(whole - 1));
    record.name = &name;
    const ConcreteType* type = head.type;
    const Expr* value = apply(record, {}, type, head.span, first_slot);
    for (std::size_t i = whole; i < path.size(); ++i)
      value = project(value, type, path[i], head.span);
    return apply_value(value, std::move(arguments), result, span);
  }
  if (!head.variable) return short_circuit(head.name->name, std::move(arguments), span);
  switch (head.variable->kind) {
  case types::Variable::Kind::Local:
    if (auto local = definitions_.local_functions.find(head.variable);
        local != definitions_.local_functions.end())
      return apply_local(head, *local->second, std::move(arguments), result, span, first_slot);
    return apply_value(variable(head.variable, nullptr, head.span), std::move(arguments), result,
                       span);
  case types::Variable::Kind::SizeParameter:
  case types::Variable::Kind::UnknownSize:
    return variable(head.variable, definitions_.scalar_type(ElementType::I64), head.span);
  case types::Variable::Kind::Global:
    return apply_global(head, std::move(arguments), result, span, first_slot);
  case types::Variable::Kind::Intrinsic:
    return apply_intrinsic(*head.variable->intrinsic, head.type, std::move(arguments), result,
                           span);
  case types::Variable::Kind::Overloaded:
    return apply_operator(head, std::move(arguments), result, span);
  }
  throw std::logic_error("a variable of no kind");
}

const Expr* Translator::apply_value(const Expr* function, Arguments arguments,
                                    const ConcreteType* result, Span span) {
  if (arguments.empty()) return function;
  return make(result->representation, span, Apply{function, std::move(arguments)});
}

FoundValue Translator::definition(const Head& head) {
  ModuleWorld& modules = definitions_.modules;
  // In a size that was written elsewhere a name is only the variable that it meant there.
  if (const SizeTerm* written = types_->find(head.variable)) {
    const SizeTerm term = definitions_.types.resolve(*written);
    const auto* size = term.size ? std::get_if<types::VariableSize>(&term.size->node) : nullptr;
    if (!size) return {};
    return modules.meaning(term.environment ? term.environment->modules : modules_,
                           *size->variable);
  }
  const syntax::ValueDeclaration* declaration = head.variable->declaration;
  FoundValue found =
      modules.find_value(modules_, head.name->qualifiers, head.name->name, declaration);
  if (found == FoundValue{} && declaration)
    if (const ValueEntry* entry = modules.entry_of(modules_, declaration)) found = entry;
  return found;
}

const Expr* Translator::apply_global(const Head& head, Arguments arguments,
                                     const ConcreteType* result, Span span, Slot first_slot) {
  const FoundValue found = definition(head);
  if (const auto* intrinsic = std::get_if<const primitives::Intrinsic*>(&found))
    return apply_intrinsic(**intrinsic, head.type, std::move(arguments), result, span);
  const auto* entry = std::get_if<const ValueEntry*>(&found);
  if (!entry) throw UnknownVariable("no definition of " + std::string(head.name->name));

  const syntax::ValueDeclaration& declaration = *(*entry)->declaration;
  if (const Definitions::Wrapper* wrapper = definitions_.wrapper(declaration)) {
    const primitives::Intrinsic& intrinsic = *wrapper->intrinsic->intrinsic;
    const bool keeps_order = std::ranges::is_sorted(wrapper->arguments);
    const bool saturated = arguments.size() >= wrapper->parameter_count &&
                           wrapper->parameter_count == arity(intrinsic);
    if (keeps_order &&
        (wrapper->parameter_count == 0 || wrapper->parameter_count == arity(intrinsic)))
      return apply_intrinsic(intrinsic, head.type, std::move(arguments), result, span);
    if (saturated) {
      Arguments reordered;
      for (std::size_t position : wrapper->arguments)
        reordered.push_back(arguments[position]);
      std::ranges::copy(reordered, arguments.begin());
      return apply_intrinsic(intrinsic, head.type, std::move(arguments), result, span);
    }
  }

  const types::Scheme& scheme = declaration.variable->scheme;
  Instantiation instantiation = definitions_.types.match(
      scheme, definitions_.types.environment({.modules = (*entry)->environment}), head.type);
  Specialisation& meaning = definitions_.specialise(**entry, instantiation);
  if (meaning.global)
    return apply_value(make(head.type->representation, head.span, GlobalValue{meaning.global}),
                       std::move(arguments), result, span);
  const Expr* function = make(definitions_.types.representations().function(), head.span,
                              FunctionValue{meaning.function});
  return with_hidden(function, meaning.hidden, instantiation, std::move(arguments), result, span,
                     first_slot);
}

// ---- hidden sizes -------------------------------------------------------------------------------

const Expr* Translator::hidden_argument(const HiddenSize& hidden,
                                        const Instantiation& instantiation, Span span) {
  if (hidden.type_parameter) {
    std::vector<SizeTerm> extents;
    collect_extents(*instantiation.types[*hidden.type_parameter], extents);
    const Expr* extent =
        hidden.index < extents.size() ? size(extents[hidden.index], span, hidden.use) : nullptr;
    // Only empty arrays could show it.
    return extent ? extent : integer(0, span);
  }
  for (const SizeTerm& candidate : instantiation.sizes[hidden.index])
    if (const Expr* value = size(candidate, span, hidden.use)) return value;
  if (hidden.use == SizeUse::Extent) return integer(0, span);
  return make(definitions_.scalar_type(ElementType::I64), span,
              Unsupported{"the size `" + std::string(hidden.variable->name) +
                          "` cannot be determined here"});
}

const Expr* Translator::with_hidden(const Expr* function, const std::vector<HiddenSize>& hidden,
                                    const Instantiation& instantiation, Arguments arguments,
                                    const ConcreteType* result, Span span, Slot first_slot) {
  Arguments all;
  bool needs_arguments_first = false;
  for (const HiddenSize& size : hidden) {
    all.push_back(hidden_argument(size, instantiation, span));
    needs_arguments_first = needs_arguments_first || reads_slot_from(all.back(), first_slot);
  }
  if (!needs_arguments_first || arguments.empty()) {
    all.insert(all.end(), arguments.begin(), arguments.end());
    return apply_value(function, std::move(all), result, span);
  }
  // A hidden size is read off an argument, so the arguments come first.
  std::vector<Slot> slots;
  for (const Expr* argument : arguments) {
    slots.push_back(frame_.new_slot());
    all.push_back(make(argument->type, argument->span, Local{slots.back()}));
  }
  const Expr* call = apply_value(function, std::move(all), result, span);
  for (std::size_t i = arguments.size(); i-- > 0;)
    call = make(call->type, span,
                Let{definitions_.make_pattern(arguments[i]->span, arguments[i]->type,
                                              SlotPattern{slots[i]}),
                    arguments[i], call});
  return call;
}

// ---- local functions ----------------------------------------------------------------------------

Translator::Arguments
Translator::captured_values(const std::vector<const types::Variable*>& captures, Span span) {
  Arguments values;
  for (const types::Variable* captured : captures) {
    auto place = frame_.find(captured, SizeUse::Extent);
    if (!place) throw UnknownVariable("no place for the variable " + std::string(captured->name));
    values.push_back(place->is_captured ? make(place->type, span, Captured{place->index})
                                        : make(place->type, span, Local{place->index}));
  }
  return values;
}

const Expr* Translator::closure(const Function& function,
                                const std::vector<const types::Variable*>& captures,
                                const Expr* anonymous, Span span) {
  const Representation* type = definitions_.types.representations().function();
  if (captures.empty()) return make(type, span, FunctionValue{&function});
  std::vector<const types::Variable*> named = captures;
  std::erase(named, nullptr);
  Arguments named_values = captured_values(named, span);
  Arguments values;
  std::size_t next = 0;
  for (const types::Variable* captured : captures)
    values.push_back(captured ? named_values[next++] : anonymous);
  return make(type, span, Closure{&function, std::move(values)});
}

const Expr* Translator::apply_local(const Head& head, LocalFunction& local, Arguments arguments,
                                    const ConcreteType* result, Span span, Slot first_slot) {
  const types::Scheme& scheme = head.variable->scheme;
  Instantiation instantiation = definitions_.types.match(scheme, local.types, head.type);
  if (!local.is_polymorphic)
    return with_hidden(variable(head.variable, nullptr, head.span), local.hidden, instantiation,
                       std::move(arguments), result, span, first_slot);

  const std::vector<const Representation*> key = representations(instantiation);
  Specialisation& copy = local.copies[key];
  const bool fits = copy.function && std::ranges::all_of(copy.captures, [&](auto* captured) {
                      return frame_.reaches(captured);
                    });
  if (!fits) {
    Preparation prepared = prepare(definitions_.types, scheme, local.types, local.modules, key);
    Frame inner(&frame_);
    Translator translator(definitions_, inner, local.modules, prepared.types);
    copy.function = definitions_.program.arena.make<Function>();
    copy.function->name = local.source->name;
    copy.function->span = local.source->name_span;
    copy.hidden = std::move(prepared.candidates);
    translator.parameters(*copy.function, local.source->parameters, copy.hidden);
    translator.complete(*copy.function, translator.expr(*local.source->value), copy.hidden, true);
    copy.captures = inner.captures();
    copy.is_finished = true;
  }
  return with_hidden(closure(*copy.function, copy.captures, nullptr, head.span), copy.hidden,
                     instantiation, std::move(arguments), result, span, first_slot);
}

const Expr* Translator::eta_expand(
    const ConcreteType* type, std::size_t count, Span span,
    const std::function<const Expr*(Translator&, Arguments, const ConcreteType*)>& body) {
  Function& function = *definitions_.program.arena.make<Function>();
  function.name = "lambda";
  function.span = span;
  Frame inner(&frame_);
  Translator translator(definitions_, inner, modules_, types_);
  Arguments arguments;
  for (std::size_t i = 0; i < count; ++i) {
    const ConcreteType* next = result_after(type, 1);
    if (!next) throw std::logic_error("a function's type is not known");
    const ConcreteType* parameter = type->parts[0];
    const Slot slot = inner.new_slot();
    Pattern* pattern =
        definitions_.make_pattern(span, parameter->representation, SlotPattern{slot});
    pattern->sizes = translator.bind_sizes(*parameter);
    function.parameters.push_back(pattern);
    arguments.push_back(make(parameter->representation, span, Local{slot}));
    type = next;
  }
  std::vector<HiddenSize> none;
  translator.complete(function, body(translator, std::move(arguments), type), none, true);
  return closure(function, inner.captures(), nullptr, span);
}

const Expr* Translator::section(const Head& head, const syntax::Expr& operand, bool operand_first,
                                const syntax::Expr& whole) {
  const Expr* given = expr(operand);
  const ConcreteType* type = concrete(whole.type); // of the section: parameter -> result
  const ConcreteType* result = result_after(type, 1);
  if (!result) throw std::logic_error("a section's type is not known");
  Function& function = *definitions_.program.arena.make<Function>();
  function.name = "lambda";
  function.span = whole.span;
  Frame inner(&frame_);
  Translator translator(definitions_, inner, modules_, types_);
  const Slot slot = inner.new_slot();
  Pattern* pattern =
      definitions_.make_pattern(whole.span, type->parts[0]->representation, SlotPattern{slot});
  pattern->sizes = translator.bind_sizes(*type->parts[0]);
  function.parameters.push_back(pattern);
  const Expr* first =
      make(given->type, operand.span, Captured{inner.capture_anonymous(given->type)});
  const Expr* second = make(type->parts[0]->representation, whole.span, Local{slot});
  if (!operand_first) std::swap(first, second);
  std::vector<HiddenSize> none;
  translator.complete(function,
                      translator.apply(head, {first, second}, result, whole.span, inner.size()),
                      none, true);
  return closure(function, inner.captures(), given, whole.span);
}

// ---- what is built in ---------------------------------------------------------------------------

const Expr* Translator::apply_intrinsic(const primitives::Intrinsic& intrinsic,
                                        const ConcreteType* type, Arguments arguments,
                                        const ConcreteType* result, Span span) {
  const std::size_t count = arity(intrinsic);
  const auto* primitive = std::get_if<const primitives::Primitive*>(&intrinsic.meaning);
  auto saturated = [&](Translator& here, Arguments given, const ConcreteType* made) {
    if (primitive)
      return static_cast<const Expr*>(here.make(definitions_.scalar_type((*primitive)->result),
                                                span, PrimitiveCall{*primitive, std::move(given)}));
    return here.apply_array_operation(std::get<primitives::ArrayOperation>(intrinsic.meaning),
                                      std::move(given), made, span);
  };
  if (arguments.size() == count) return saturated(*this, std::move(arguments), result);
  if (arguments.size() > count) {
    Arguments further(arguments.begin() + static_cast<std::ptrdiff_t>(count), arguments.end());
    arguments.resize(count);
    const Expr* function = saturated(*this, std::move(arguments), result_after(type, count));
    return apply_value(function, std::move(further), result, span);
  }
  const Expr* function = primitive
                             ? make(definitions_.types.representations().function(), span,
                                    FunctionValue{definitions_.primitive_function(**primitive)})
                             : eta_expand(type, count, span, saturated);
  return apply_value(function, std::move(arguments), result, span);
}

const Expr* Translator::apply_array_operation(primitives::ArrayOperation operation,
                                              Arguments arguments, const ConcreteType* result,
                                              Span span) {
  if (is_differentiation(operation))
    return make(result->representation, span, Unsupported{"differentiation is not supported"});
  return make(result->representation, span,
              ArrayCall{operation, std::move(arguments), sized(*result, span)});
}

const Expr* Translator::apply_operator(const Head& head, Arguments arguments,
                                       const ConcreteType* result, Span span) {
  const Representation* operand = !arguments.empty()         ? arguments[0]->type
                                  : head.type->parts.empty() ? head.type->representation
                                                             : head.type->parts[0]->representation;
  const std::string_view symbol = head.variable->name;
  const primitives::Primitive* primitive =
      operand->is_scalar() ? primitives::find_operator(symbol, operand->scalar()) : nullptr;
  if (primitive) {
    if (arguments.size() == primitive->arity)
      return make(definitions_.scalar_type(primitive->result), span,
                  PrimitiveCall{primitive, std::move(arguments)});
    const Expr* function = make(definitions_.types.representations().function(), span,
                                FunctionValue{definitions_.primitive_function(*primitive)});
    return apply_value(function, std::move(arguments), result, span);
  }
  if (symbol != "==" && symbol != "!=")
    throw std::logic_error("no operation " + std::string(symbol) + " on " + print(operand));
  const auto operation =
      symbol == "==" ? primitives::ArrayOperation::Equal : primitives::ArrayOperation::NotEqual;
  if (arguments.size() == 2)
    return apply_array_operation(operation, std::move(arguments), result, span);
  const Expr* function = eta_expand(
      head.type, 2, span, [&](Translator& here, Arguments given, const ConcreteType* made) {
        return here.apply_array_operation(operation, std::move(given), made, span);
      });
  return apply_value(function, std::move(arguments), result, span);
}

const Expr* Translator::short_circuit(std::string_view symbol, Arguments arguments, Span span) {
  const ConcreteType* truth = definitions_.types.scalar(ElementType::Bool);
  auto node = [&](const Expr* left, const Expr* right) -> ExprNode {
    if (symbol == "&&") return And{left, right};
    return Or{left, right};
  };
  if (symbol != "&&" && symbol != "||")
    throw UnknownVariable("no meaning for the name " + std::string(symbol));
  if (arguments.size() == 2)
    return make(truth->representation, span, node(arguments[0], arguments[1]));
  const ConcreteType* type = definitions_.types.function({truth, truth}, truth);
  const Expr* function =
      eta_expand(type, 2, span, [&](Translator& here, Arguments given, const ConcreteType* made) {
        return static_cast<const Expr*>(
            here.make(made->representation, span, node(given[0], given[1])));
      });
  return apply_value(function, std::move(arguments), definitions_.types.function({truth}, truth),
                     span);
}

} // namespace sinter::core
