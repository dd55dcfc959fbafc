// Calls, and definitions of functions.
#include "lang/check/uniqueness/walk.h"
#include "lang/types/brief.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

namespace {

const FunctionType* function_of(const AliasTree* callee, const Type* type) {
  if (callee)
    if (const auto* closure = std::get_if<ClosureAliases>(&callee->node);
        closure && closure->function)
      return closure->function;
  return as<FunctionType>(type);
}

/// Whether a result of this type may share memory with anything.
bool may_share(const Type* outer, bool outer_unique, OwnedVisited& visited) {
  auto [type, is_unique] = below_stars(outer, outer_unique);
  if (!visited.is_new(type, is_unique)) return false;
  if (const auto* r = std::get_if<RecordType>(&type->node)) {
    for (const Field& field : r->fields)
      if (may_share(field.type, is_unique, visited)) return true;
    return false;
  }
  if (const auto* s = std::get_if<SumType>(&type->node)) {
    for (const Constructor& constructor : s->constructors)
      for (const Type* payload : constructor.payload)
        if (may_share(payload, is_unique, visited)) return true;
    return false;
  }
  if (std::holds_alternative<FunctionType>(type->node)) return true;
  return !is_unique && !std::holds_alternative<PrimitiveType>(type->node);
}

/// The innermost expression that gives a body's value.
const syntax::Expr& result_of(const syntax::Expr& body) {
  const syntax::Expr* e = &body;
  while (true) {
    if (const auto* l = std::get_if<syntax::LetPatternExpr>(&e->node))
      e = l->body;
    else if (const auto* f = std::get_if<syntax::LetFunctionExpr>(&e->node))
      e = f->body;
    else if (const auto* w = std::get_if<syntax::LetWithExpr>(&e->node))
      e = w->body;
    else
      return *e;
  }
}

/// Whether all of a value is the caller's to give away.
bool all_owned(const Type* outer, bool outer_unique, OwnedVisited& visited) {
  auto [type, is_unique] = below_stars(outer, outer_unique);
  if (!visited.is_new(type, is_unique)) return true;
  if (const auto* r = std::get_if<RecordType>(&type->node))
    return std::all_of(r->fields.begin(), r->fields.end(), [&, u = is_unique](const Field& field) {
      return all_owned(field.type, u, visited);
    });
  if (const auto* s = std::get_if<SumType>(&type->node)) {
    for (const Constructor& constructor : s->constructors)
      for (const Type* payload : constructor.payload)
        if (!all_owned(payload, is_unique, visited)) return false;
    return true;
  }
  if (std::holds_alternative<FunctionType>(type->node)) return false;
  return is_unique || std::holds_alternative<PrimitiveType>(type->node);
}

bool all_owned(const Type* type, bool is_unique) {
  OwnedVisited visited;
  return all_owned(type, is_unique, visited);
}

} // namespace

// ---- calls -------------------------------------------------------------------------------------

const AliasTree* UniquenessWalk::walk_argument(const syntax::Expr& argument, bool is_consumed,
                                               std::span<const Argument> evaluated) {
  std::size_t mark = consumed_.size();
  const AliasTree* tree = walk(argument);
  if (consumed_.size() > mark && holds_function(argument.type)) {
    Diagnostic& diagnostic = context_.diagnostics->error(
        "consuming-argument", argument.span,
        "Argument of functional type \"" + print_briefly(argument.type) +
            "\" contains consumption, which is not allowed.");
    diagnostic.notes.push_back({consumed_[mark].span, "something is consumed here"});
    diagnostic.hint = "the function could be applied more than once; consume a copy instead";
  }
  if (!is_consumed || !tree || !may_consume(argument.type, true)) return tree;
  AliasSet seen;
  bool is_self_aliased = false;
  for_each_part(tree, [&](const AliasSet& part) {
    is_self_aliased = is_self_aliased || intersect(seen, part);
    seen = united(seen, part);
  });
  if (is_self_aliased)
    context_.diagnostics
        ->error("self-aliasing-arg", argument.span,
                "Argument passed for consuming parameter is self-aliased.")
        .hint = "use `copy` on one of its parts";
  consume(argument.span, consumed_part(argument.type, true, tree));
  for (const Alias& alias : seen) {
    if (!roots_[alias.root].is_in_scope) continue;
    auto shares = [&](const Argument& other) {
      AliasSet all = all_aliases(other.tree);
      return std::any_of(all.begin(), all.end(), [&](Alias a) { return a.root == alias.root; });
    };
    auto other = std::find_if(evaluated.begin(), evaluated.end(), shares);
    if (other == evaluated.end()) continue;
    context_.diagnostics
        ->error("consumed-argument-aliased", argument.span,
                "Argument is consumed, but aliases " + describe(alias.root) +
                    ", which is also aliased by other argument \"" + text(other->expression->span) +
                    "\".")
        .notes.push_back({other->expression->span, "the other argument"});
    break;
  }
  return tree;
}

