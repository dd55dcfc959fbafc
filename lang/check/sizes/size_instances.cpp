// Types with fresh sizes, and instances of schemes.
#include "lang/check/sizes/size_instances.h"

#include "lang/syntax/token.h"
#include "lang/types/facts.h"
#include "lang/types/rewrite.h"

#include <algorithm>
#include <functional>

namespace sinter::check {

using namespace types;

using Kind = SizeConstraint::Kind;

/// Puts a fresh size in each place.  Of function types only the shape is known: their existentials
/// are forgotten, and their parameters' names are new, for the fresh sizes to be linked to.
class SizeInstances::Refresher {
public:
  using Make = std::function<const Variable*(const Size*)>;
  Refresher(SizeInstances& instances, Make make, Span span)
      : instances_(instances), make_(std::move(make)), span_(span) {}

  const Type* type(const Type* t) {
    TypeArena& arena = instances_.variables_.arena();
    t = resolve(t);
    if (const auto* a = std::get_if<ArrayType>(&t->node)) {
      const Size* size = variable(arena, make_(a->size));
      return array(arena, size, type(a->element));
    }
    const auto part = [&](const Type* inner) { return type(inner); };
    if (const auto* r = std::get_if<RecordType>(&t->node)) return with_parts(arena, t, *r, part);
    if (const auto* s = std::get_if<SumType>(&t->node)) return with_parts(arena, t, *s, part);
    if (const auto* f = std::get_if<FunctionType>(&t->node)) {
      const Type* parameter = type(f->parameter);
      Variable* name = nullptr;
      if (f->parameter_variable) {
        name = arena.make<Variable>(*f->parameter_variable);
        instances_.variables_.constrain(name, Kind::Parameter, span_);
        instances_.variables_.bind_in_instance(name);
      }
      return function(arena, parameter, type(f->result), name);
    }
    if (const auto* u = std::get_if<UniqueType>(&t->node)) return unique(arena, type(u->inner));
    if (const auto* n = std::get_if<NamedType>(&t->node)) {
      if (n->arguments.empty()) return t;
      std::vector<TypeArgument> arguments;
      for (const TypeArgument& argument : n->arguments) {
        if (argument.type)
          arguments.push_back({type(argument.type), nullptr});
        else
          arguments.push_back({nullptr, variable(arena, make_(argument.size))});
      }
      return named(arena, n->name, std::move(arguments));
    }
    return t;
  }

private:
  SizeInstances& instances_;
  Make make_;
  Span span_;
};

const Type* SizeInstances::refresh(const Type* type, Span span, Lifting lifting) {
  auto make = [&](const Size*) {
    SizeConstraint constraint;
    constraint.kind = Kind::Instance;
    constraint.span = span;
    constraint.lifting = lifting;
    return variables_.fresh(std::move(constraint));
  };
  return Refresher(*this, make, span).type(type);
}

const Type*
SizeInstances::refresh_flexible(const Type* type, Span span, const std::string& source,
                                std::vector<std::pair<const Variable*, const Size*>>& made) {
  auto make = [&](const Size* old) {
    const Variable* variable = variables_.flexible(span, source);
    made.emplace_back(variable, variables_.normalise(old));
    return variable;
  };
  return Refresher(*this, make, span).type(type);
}

// ---- instances ---------------------------------------------------------------------------------

/// Walks through a scheme's type and the type that inference gave to the instance.
class SizeInstances::Walk {
public:
  Walk(SizeInstances& instances, const Scheme& scheme, Span span)
      : instances_(instances), scheme_(scheme), span_(span) {}

