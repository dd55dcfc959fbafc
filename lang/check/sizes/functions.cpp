// Sizes of functions: definitions, lambdas, and the generalisation of their types.
#include "lang/check/names/scope.h"
#include "lang/check/sizes/size_checker.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

/// Binds the parameters, each one level deeper than the one before; the caller goes back.
SizeChecker::Parameters SizeChecker::check_parameters(std::vector<syntax::Pattern*>& patterns) {
  Parameters result;
  for (syntax::Pattern* pattern : patterns) {
    std::vector<Variable*> bound;
    result.types.push_back(bind_pattern(*pattern, nullptr, {}, bound));
    const Variable* name = named_variable(*pattern);
    result.names.push_back(name);
    for (const Variable* v : bound)
      if (v != name) result.hidden.push_back(v);
    ++sizes_.level;
  }
  return result;
}

/// Gives the body's type as the caller sees it.
const Type* SizeChecker::check_body(const Parameters& parameters, syntax::Expr& body,
                                    const Type* declared, Span declared_at) {
  const Type* type = check(body);
  SizeScopes::Forbidden forbidden = [&](const Size* size) {
    const Variable* found = nullptr;
    for_each_variable(size, [&](const Variable* v) {
      if (!found && std::find(parameters.hidden.begin(), parameters.hidden.end(), v) !=
                        parameters.hidden.end())
        found = v;
    });
    return found;
  };
  Variables made;
  type = scopes_.replace_forbidden(type, forbidden, body.span, made);
  if (!declared) return type;
  for (const Variable* v : free_variables(sizes_.normalise(declared)))
    if (std::find(parameters.hidden.begin(), parameters.hidden.end(), v) != parameters.hidden.end())
      fail("inaccessible-size", declared_at,
           "The return type annotation \"" + sizes_.show(declared) + "\" refers to the name \"" +
               sizes_.show(v) + "\" which is bound to an inner component of a function parameter.");
  Purpose purpose{body.span, "Function body does not have expected type."};
  purpose.notes.push_back({declared_at, "the declared result type"});
  unify(declared, type, std::move(purpose));
  return type;
}

/// A parameter's type may mention what was bound before it by a name of its own alone.
void SizeChecker::verify_parameters(const Parameters& parameters,
                                    const std::vector<syntax::Pattern*>& patterns) {
  std::set<const Variable*> forbidden(parameters.hidden.begin(), parameters.hidden.end());
  for (const Variable* name : parameters.names)
    if (name) forbidden.insert(name);
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    for (const Variable* v : free_variables(sizes_.normalise(parameters.types[i])))
      if (forbidden.contains(v))
        fail("inaccessible-size", patterns[i]->span,
             "Parameter \"" + text(patterns[i]->span) + "\" refers to size \"" + sizes_.show(v) +
                 "\", which will not be accessible to the caller, possibly because it is nested "
                 "in a tuple or record",
             {}, "ascribe an explicit type that does not mention \"" + sizes_.show(v) + "\"");
    if (parameters.names[i]) forbidden.erase(parameters.names[i]);
  }
}

const Type* SizeChecker::function_type(const Parameters& parameters, const Type* result,
                                       Variables existentials) {
  for (std::size_t i = parameters.types.size(); i-- > 0;) {
    const Type* parameter = sizes_.normalise(parameters.types[i]);
    const Variable* name = parameters.names[i];
    if (name && !free_variables(result).contains(name)) name = nullptr;
    result = function(arena(), parameter, result, name, std::move(existentials));
    existentials.clear();
  }
  return result;
}

/// Moves existentials to where values show them: `?[n].bool -> [n]t` is `bool -> ?[n].[n]t`.  Those
/// that belong here are put into `here`.
const Type* SizeChecker::inject(const Type* type, const Variables& existentials, Variables& here) {
  if (existentials.empty()) return type;
  std::set<const Variable*> immediate;
  for_each_size(type, [&](const Variables&, SizePlace place, const Size* size) {
    if (place == SizePlace::Immediate)
      for_each_variable(size, [&](const Variable* v) { immediate.insert(v); });
  });
  Variables deeper;
  for (const Variable* v : existentials)
    (immediate.contains(v) ? here : deeper).push_back(v);
  const auto* f = as<FunctionType>(type);
  if (!f || deeper.empty()) return type;
  Variables below;
  const Type* result = inject(f->result, deeper, below);
  for (const Variable* v : f->existentials)
    if (std::find(below.begin(), below.end(), v) == below.end()) below.push_back(v);
  return function(arena(), f->parameter, result, f->parameter_variable, std::move(below));
}