const AliasTree* UniquenessWalk::returned(const Type* outer, bool outer_unique,
                                          const AliasSet& reachable) {
  auto [type, is_unique] = below_stars(outer, outer_unique);
  if (arena_.is_large(type)) {
    OwnedVisited visited;
    return may_share(type, is_unique, visited) ? arena_.whole(reachable) : nullptr;
  }
  if (const auto* r = std::get_if<RecordType>(&type->node)) {
    std::vector<std::pair<Name, const AliasTree*>> fields;
    for (const Field& field : r->fields)
      fields.emplace_back(field.name, returned(field.type, is_unique, reachable));
    return arena_.record(std::move(fields));
  }
  if (const auto* s = std::get_if<SumType>(&type->node)) {
    std::vector<std::pair<Name, std::vector<const AliasTree*>>> constructors;
    for (const Constructor& constructor : s->constructors) {
      auto& parts =
          constructors.emplace_back(constructor.name, std::vector<const AliasTree*>{}).second;
      for (const Type* payload : constructor.payload)
        parts.push_back(returned(payload, is_unique, reachable));
    }
    return arena_.sum(std::move(constructors));
  }
  if (const auto* f = std::get_if<FunctionType>(&type->node)) return arena_.closure(reachable, f);
  if (is_unique || std::holds_alternative<PrimitiveType>(type->node)) return nullptr;
  return arena_.whole(reachable);
}

const AliasTree* UniquenessWalk::call(const syntax::Expr& call, std::string_view name,
                                      const AliasTree* callee, const FunctionType* function,
                                      std::span<const Argument> arguments) {
  AliasSet reachable = all_aliases(callee);
  const Type* result = nullptr;
  for (const Argument& argument : arguments) {
    if (!function) break;
    if (!is_consuming(function->parameter))
      reachable = united(reachable, all_aliases(argument.tree));
    result = function->result;
    function = as<FunctionType>(result);
  }
  OwnedVisited visited;
  if (!result || !may_share(result, false, visited)) return nullptr;
  // Parts of a result that may share memory do so with each other.
  Root root;
  root.kind = Root::Kind::ApplicationResult;
  root.function = name;
  root.span = call.span;
  reachable = united(reachable, {{new_root(std::move(root)), 0}});
  return returned(result, false, reachable);
}

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr& expression,
                                           const syntax::ApplyExpr& node) {
  const AliasTree* callee = walk(*node.function);
  const FunctionType* function = function_of(callee, node.function->type);
  std::vector<bool> consumes(node.arguments.size());
  const FunctionType* next = function;
  for (std::size_t i = 0; i < consumes.size() && next; ++i) {
    consumes[i] = is_consuming(next->parameter);
    next = as<FunctionType>(next->result);
  }
  // Arguments are evaluated from right to left.
  std::vector<Argument> arguments(node.arguments.size());
  for (std::size_t i = arguments.size(); i-- > 0;) {
    std::span<const Argument> evaluated(arguments.data() + i + 1, arguments.size() - i - 1);
    const syntax::Expr& argument = *node.arguments[i];
    arguments[i] = {&argument, walk_argument(argument, consumes[i], evaluated)};
  }
  const syntax::Expr* applied = node.function;
  while (const auto* inner = std::get_if<syntax::ApplyExpr>(&applied->node))
    applied = inner->function;
  const auto* variable = std::get_if<syntax::VariableExpr>(&applied->node);
  std::string_view name = variable ? context_.sources.text(variable->name.span) : "";
  return call(expression, name, callee, function, arguments);
}

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr& expression,
                                           const syntax::BinaryExpr& node) {
  if (!node.variable || node.variable->kind == Variable::Kind::Overloaded) {
    walk(*node.left);
    walk(*node.right);
    return nullptr;
  }
  const AliasTree* callee = observe(node.op.span, node.variable, node.variable_type);
  const FunctionType* function = function_of(callee, node.variable_type);
  const FunctionType* second = function ? as<FunctionType>(function->result) : nullptr;
  Argument arguments[2];
  arguments[0] = {node.left,
                  walk_argument(*node.left, function && is_consuming(function->parameter), {})};
  arguments[1] = {node.right, walk_argument(*node.right, second && is_consuming(second->parameter),
                                            std::span<const Argument>(arguments, 1))};
  return call(expression, context_.sources.text(node.op.span), callee, function, arguments);
}

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr& expression,
                                           const syntax::LeftSection& node) {
  const AliasTree* op = observe(node.op.span, node.variable, node.variable_type);
  const AliasTree* left = walk(*node.left);
  return arena_.closure(united(all_aliases(left), all_aliases(op)),
                        as<FunctionType>(expression.type));
}

