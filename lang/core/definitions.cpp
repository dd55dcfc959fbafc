// Definitions at certain types: memoised, with the sizes that they must be given.
#include "lang/core/last_use.h"
#include "lang/core/translator.h"

#include <algorithm>

namespace sinter::core {

namespace {

/// How much of the stack definitions that need each other may take by being translated one inside
/// the other; beyond that they are translated one after the other.
constexpr std::ptrdiff_t stack_for_chains = 256 * 1024;

const char* stack_position() {
  return static_cast<const char*>(__builtin_frame_address(0));
}

const syntax::Expr& without_parentheses(const syntax::Expr& expr) {
  const syntax::Expr* inner = &expr;
  while (true) {
    if (const auto* parenthesized = std::get_if<syntax::Parenthesized>(&inner->node))
      inner = parenthesized->inner;
    else if (const auto* ascribed = std::get_if<syntax::AscribeExpr>(&inner->node))
      inner = ascribed->value;
    else
      return *inner;
  }
}

/// The variable of a parameter that is only a name; null for other patterns.
const types::Variable* plain_parameter(const syntax::Pattern& pattern) {
  if (const auto* name = std::get_if<syntax::NamePattern>(&pattern.node)) return name->variable;
  if (const auto* inner = std::get_if<syntax::ParenthesizedPattern>(&pattern.node))
    return plain_parameter(*inner->inner);
  if (const auto* inner = std::get_if<syntax::AscribePattern>(&pattern.node))
    return plain_parameter(*inner->pattern);
  return nullptr;
}

const types::Variable* intrinsic_variable(const syntax::Expr& expr) {
  const auto* variable = std::get_if<syntax::VariableExpr>(&expr.node);
  if (!variable || !variable->variable || variable->field_count > 0) return nullptr;
  return variable->variable->kind == types::Variable::Kind::Intrinsic ? variable->variable
                                                                      : nullptr;
}

std::optional<Definitions::Wrapper> find_wrapper(const syntax::ValueDeclaration& declaration) {
  if (!declaration.body) return std::nullopt;
  const syntax::Expr& body = without_parentheses(*declaration.body);
  if (declaration.parameters.empty()) {
    const types::Variable* intrinsic = intrinsic_variable(body);
    return intrinsic ? std::optional(Definitions::Wrapper{intrinsic, 0, {}}) : std::nullopt;
  }
  const auto* call = std::get_if<syntax::ApplyExpr>(&body.node);
  if (!call || call->arguments.size() != declaration.parameters.size()) return std::nullopt;
  const types::Variable* intrinsic = intrinsic_variable(without_parentheses(*call->function));
  if (!intrinsic) return std::nullopt;
  Definitions::Wrapper wrapper{intrinsic, declaration.parameters.size(), {}};
  std::vector<const types::Variable*> parameters;
  for (const syntax::Pattern* parameter : declaration.parameters) {
    parameters.push_back(plain_parameter(*parameter));
    if (!parameters.back()) return std::nullopt;
  }
  for (const syntax::Expr* argument : call->arguments) {
    const auto* name = std::get_if<syntax::VariableExpr>(&without_parentheses(*argument).node);
    if (!name || name->field_count > 0) return std::nullopt;
    auto at = std::find(parameters.begin(), parameters.end(), name->variable);
    if (at == parameters.end()) return std::nullopt;
    const auto position = static_cast<std::size_t>(at - parameters.begin());
    if (std::ranges::find(wrapper.arguments, position) != wrapper.arguments.end())
      return std::nullopt;
    wrapper.arguments.push_back(position);
  }
  return wrapper;
}

/// The law that a definition is marked with, if it is of that form.
ChunkLaw chunk_law(const syntax::ValueDeclaration& declaration, const Function& function) {
  const auto* marked =
      std::get_if<syntax::AttributedExpr>(&without_parentheses(*declaration.body).node);
  if (!marked || marked->attribute.name != "chunked" || marked->attribute.arguments.size() != 1)
    return ChunkLaw::None;
  const std::string_view form = marked->attribute.arguments.front().name;
  const std::size_t count = function.parameters.size() - function.hidden_sizes;
  if (count < 2 || !function.parameters.back()->type->is_array()) return ChunkLaw::None;
  if (form == "map" && function.result->is_array()) return ChunkLaw::Map;
  const Representation& first = *function.parameters[function.hidden_sizes]->type;
  if (form == "reduce" && std::holds_alternative<FunctionRepresentation>(first.node))
    return ChunkLaw::Reduce;
  if (form == "fold" && function.parameters.rbegin()[1]->type == function.result)
    return ChunkLaw::Fold;
  return ChunkLaw::None;
}

} // namespace

std::vector<const Representation*> representations(const Instantiation& instantiation) {
  std::vector<const Representation*> result;
  for (const ConcreteType* type : instantiation.types)
    result.push_back(type->representation);
  return result;
}

Preparation prepare(TypeWorld& world, const types::Scheme& scheme, const TypeEnvironment* outer,
                    const Environment* modules,
                    const std::vector<const Representation*>& type_arguments) {
  Preparation result;
  TypeEnvironment environment{.outer = outer, .modules = modules};
  // (The existential sizes of a constant are read off its value at each use.)
  for (std::size_t i = 0; i < scheme.size_parameters.size(); ++i)
    if (scheme.size_parameters[i]->kind == types::Variable::Kind::SizeParameter)
      result.candidates.push_back({.variable = scheme.size_parameters[i], .index = i});
  for (std::size_t i = 0; i < scheme.type_parameters.size(); ++i) {
    std::vector<const types::Variable*> extents;
    const ConcreteType* type = world.with_fresh_extents(type_arguments[i], extents);
    environment.types.emplace_back(scheme.type_parameters[i],
                                   TypeEnvironment::TypeTerm{.concrete = type});
    for (std::size_t j = 0; j < extents.size(); ++j)
      result.candidates.push_back(
          {.variable = extents[j], .index = j, .type_parameter = i, .use = SizeUse::Extent});
  }
  result.types = world.environment(std::move(environment));
  return result;
}

const Definitions::Wrapper* Definitions::wrapper(const syntax::ValueDeclaration& declaration) {
  auto [at, is_new] = wrappers_.try_emplace(&declaration);
  if (is_new) {
    checker.ensure_body_checked(declaration);
    at->second = find_wrapper(declaration);
  }
  return at->second ? &*at->second : nullptr;
}

const Function* Definitions::primitive_function(const primitives::Primitive& primitive) {
  const Function*& known = primitive_functions_[&primitive];
  if (known) return known;
  Function& function = *program.arena.make<Function>();
  function.name = primitive.name;
  function.primitive = &primitive;
  PrimitiveCall call{&primitive, {}};
  for (std::uint8_t i = 0; i < primitive.arity; ++i) {
    function.parameters.push_back(make_pattern({}, scalar_type(primitive.operand), SlotPattern{i}));
    call.arguments.push_back(make(scalar_type(primitive.operand), {}, Local{i}));
  }
  function.frame_size = primitive.arity;
  function.result = scalar_type(primitive.result);
  function.body = make(function.result, {}, std::move(call));
  return known = &function;
}

Specialisation& Definitions::specialise(const ValueEntry& entry,
                                        const Instantiation& instantiation) {
  Key key{&entry, representations(instantiation)};
  auto [at, is_new] = specialisations_.try_emplace(std::move(key));
  Specialisation& result = at->second;
  if (!is_new) {
    if (!result.is_finished) result.is_used_before_finished = true;
    return result;
  }

  made_.push_back(at);
  const syntax::ValueDeclaration& declaration = *entry.declaration;
  checker.ensure_body_checked(declaration);
  Preparation prepared =
      prepare(types, declaration.variable->scheme, nullptr, entry.environment, at->first.second);
  struct Work {
    Frame frame;
    Translator translator;
    Work(Definitions& definitions, const Environment* modules, const TypeEnvironment* types)
        : translator(definitions, frame, modules, types) {}
  };
  auto work = std::make_shared<Work>(*this, entry.environment, prepared.types);
  auto make_global = [this, &declaration](const Expr* body, const Frame& frame) {
    Global& global = *program.arena.make<Global>();
    global.name = declaration.name;
    global.span = declaration.name_span;
    global.index = program.global_count++;
    global.body = body;
    global.frame_size = frame.size();
    global.type = body ? body->type : nullptr;
    return &global;
  };

  std::function<void()> translate;
  if (declaration.parameters.empty() && prepared.candidates.empty()) {
    result.global = make_global(nullptr, work->frame);
    translate = [&result, work, &declaration] {
      Global& global = *result.global;
      global.body = work->translator.body(*declaration.body);
      global.type = global.body->type;
      global.frame_size = work->frame.size();
      mark_last_uses(*global.body, global.frame_size);
      result.is_finished = true;
    };
  } else {
    Function& function = *(result.function = program.arena.make<Function>());
    function.name = declaration.name;
    function.span = declaration.name_span;
    result.hidden = std::move(prepared.candidates);
    try {
      work->translator.parameters(function, declaration.parameters, result.hidden);
    } catch (...) {
      std::erase(made_, at);
      specialisations_.erase(at);
      throw;
    }
    translate = [&result, &function, work, &declaration, make_global] {
      const Expr* body = work->translator.body(*declaration.body);
      work->translator.complete(function, body, result.hidden, !result.is_used_before_finished);
      function.chunk_law = chunk_law(declaration, function);
      // A constant whose sizes and types did not matter after all is computed once.
      if (function.parameters.empty()) {
        result.function = nullptr;
        result.global = make_global(function.body, work->frame);
      }
      result.is_finished = true;
    };
  }

  if (!stack_base_) stack_base_ = stack_position();
  if (stack_base_ - stack_position() > stack_for_chains) {
    result.is_used_before_finished = true;
    pending_.push_back(std::move(translate));
  } else {
    translate();
  }
  return result;
}

Definitions::Round::Round(Definitions& definitions) : definitions_(definitions) {
  definitions.stack_base_ = stack_position();
  definitions.made_.clear();
}

Definitions::Round::~Round() {
  if (is_finished_) return;
  for (const auto& made : definitions_.made_)
    definitions_.specialisations_.erase(made);
  definitions_.made_.clear();
  definitions_.pending_.clear();
  definitions_.local_functions.clear();
}

void Definitions::Round::finish() {
  std::vector<std::function<void()>>& pending = definitions_.pending_;
  while (!pending.empty()) {
    std::function<void()> translate = std::move(pending.back());
    pending.pop_back();
    translate();
  }
  is_finished_ = true;
}

// ---- functions ----------------------------------------------------------------------------------

void Translator::parameters(Function& function, const std::vector<syntax::Pattern*>& patterns,
                            std::vector<HiddenSize>& candidates,
                            const std::vector<const ConcreteType*>& extra) {
  for (const syntax::Pattern* parameter : patterns)
    function.parameters.push_back(pattern(*parameter));
  for (const ConcreteType* type : extra) {
    Pattern* parameter = definitions_.make_pattern(function.span, type->representation,
                                                   SlotPattern{frame_.new_slot()});
    parameter->sizes = bind_sizes(*type);
    function.parameters.push_back(parameter);
  }
  std::erase_if(candidates,
                [&](const HiddenSize& hidden) { return frame_.reaches(hidden.variable); });
  for (const HiddenSize& hidden : candidates)
    frame_.bind(hidden.variable, definitions_.scalar_type(ElementType::I64));
}

const Expr* Translator::body(const syntax::Expr& source) {
  try {
    return expr(source);
  } catch (const std::logic_error& error) {
    // Our own mistake.  It matters only if the program comes here.
    return make(
        definitions_.types.unit()->representation, source.span,
        Unsupported{"this cannot be prepared for evaluation: " + std::string(error.what())});
  }
}

void Translator::complete(Function& function, const Expr* body, std::vector<HiddenSize>& hidden,
                          bool may_drop) {
  if (may_drop) {
    std::erase_if(hidden, [&](const HiddenSize& one) { return !frame_.use_of(one.variable); });
    for (HiddenSize& one : hidden)
      one.use = *frame_.use_of(one.variable);
  }
  std::vector<const Pattern*> leading;
  for (const HiddenSize& one : hidden) {
    const Slot slot = frame_.find(one.variable, SizeUse::Extent)->index;
    leading.push_back(definitions_.make_pattern(
        function.span, definitions_.scalar_type(ElementType::I64), SlotPattern{slot}));
  }
  function.parameters.insert(function.parameters.begin(), leading.begin(), leading.end());
  function.hidden_sizes = static_cast<std::uint32_t>(hidden.size());
  function.frame_size = frame_.size();
  function.capture_count = static_cast<std::uint32_t>(frame_.captures().size());
  function.capture_types = frame_.capture_types();
  function.body = body;
  function.result = body->type;
  mark_last_uses(function);
}

} // namespace sinter::core