Scheme SizeChecker::define(const Definition& definition) {
  const int outer = sizes_.level;
  ++sizes_.level;
  for (const syntax::TypeParameter& parameter : *definition.type_parameters)
    if (parameter.size) bind(parameter.size, primitive(ElementType::I64));
  ++sizes_.level;
  Parameters parameters = check_parameters(*definition.parameters);
  const Type* declared = nullptr;
  if (definition.result_type) {
    declared = written_type(*definition.result_type);
    if (definition.variable == self_ && self_) {
      // Each recursive use has sizes of its own.
      Scheme self;
      self.type_parameters = {};
      const auto& inferred = definition.variable->scheme;
      self.size_parameters = inferred.size_parameters;
      self.type = instances_.rename_binders(inferred.type);
      self_scheme_ = std::move(self);
    }
  }
  const Type* body =
      check_body(parameters, *definition.body, declared,
                 definition.result_type ? definition.result_type->span : definition.span);
  verify_parameters(parameters, *definition.parameters);
  const Type* result = sizes_.normalise(declared ? declared : body);
  // What mentions an unknown size that no value shows is unknown as a whole.
  std::set<const Variable*> shown = witnessed_sizes(result);
  SizeScopes::Forbidden hidden = [&](const Size* size) -> const Variable* {
    if (as_variable(size)) return nullptr;
    const Variable* found = nullptr;
    for_each_variable(size, [&](const Variable* v) {
      if (!found && !shown.contains(v) && sizes_.is_unknown(v)) found = v;
    });
    return found;
  };
  Variables made;
  result = scopes_.replace_forbidden(result, hidden, definition.span, made);
  Scheme scheme = generalise(definition, parameters, result);
  sizes_.level = outer;
  return scheme;
}

Scheme SizeChecker::generalise(const Definition& definition, const Parameters& parameters,
                               const Type* result) {
  const int from = sizes_.level - static_cast<int>(parameters.types.size());
  sizes_.collapse_instances(from);
  result = sizes_.normalise(result);
  // The sizes of the parameters, also of those of a function that is returned, are to be known.
  std::set<const Variable*> needed, visible = free_variables(result);
  Parameters done = parameters;
  for (const Type*& type : done.types) {
    type = sizes_.normalise(type);
    needed.merge(free_variables(type));
  }
  visible.insert(needed.begin(), needed.end());
  std::set<const Variable*> produced;
  for_each_size(result, [&](const Variables& bound, SizePlace place, const Size* size) {
    for_each_variable(size, [&](const Variable* v) {
      if (std::find(bound.begin(), bound.end(), v) != bound.end()) return;
      if (place == SizePlace::Parameter) needed.insert(v);
      if (place == SizePlace::Immediate && parameters.types.empty()) produced.insert(v);
    });
  });
  for (const Variable* v : produced)
    needed.erase(v);
  Scheme scheme;
  for (const syntax::TypeParameter& parameter : *definition.type_parameters) {
    if (parameter.size) scheme.size_parameters.push_back(parameter.size);
    if (parameter.type_name) scheme.type_parameters.push_back(parameter.type_name);
  }
  Variables existentials;
  for (const Variable* v : sizes_.order()) {
    const SizeConstraint* c = sizes_.find(v);
    if (!c || c->level < from || !visible.contains(v)) continue;
    if (std::ranges::find(existentials, v) != existentials.end()) continue;
    const bool is_open = c->kind == SizeConstraint::Kind::Flexible && !c->solution;
    if (is_open && std::ranges::find(scheme.size_parameters, v) == scheme.size_parameters.end()) {
      const_cast<Variable*>(v)->kind = Variable::Kind::SizeParameter;
      scheme.size_parameters.push_back(v);
    } else if (c->kind == SizeConstraint::Kind::Unknown) {
      if (needed.contains(v))
        fail("unknown-param-def", definition.span,
             "Unknown size \"" + sizes_.show(v) + "\" in parameter of \"" +
                 std::string(definition.name) + "\", which is inferred as: \"" +
                 sizes_.show(function_type(done, result, {})) + "\"",
             sizes_.notes(variable(arena(), v)));
      existentials.push_back(v);
    }
  }
  check_are_visible(definition, scheme.size_parameters, visible);
  Variables here;
  const Type* type = inject(result, existentials, here);
  if (parameters.types.empty() && !scheme.size_parameters.empty() && !here.empty())
    fail("polymorphic-existential", definition.span,
         "A size-polymorphic value binding may not have a type with an existential size. Type of "
         "this binding is: \"" +
             sizes_.show(type) + "\"");
  scheme.type = function_type(done, type, here);
  for (const Variable* size : scheme.size_parameters)
    sizes_.forget(size);
  // A constant's unknown sizes are its own.
  if (parameters.types.empty())
    scheme.size_parameters.insert(scheme.size_parameters.end(), here.begin(), here.end());
  return scheme;
}