const AliasTree* UniquenessWalk::walk_node(const syntax::Expr& expression,
                                           const syntax::RightSection& node) {
  const AliasTree* op = observe(node.op.span, node.variable, node.variable_type);
  const AliasTree* right = walk(*node.right);
  return arena_.closure(united(all_aliases(right), all_aliases(op)),
                        as<FunctionType>(expression.type));
}

// ---- parameters --------------------------------------------------------------------------------

void UniquenessWalk::parameter_names(const syntax::Pattern& pattern, const Type* type,
                                     bool is_unique, std::vector<ParameterName>& names) {
  // Without an ascription around them, names have the types that were inferred.
  Ownership whole = type ? below_stars(type, is_unique) : Ownership{};
  auto part = [&](Name name) -> const Type* {
    const auto* r = type ? std::get_if<RecordType>(&whole.type->node) : nullptr;
    return r ? find_field(r->fields, name) : nullptr;
  };
  auto add = [&](const Variable* variable, const Type* own, bool unique) {
    names.push_back({variable, own ? own : variable->scheme.type, own && unique});
  };
  if (const auto* name = std::get_if<syntax::NamePattern>(&pattern.node)) {
    add(name->variable, type, is_unique);
  } else if (const auto* t = std::get_if<syntax::TuplePattern>(&pattern.node)) {
    for (std::size_t i = 0; i < t->elements.size(); ++i)
      parameter_names(*t->elements[i], part(tuple_field(i)), whole.is_unique, names);
  } else if (const auto* r = std::get_if<syntax::RecordPattern>(&pattern.node)) {
    for (const syntax::FieldPattern& field : r->fields) {
      if (field.pattern)
        parameter_names(*field.pattern, part(field.name), whole.is_unique, names);
      else
        add(field.variable, part(field.name), whole.is_unique);
    }
  } else if (const auto* c = std::get_if<syntax::ConstructorPattern>(&pattern.node)) {
    const auto* s = type ? std::get_if<SumType>(&whole.type->node) : nullptr;
    const Constructor* found = s ? find_constructor(s->constructors, c->name) : nullptr;
    for (std::size_t i = 0; i < c->arguments.size(); ++i)
      parameter_names(*c->arguments[i], found ? found->payload[i] : nullptr, whole.is_unique,
                      names);
  } else if (const auto* a = std::get_if<syntax::AscribePattern>(&pattern.node)) {
    parameter_names(*a->pattern, a->type->type, false, names);
  } else if (const auto* p = std::get_if<syntax::ParenthesizedPattern>(&pattern.node)) {
    parameter_names(*p->inner, type, is_unique, names);
  } else if (const auto* b = std::get_if<syntax::AttributedPattern>(&pattern.node)) {
    parameter_names(*b->pattern, type, is_unique, names);
  }
}