  const Type* walk(const Type* scheme_type, const Type* inferred) {
    TypeArena& arena = instances_.variables_.arena();
    scheme_type = resolve(scheme_type);
    inferred = resolve(inferred);
    if (const auto* u = std::get_if<UniqueType>(&scheme_type->node))
      return unique(arena, walk(u->inner, inferred));
    if (const auto* u = std::get_if<UniqueType>(&inferred->node))
      return walk(scheme_type, u->inner);
    if (const auto* a = std::get_if<ArrayType>(&scheme_type->node)) {
      const auto* b = std::get_if<ArrayType>(&inferred->node);
      return b ? array(arena, a->size, walk(a->element, b->element)) : scheme_type;
    }
    if (const auto* r = std::get_if<RecordType>(&scheme_type->node)) {
      const auto* s = std::get_if<RecordType>(&inferred->node);
      if (!s || s->fields.size() != r->fields.size()) return scheme_type;
      std::vector<Field> fields;
      for (std::size_t i = 0; i < r->fields.size(); ++i)
        fields.push_back({r->fields[i].name, walk(r->fields[i].type, s->fields[i].type)});
      return record_like(arena, *r, std::move(fields));
    }
    if (const auto* s = std::get_if<SumType>(&scheme_type->node)) {
      const auto* t = std::get_if<SumType>(&inferred->node);
      if (!t || t->constructors.size() != s->constructors.size()) return scheme_type;
      std::vector<Constructor> constructors;
      for (std::size_t i = 0; i < s->constructors.size(); ++i) {
        const Constructor &x = s->constructors[i], &y = t->constructors[i];
        constructors.push_back({x.name, {}});
        for (std::size_t j = 0; j < x.payload.size(); ++j)
          constructors.back().payload.push_back(
              j < y.payload.size() ? walk(x.payload[j], y.payload[j]) : x.payload[j]);
      }
      return arena.make<Type>(SumType{std::move(constructors)});
    }
    if (const auto* f = std::get_if<FunctionType>(&scheme_type->node)) {
      const auto* g = std::get_if<FunctionType>(&inferred->node);
      if (!g) return scheme_type;
      const Type* parameter = walk(f->parameter, g->parameter);
      return function(arena, parameter, walk(f->result, g->result), f->parameter_variable,
                      f->existentials);
    }
    if (const auto* n = std::get_if<NamedType>(&scheme_type->node)) {
      const auto& parameters = scheme_.type_parameters;
      if (std::find(parameters.begin(), parameters.end(), n->name) != parameters.end())
        return argument(*n->name, inferred);
      const auto* m = std::get_if<NamedType>(&inferred->node);
      if (!m || m->arguments.size() != n->arguments.size()) return scheme_type;
      std::vector<TypeArgument> arguments;
      for (std::size_t i = 0; i < n->arguments.size(); ++i) {
        const TypeArgument &x = n->arguments[i], &y = m->arguments[i];
        if (x.type && y.type)
          arguments.push_back({walk(x.type, y.type), nullptr});
        else
          arguments.push_back(x);
      }
      return named(arena, n->name, std::move(arguments));
    }
    return scheme_type;
  }

private:
  const Type* argument(const TypeName& parameter, const Type* inferred) {
    auto seen = seen_.find(&parameter);
    if (seen == seen_.end())
      return seen_[&parameter] = instances_.refresh(inferred, span_, parameter.lifting);
    // Each further occurrence has sizes of its own: should they become existential, they differ.
    class Copier : public Rewriter {
    public:
      Copier(SizeInstances& instances, Span span)
          : Rewriter(instances.variables_.arena()), instances_(instances), span_(span),
            occurrence_(instances.occurrences_++) {
        shares_ = false;
      }

    protected:
      const Size* on_variable(const Size*, const Variable* canonical) override {
        const SizeConstraint* c = instances_.variables_.find(canonical);
        if (!c || c->kind == Kind::Parameter) return variable(arena_, canonical);
        SizeConstraint copy;
        copy.kind = Kind::Copy;
        copy.span = span_;
        copy.canonical = canonical;
        copy.occurrence = occurrence_;
        return variable(arena_, instances_.variables_.fresh(std::move(copy)));
      }

    private:
      SizeInstances& instances_;
      Span span_;
      std::uint32_t occurrence_;
    };
    return Copier(instances_, span_).type(seen->second);
  }

  SizeInstances& instances_;
  const Scheme& scheme_;
  Span span_;
  std::map<const TypeName*, const Type*> seen_;
};

const Type* SizeInstances::instantiate(const Scheme& scheme, const Type* inferred, Span span,
                                       std::string_view name) {
  const Type* type = scheme.type;
  class Replacer : public Rewriter {
  public:
    using Rewriter::Rewriter;
    std::map<const Variable*, const Size*> sizes;

  protected:
    const Size* on_variable(const Size* old, const Variable* v) override {
      auto found = sizes.find(v);
      return found == sizes.end() ? old : found->second;
    }
  };
  Replacer replacer(variables_.arena());
  for (const Variable* size : scheme.size_parameters) {
    if (size->kind != Variable::Kind::SizeParameter) continue; // a constant's own unknown size
    SizeConstraint constraint;
    constraint.kind = Kind::Instance;
    constraint.lifting = Lifting::FullyLifted;
    constraint.span = span;
    constraint.source = "instantiated size parameter" +
                        (size->name.empty() ? "" : " \"" + std::string(size->name) + "\"") +
                        " of " +
                        (syntax::is_writable_name(name) ? "\"" + std::string(name) + "\""
                                                        : std::string("this value"));
    replacer.sizes.emplace(size,
                           variable(variables_.arena(), variables_.fresh(std::move(constraint))));
  }
  type = variables_.normalise(type); // expressions by their structure
  if (!replacer.sizes.empty()) type = replacer.type(type);
  if (scheme.type_parameters.empty()) return type;
  return Walk(*this, scheme, span).walk(type, inferred);
}

const Type* SizeInstances::rename_binders(const Type* type) {
  const auto* f = as<FunctionType>(type);
  if (!f) return type;
  const Type* result = f->result;
  std::vector<const Variable*> existentials;
  for (const Variable* old : f->existentials) {
    Variable* copy = variables_.arena().make<Variable>(*old);
    existentials.push_back(copy);
    result = variables_.substitute(result, old, variable(variables_.arena(), copy));
  }
  return function(variables_.arena(), f->parameter, rename_binders(result), f->parameter_variable,
                  std::move(existentials));
}

} // namespace sinter::check