void SizeChecker::check_are_visible(const Definition& definition, const Variables& size_parameters,
                                    const std::set<const Variable*>& visible) {
  for (const Variable* size : size_parameters) {
    if (visible.contains(size)) continue;
    if (definition.variable->kind == Variable::Kind::Local)
      fail("unused-size", size->span, "Size [" + std::string(size->name) + "] unused in pattern");
    fail("unused-size-parameter", size->span,
         "Size parameter \"" + std::string(size->name) +
             "\" is not used constructively: it is the size of no parameter or result");
  }
}

const Type* SizeChecker::let_function(syntax::Expr& expression,
                                      const syntax::LetFunctionExpr& node) {
  auto& mutable_node = const_cast<syntax::LetFunctionExpr&>(node);
  Definition definition;
  definition.variable = node.variable;
  definition.name = node.name;
  definition.span = node.name_span;
  definition.type_parameters = &mutable_node.type_parameters;
  definition.parameters = &mutable_node.parameters;
  definition.result_type = node.result_type;
  definition.body = node.value;
  Scheme scheme = define(definition);
  annotations_.emplace_back(&node.variable->scheme.type, scheme.type);
  node.variable->scheme.size_parameters = scheme.size_parameters;
  bindings_[node.variable] = std::move(scheme);
  const Type* body = check(*node.body);
  return leave(body, {node.variable}, expression.span, expression);
}

const Type* SizeChecker::lambda(const syntax::LambdaExpr& node) {
  auto& mutable_node = const_cast<syntax::LambdaExpr&>(node);
  const int outer = sizes_.level;
  sizes_.level += 2;
  Parameters parameters = check_parameters(mutable_node.parameters);
  const int inner = sizes_.level;
  const Type* result = instances_.refresh(node.body->type, node.body->span, Lifting::FullyLifted);
  const Type* declared = nullptr;
  if (node.result_type) {
    declared = written_type(*node.result_type);
    unify(result, declared, Purpose{node.result_type->span, {}});
  }
  const Type* body = check_body(parameters, *node.body, declared,
                                node.result_type ? node.result_type->span : node.body->span);
  unify(result, body, Purpose{node.body->span, {}});
  result = sizes_.normalise(declared ? declared : body);

  // Sizes that the body makes are made by each call.
  std::set<const Variable*> in_parameters;
  for (const Type* type : parameters.types)
    for (const Variable* v : free_variables(sizes_.normalise(type)))
      in_parameters.insert(v);
  Variables existentials;
  for (const Variable* v : free_variables(result)) {
    const SizeConstraint* c = sizes_.find(v);
    if (c && c->kind == SizeConstraint::Kind::Unknown && c->level >= inner &&
        !in_parameters.contains(v))
      existentials.push_back(v);
  }
  auto number = [&](const Variable* v) { return sizes_.find(v)->number; };
  std::sort(existentials.begin(), existentials.end(),
            [&](const Variable* a, const Variable* b) { return number(a) < number(b); });
  verify_parameters(parameters, node.parameters);
  sizes_.level = outer;
  return function_type(parameters, result, std::move(existentials));
}

} // namespace sinter::check