void UniquenessWalk::walk_sizes(const syntax::TypeExpr& type) {
  if (const auto* a = std::get_if<syntax::ArrayType>(&type.node)) {
    if (a->size) walk(*a->size);
    walk_sizes(*a->element);
  } else if (const auto* n = std::get_if<syntax::TypeApplication>(&type.node)) {
    for (const syntax::TypeArgument& argument : n->arguments) {
      if (argument.type) walk_sizes(*argument.type);
      if (argument.size) walk(*argument.size);
    }
  } else if (const auto* u = std::get_if<syntax::UniqueType>(&type.node)) {
    walk_sizes(*u->inner);
  } else if (const auto* t = std::get_if<syntax::TupleType>(&type.node)) {
    for (const syntax::TypeExpr* element : t->elements)
      walk_sizes(*element);
  } else if (const auto* r = std::get_if<syntax::RecordType>(&type.node)) {
    for (const syntax::FieldType& field : r->fields)
      walk_sizes(*field.type);
  } else if (const auto* s = std::get_if<syntax::SumType>(&type.node)) {
    for (const syntax::ConstructorType& constructor : s->constructors)
      for (const syntax::TypeExpr* payload : constructor.payload)
        walk_sizes(*payload);
  } else if (const auto* f = std::get_if<syntax::FunctionType>(&type.node)) {
    walk_sizes(*f->parameter);
    walk_sizes(*f->result);
  } else if (const auto* e = std::get_if<syntax::ExistentialType>(&type.node)) {
    walk_sizes(*e->body);
  } else if (const auto* p = std::get_if<syntax::ParenthesizedType>(&type.node)) {
    walk_sizes(*p->inner);
  }
}

/// The sizes in a parameter's type are expressions that may consume nothing.
void UniquenessWalk::walk_sizes(const syntax::Pattern& pattern) {
  if (const auto* a = std::get_if<syntax::AscribePattern>(&pattern.node)) {
    Barrier barrier(*this);
    walk_sizes(*a->type);
    walk_sizes(*a->pattern);
  } else if (const auto* t = std::get_if<syntax::TuplePattern>(&pattern.node)) {
    for (const syntax::Pattern* element : t->elements)
      walk_sizes(*element);
  } else if (const auto* r = std::get_if<syntax::RecordPattern>(&pattern.node)) {
    for (const syntax::FieldPattern& field : r->fields)
      if (field.pattern) walk_sizes(*field.pattern);
  } else if (const auto* c = std::get_if<syntax::ConstructorPattern>(&pattern.node)) {
    for (const syntax::Pattern* argument : c->arguments)
      walk_sizes(*argument);
  } else if (const auto* p = std::get_if<syntax::ParenthesizedPattern>(&pattern.node)) {
    walk_sizes(*p->inner);
  } else if (const auto* b = std::get_if<syntax::AttributedPattern>(&pattern.node)) {
    walk_sizes(*b->pattern);
  }
}

void UniquenessWalk::bind_parameters(const std::vector<syntax::Pattern*>& parameters,
                                     std::vector<ParameterName>& names) {
  for (const syntax::Pattern* parameter : parameters) {
    walk_sizes(*parameter);
    std::size_t first = names.size();
    parameter_names(*parameter, nullptr, false, names);
    for (std::size_t i = first; i < names.size(); ++i)
      bind(names[i].variable, nullptr, may_consume(names[i].type, names[i].is_unique));
  }
}

// ---- results -----------------------------------------------------------------------------------

void UniquenessWalk::check_result(const syntax::Expr& body,
                                  const std::vector<ParameterName>& parameters,
                                  const Type* declared, const AliasTree* tree) {
  if (!tree) return;
  const Span span = result_of(body).span;
  AliasSet seen, seen_unique;
  std::function<void(const Type*, bool, const AliasTree*)> check =
      [&](const Type* outer, bool outer_unique, const AliasTree* part) {
        if (!part) return;
        auto [type, unique_here] = below_stars(outer, outer_unique);
        if (const auto* r = std::get_if<RecordType>(&type->node);
            r && std::holds_alternative<RecordAliases>(part->node)) {
          for (const Field& field : r->fields)
            check(field.type, unique_here, arena_.field(part, field.name));
          return;
        }
        AliasSet aliases = all_aliases(part);
        bool is_unique = may_consume(type, unique_here);
        if (intersect(aliases, is_unique ? seen : seen_unique)) {
          Diagnostic& diagnostic = context_.diagnostics->error(
              "unique-return-aliased", span,
              "A unique-typed component of the return value is aliased to some other component.");
          diagnostic.hint = "use `copy` on one of them";
        }
        seen = united(seen, aliases);
        if (!is_unique) return;
        seen_unique = united(seen_unique, aliases);
        for (const ParameterName& parameter : parameters) {
          auto known = known_.find(parameter.variable);
          if (known == known_.end() || all_owned(parameter.type, parameter.is_unique)) continue;
          bool shares = std::any_of(aliases.begin(), aliases.end(),
                                    [&](Alias alias) { return alias.root == known->second; });
          if (!shares) continue;
          std::string name = "\"" + std::string(parameter.variable->name) + "\"";
          Diagnostic& diagnostic = context_.diagnostics->error(
              "return-aliased", span,
              "Unique-typed return value is aliased to " + name + ", which is not consumable.");
          diagnostic.notes.push_back(
              {parameter.variable->span, name + " is bound here, without a `*`"});
          diagnostic.hint = "return a copy, made with `copy`";
          break;
        }
      };
  check(declared, false, tree);
}

void UniquenessWalk::check_global_aliases(const syntax::Expr& body, const AliasTree* tree) {
  if (!tree) return;
  for (const Alias& alias : array_aliases(tree)) {
    const Root& root = roots_[alias.root];
    if (root.kind != Root::Kind::Global) continue;
    std::string name(root.variable->name);
    Diagnostic& diagnostic =
        context_.diagnostics->error("alias-free-variable", result_of(body).span,
                                    "Function result aliases the free variable \"" + name + "\".");
    diagnostic.hint = "use \"copy\" to break the aliasing";
    return;
  }
}

const Type* UniquenessWalk::with_unique_result(const Type* function_type,
                                               std::size_t parameter_count,
                                               const std::vector<ParameterName>& parameters,
                                               const AliasTree* tree) {
  // What occurs in more than one part of the result is unique in none.
  std::vector<std::uint32_t> once, forbidden;
  for_each_part(tree, [&](const AliasSet& part) {
    std::vector<std::uint32_t> roots;
    for (const Alias& alias : part)
      if (roots.empty() || roots.back() != alias.root) roots.push_back(alias.root);
    for (std::uint32_t root : roots)
      (std::find(once.begin(), once.end(), root) == once.end() ? once : forbidden).push_back(root);
  });
  auto is_owned = [&](std::uint32_t root) {
    return std::any_of(parameters.begin(), parameters.end(), [&](const ParameterName& parameter) {
      auto known = known_.find(parameter.variable);
      return known != known_.end() && known->second == root &&
             may_consume(parameter.type, parameter.is_unique);
    });
  };
  std::function<const Type*(const Type*, const AliasTree*)> mark =
      [&](const Type* type, const AliasTree* part) -> const Type* {
    type = resolve(type);
    if (arena_.is_large(type)) return type;
    if (const auto* r = std::get_if<RecordType>(&type->node)) {
      std::vector<Field> fields;
      bool changed = false;
      for (const Field& field : r->fields) {
        fields.push_back({field.name, mark(field.type, arena_.field(part, field.name))});
        changed = changed || fields.back().type != field.type;
      }
      return changed ? types::record_like(context_.types, *r, std::move(fields)) : type;
    }
    if (const auto* s = std::get_if<SumType>(&type->node)) {
      std::vector<Constructor> constructors;
      bool changed = false;
      for (const Constructor& constructor : s->constructors) {
        Constructor& marked = constructors.emplace_back(Constructor{constructor.name, {}});
        for (std::size_t i = 0; i < constructor.payload.size(); ++i) {
          marked.payload.push_back(
              mark(constructor.payload[i], arena_.payload(part, constructor.name, i)));
          changed = changed || marked.payload[i] != constructor.payload[i];
        }
      }
      return changed ? types::sum(context_.types, std::move(constructors)) : type;
    }
    if (!std::holds_alternative<ArrayType>(type->node) &&
        !std::holds_alternative<types::NamedType>(type->node))
      return type;
    AliasSet aliases = all_aliases(part);
    for (const Alias& alias : aliases) {
      if (roots_[alias.root].is_in_scope && !is_owned(alias.root)) return type;
      if (std::find(forbidden.begin(), forbidden.end(), alias.root) != forbidden.end()) return type;
    }
    // About a value of an unknown type nothing can be said but that it is new.
    if (std::holds_alternative<types::NamedType>(type->node) && !aliases.empty()) return type;
    return unique(context_.types, type);
  };
  std::function<const Type*(const Type*, std::size_t)> rebuild =
      [&](const Type* type, std::size_t count) -> const Type* {
    const auto* f = count > 0 ? as<FunctionType>(type) : nullptr;
    if (!f) return count > 0 ? type : mark(type, tree);
    const Type* result = rebuild(f->result, count - 1);
    if (result == f->result) return type;
    return types::function(context_.types, f->parameter, result, f->parameter_variable,
                           f->existentials);
  };
  return rebuild(function_type, parameter_count);
}

// ---- functions ---------------------------------------------------------------------------------

std::vector<UniquenessWalk::Use> UniquenessWalk::uses_since(std::size_t mark) const {
  std::vector<Use> uses(uses_.begin() + static_cast<std::ptrdiff_t>(mark), uses_.end());
  std::stable_sort(uses.begin(), uses.end(),
                   [](const Use& a, const Use& b) { return a.root < b.root; });
  uses.erase(std::unique(uses.begin(), uses.end(),
                         [](const Use& a, const Use& b) { return a.root == b.root; }),
             uses.end());
  std::erase_if(uses, [&](const Use& use) { return !roots_[use.root].is_in_scope; });
  return uses;
}

void UniquenessWalk::condense_uses(std::size_t mark) {
  std::vector<Use> kept = uses_since(mark);
  uses_.resize(mark);
  uses_.insert(uses_.end(), kept.begin(), kept.end());
}

const AliasTree* UniquenessWalk::walk_function(const std::vector<syntax::Pattern*>& parameters,
                                               const syntax::TypeExpr* result_type,
                                               const syntax::Expr& body, const Type* type) {
  const std::size_t first_use = uses_.size();
  const std::size_t first_consumed = consumed_.size();
  {
    Barrier barrier(*this);
    Binding binding(*this);
    std::vector<ParameterName> names;
    bind_parameters(parameters, names);
    const AliasTree* result = walk(body);
    // What it consumes is its parameters, of which nobody else knows.
    take_back(first_consumed);
    if (result_type) check_result(body, names, result_type->type, result);
    check_global_aliases(body, result);
    if (!result_type) type = with_unique_result(type, parameters.size(), names, result);
  }
  AliasSet captured;
  for (const Use& use : uses_since(first_use))
    captured = united(captured, all_aliases(roots_[use.root].tree));
  condense_uses(first_use);
  return arena_.closure(std::move(captured), as<FunctionType>(type));
}

const Type* UniquenessWalk::check_definition(const syntax::ValueDeclaration& declaration) {
  const Type* type = declaration.variable->scheme.type;
  // The prompt declares a result under a name that nobody can write.  What it consumes there
  // belongs to the person at the prompt.
  owns_globals_ = declaration.name.find('#') != std::string_view::npos;
  Binding binding(*this);
  std::vector<ParameterName> names;
  bind_parameters(declaration.parameters, names);
  const AliasTree* result = walk(*declaration.body);
  if (declaration.result_type) {
    const Type* declared = declaration.result_type->type;
    check_result(*declaration.body, names, declared, result);
    if (declaration.parameters.empty() && is_unique(declared))
      context_.diagnostics->error("unique-constant", declaration.result_type->span,
                                  "A top-level constant cannot have a unique type.");
  }
  if (declaration.parameters.empty()) return type;
  check_global_aliases(*declaration.body, result);
  if (declaration.result_type) return type;
  return with_unique_result(type, declaration.parameters.size(), names, result);
}

} // namespace sinter::check
