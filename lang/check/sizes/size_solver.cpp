// Variables and types with them: making, instantiating, and what leaves its scope.
#include "lang/check/sizes/size_solver.h"

#include "lang/syntax/token.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

using Kind = SizeConstraint::Kind;

SizeSolver::SizeSolver(Context& context)
    : context_(context), i64_(primitive(context.types, ElementType::I64)) {}

// ---- variables ---------------------------------------------------------------------------------

const Variable* SizeSolver::fresh(SizeConstraint constraint) {
  Variable* variable = arena().make<Variable>(Variable::Kind::UnknownSize);
  variable->scheme.type = i64_;
  variable->span = constraint.span;
  constraint.level = level;
  constraint.number = next_number_++;
  constraints_.emplace(variable, std::move(constraint));
  order_.push_back(variable);
  return variable;
}

const Variable* SizeSolver::flexible(Span span, std::string source) {
  SizeConstraint constraint;
  constraint.span = span;
  constraint.source = std::move(source);
  return fresh(std::move(constraint));
}

const Variable* SizeSolver::unknown(Span span, std::string source) {
  SizeConstraint constraint;
  constraint.kind = Kind::Unknown;
  constraint.span = span;
  constraint.source = std::move(source);
  return fresh(std::move(constraint));
}

void SizeSolver::constrain(const Variable* variable, Kind kind, Span span, std::string source) {
  SizeConstraint constraint;
  constraint.kind = kind;
  constraint.level = level;
  constraint.number = next_number_++;
  constraint.span = span;
  constraint.source = std::move(source);
  auto [place, is_new] = constraints_.insert_or_assign(variable, std::move(constraint));
  (void)place;
  if (is_new) order_.push_back(variable);
}

const SizeConstraint* SizeSolver::find(const Variable* variable) const {
  auto found = constraints_.find(variable);
  return found == constraints_.end() ? nullptr : &found->second;
}

bool SizeSolver::is_unknown(const Variable* variable) const {
  const SizeConstraint* c = find(variable);
  return c && c->kind == Kind::Unknown;
}

bool SizeSolver::is_flexible(const Variable* variable) const {
  const SizeConstraint* c = find(variable);
  if (!c) return false;
  if (c->kind == Kind::Copy) {
    const SizeConstraint* canonical = find(c->canonical);
    if (canonical) c = canonical;
  }
  return c->kind == Kind::Flexible || c->kind == Kind::Instance || c->kind == Kind::Copy;
}

const Variable* SizeSolver::chase(const Variable* v) const {
  const SizeConstraint* c = find(v);
  const Variable* next = c && c->solution ? as_variable(c->solution) : nullptr;
  return next ? chase(next) : v;
}

void SizeSolver::set_solution(const Variable* v, const Size* size) {
  auto found = constraints_.find(v);
  if (found == constraints_.end() || found->second.solution) return;
  size = normalise(size);
  if (found->second.kind != Kind::Flexible || as_variable(size) == v) return;
  found->second.solution = size;
}

std::string SizeSolver::show(const Variable* v) {
  return types::print(variable(arena(), v), names_);
}

std::vector<Note> SizeSolver::notes(const Size* size) {
  std::vector<Note> notes;
  const Variable* v = as_variable(normalise(size));
  const SizeConstraint* c = v ? find(v) : nullptr;
  if (c && c->kind == Kind::Unknown && c->span.is_known() && !c->source.empty())
    notes.push_back({c->span, "\"" + show(v) + "\" " + c->source});
  return notes;
}

// ---- solutions ---------------------------------------------------------------------------------

class SizeSolver::Normaliser : public Rewriter {
public:
  Normaliser(SizeSolver& solver) : Rewriter(solver.arena()), solver_(solver) {}

protected:
  const Size* on_variable(const Size* size, const Variable* variable) override {
    const SizeConstraint* c = solver_.find(variable);
    if (!c) return size;
    if (c->kind == Kind::Copy) {
      // Equal to the first occurrence, unless that may yet become existential.
      const SizeConstraint* canonical = solver_.find(c->canonical);
      return canonical && canonical->solution ? this->size(canonical->solution) : size;
    }
    return c->solution ? this->size(c->solution) : size;
  }
  const Size* on_expression(const Size* size) override {
    const auto& e = std::get<ExpressionSize>(size->node);
    const Size* result = structural_size(arena_, *e.expression);
    if (!result) return size;
    class Replacer : public Rewriter {
    public:
      Replacer(TypeArena& arena, const ExpressionSize& e) : Rewriter(arena), e_(e) {}

    protected:
      const Size* on_variable(const Size* size, const Variable* variable) override {
        for (const auto& [from, to] : e_.substitution)
          if (from == variable) return to;
        return size;
      }

    private:
      const ExpressionSize& e_;
    };
    return Replacer(arena_, e).size(result);
  }

private:
  SizeSolver& solver_;
};

const Type* SizeSolver::normalise(const Type* type) {
  return Normaliser(*this).type(type);
}
const Size* SizeSolver::normalise(const Size* size) {
  return Normaliser(*this).size(size);
}

const Type* SizeSolver::substitute(const Type* type, const Variable* variable, const Size* size) {
  class Replacer : public Rewriter {
  public:
    Replacer(TypeArena& arena, const Variable* from, const Size* to)
        : Rewriter(arena), from_(from), to_(to) {}

  protected:
    const Size* on_variable(const Size* old, const Variable* v) override {
      return v == from_ ? to_ : old;
    }

  private:
    const Variable* from_;
    const Size* to_;
  };
  return Replacer(arena(), variable, size).type(type);
}

const Type* SizeSolver::rename_binders(const Type* type) {
  const auto* f = as<FunctionType>(type);
  if (!f) return type;
  const Type* result = f->result;
  Variables existentials;
  for (const Variable* old : f->existentials) {
    Variable* copy = arena().make<Variable>(*old);
    existentials.push_back(copy);
    result = substitute(result, old, variable(arena(), copy));
  }
  return function(arena(), f->parameter, rename_binders(result), f->parameter_variable,
                  std::move(existentials));
}

// ---- fresh sizes -------------------------------------------------------------------------------

/// Puts a fresh size in each place.  Of function types only the shape is known: their existentials
/// are forgotten, and their parameters' names are new, for the fresh sizes to be linked to.
class SizeSolver::Refresher {
public:
  using Make = std::function<const Variable*(const Size*)>;
  Refresher(SizeSolver& solver, Make make, Span span)
      : solver_(solver), make_(std::move(make)), span_(span) {}

  const Type* type(const Type* t) {
    TypeArena& arena = solver_.arena();
    t = resolve(t);
    if (const auto* a = std::get_if<ArrayType>(&t->node)) {
      const Size* size = variable(arena, make_(a->size));
      return array(arena, size, type(a->element));
    }
    if (const auto* r = std::get_if<RecordType>(&t->node)) {
      std::vector<Field> fields;
      bool changed = false;
      for (const Field& field : r->fields) {
        fields.push_back({field.name, type(field.type)});
        changed = changed || fields.back().type != field.type;
      }
      return changed ? record_like(arena, *r, std::move(fields)) : t;
    }
    if (const auto* s = std::get_if<SumType>(&t->node)) {
      std::vector<Constructor> constructors;
      for (const Constructor& constructor : s->constructors) {
        constructors.push_back({constructor.name, {}});
        for (const Type* payload : constructor.payload)
          constructors.back().payload.push_back(type(payload));
      }
      return arena.make<Type>(SumType{std::move(constructors)});
    }
    if (const auto* f = std::get_if<FunctionType>(&t->node)) {
      const Type* parameter = type(f->parameter);
      Variable* name = nullptr;
      if (f->parameter_variable) {
        name = arena.make<Variable>(*f->parameter_variable);
        solver_.constrain(name, Kind::Parameter, span_);
        solver_.binders_.insert(name);
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
  SizeSolver& solver_;
  Make make_;
  Span span_;
};

const Type* SizeSolver::refresh(const Type* type, Span span, Lifting lifting) {
  auto make = [&](const Size*) {
    SizeConstraint constraint;
    constraint.kind = Kind::Instance;
    constraint.span = span;
    constraint.lifting = lifting;
    return fresh(std::move(constraint));
  };
  return Refresher(*this, make, span).type(type);
}

const Type*
SizeSolver::refresh_flexible(const Type* type, Span span, const std::string& source,
                             std::vector<std::pair<const Variable*, const Size*>>& made) {
  auto make = [&](const Size* old) {
    const Variable* variable = flexible(span, source);
    made.emplace_back(variable, normalise(old));
    return variable;
  };
  return Refresher(*this, make, span).type(type);
}

// ---- instances ---------------------------------------------------------------------------------

/// Walks through a scheme's type and the type that inference gave to the instance.
class SizeSolver::InstanceWalk {
public:
  InstanceWalk(SizeSolver& solver, const Scheme& scheme, Span span)
      : solver_(solver), scheme_(scheme), span_(span) {}

  const Type* walk(const Type* scheme_type, const Type* inferred) {
    TypeArena& arena = solver_.arena();
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
      return seen_[&parameter] = solver_.refresh(inferred, span_, parameter.lifting);
    // Each further occurrence has sizes of its own: should they become existential, they differ.
    class Copier : public Rewriter {
    public:
      Copier(SizeSolver& solver, Span span)
          : Rewriter(solver.arena()), solver_(solver), span_(span),
            occurrence_(solver.occurrences_++) {
        shares_ = false;
      }

    protected:
      const Size* on_variable(const Size*, const Variable* canonical) override {
        const SizeConstraint* c = solver_.find(canonical);
        if (!c || c->kind == Kind::Parameter) return variable(arena_, canonical);
        SizeConstraint copy;
        copy.kind = Kind::Copy;
        copy.span = span_;
        copy.canonical = canonical;
        copy.occurrence = occurrence_;
        return variable(arena_, solver_.fresh(std::move(copy)));
      }

    private:
      SizeSolver& solver_;
      Span span_;
      std::uint32_t occurrence_;
    };
    return Copier(solver_, span_).type(seen->second);
  }

  SizeSolver& solver_;
  const Scheme& scheme_;
  Span span_;
  std::map<const TypeName*, const Type*> seen_;
};

const Type* SizeSolver::instantiate(const Scheme& scheme, const Type* inferred, Span span,
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
  Replacer replacer(arena());
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
    replacer.sizes.emplace(size, variable(arena(), fresh(std::move(constraint))));
  }
  type = Normaliser(*this).type(type); // expressions by their structure
  if (!replacer.sizes.empty()) type = replacer.type(type);
  if (scheme.type_parameters.empty()) return type;
  return InstanceWalk(*this, scheme, span).walk(type, inferred);
}

// ---- what leaves its scope ---------------------------------------------------------------------

/// Replaces sizes that may not occur.  Those of arrays in the value come first, and smaller ones
/// before those that they are part of: where `n` becomes `d`, `n+1` becomes `d+1`.
class SizeSolver::Remover {
public:
  Remover(SizeSolver& solver, const Forbidden& forbidden, Span span, Variables& made)
      : solver_(solver), forbidden_(forbidden), span_(span), made_(made) {}

  const Type* outermost(const Type* type) {
    std::size_t count = known_.size();
    const Type* result = (prepare(type), this->type(type));
    known_.resize(count);
    return result;
  }

private:
  void prepare(const Type* type) {
    std::vector<const Size*> sizes;
    for_each_size(type, [&](const Variables&, SizePlace place, const Size* size) {
      if (place == SizePlace::Immediate) sizes.push_back(size);
    });
    std::stable_sort(sizes.begin(), sizes.end(),
                     [](const Size* a, const Size* b) { return weight(a) < weight(b); });
    for (const Size* size : sizes)
      known_.emplace_back(size, this->size(size));
  }

  static std::size_t weight(const Size* size) {
    if (const auto* o = std::get_if<OperationSize>(&size->node))
      return 1 + weight(o->left) + weight(o->right);
    if (const auto* t = std::get_if<TermSize>(&size->node)) {
      std::size_t sum = 1;
      for (const Size* argument : t->arguments)
        sum += weight(argument);
      return sum;
    }
    return 1;
  }

  const Size* replace_known(const Size* size) {
    for (const auto& [from, to] : known_)
      if (solver_.same(from, size)) return to;
    if (const auto* o = std::get_if<OperationSize>(&size->node)) {
      const Size *left = replace_known(o->left), *right = replace_known(o->right);
      if (left == o->left && right == o->right) return size;
      return solver_.arena().make<Size>(OperationSize{o->op, left, right});
    }
    if (const auto* t = std::get_if<TermSize>(&size->node)) {
      std::vector<const Size*> arguments;
      bool changed = false;
      for (const Size* argument : t->arguments) {
        arguments.push_back(replace_known(argument));
        changed = changed || arguments.back() != argument;
      }
      if (!changed) return size;
      return solver_.arena().make<Size>(
          TermSize{t->kind, t->head, std::move(arguments), t->expression});
    }
    return size;
  }

  const Size* size(const Size* size) {
    size = replace_known(size);
    const Variable* cause = forbidden_(size);
    if (!cause) return size;
    std::string text =
        "is an unknown size arising from \"" + solver_.show(cause) + "\" going out of scope";
    const Variable* unknown = solver_.unknown(span_, std::move(text));
    made_.push_back(unknown);
    return variable(solver_.arena(), unknown);
  }

  const Type* type(const Type* t) {
    TypeArena& arena = solver_.arena();
    t = resolve(t);
    if (const auto* a = std::get_if<ArrayType>(&t->node)) {
      const Size* size = this->size(a->size);
      return array(arena, size, type(a->element));
    }
    if (const auto* r = std::get_if<RecordType>(&t->node)) {
      std::vector<Field> fields;
      for (const Field& field : r->fields)
        fields.push_back({field.name, type(field.type)});
      return record_like(arena, *r, std::move(fields));
    }
    if (const auto* s = std::get_if<SumType>(&t->node)) {
      std::vector<Constructor> constructors;
      for (const Constructor& constructor : s->constructors) {
        constructors.push_back({constructor.name, {}});
        for (const Type* payload : constructor.payload)
          constructors.back().payload.push_back(type(payload));
      }
      return arena.make<Type>(SumType{std::move(constructors)});
    }
    if (const auto* f = std::get_if<FunctionType>(&t->node)) {
      const Type* parameter = type(f->parameter);
      // What the result alone needs is bound here.
      std::size_t before = made_.size();
      const Type* result = outermost(f->result);
      Variables existentials = f->existentials;
      existentials.insert(existentials.end(), made_.begin() + static_cast<std::ptrdiff_t>(before),
                          made_.end());
      made_.resize(before);
      return function(arena, parameter, result, f->parameter_variable, std::move(existentials));
    }
    if (const auto* u = std::get_if<UniqueType>(&t->node)) return unique(arena, type(u->inner));
    if (const auto* n = std::get_if<NamedType>(&t->node)) {
      if (n->arguments.empty()) return t;
      std::vector<TypeArgument> arguments;
      for (const TypeArgument& argument : n->arguments) {
        if (argument.type)
          arguments.push_back({type(argument.type), nullptr});
        else
          arguments.push_back({nullptr, this->size(argument.size)});
      }
      return named(arena, n->name, std::move(arguments));
    }
    return t;
  }

  SizeSolver& solver_;
  const Forbidden& forbidden_;
  Span span_;
  Variables& made_;
  std::vector<std::pair<const Size*, const Size*>> known_;
};

const Type* SizeSolver::replace_forbidden(const Type* type, const Forbidden& forbidden, Span span,
                                          Variables& made) {
  type = normalise(type);
  bool any = false;
  for_each_size(type, [&](const Variables&, SizePlace, const Size* size) {
    any = any || forbidden(size) != nullptr;
  });
  return any ? Remover(*this, forbidden, span, made).outermost(type) : type;
}

// ---- existentials ------------------------------------------------------------------------------

bool SizeSolver::is_pending(const Variable* variable) const {
  const SizeConstraint* c = find(variable);
  if (!c) return false;
  if (c->kind == Kind::Existential) return true;
  const SizeConstraint* canonical = c->kind == Kind::Copy ? find(c->canonical) : nullptr;
  return canonical && canonical->kind == Kind::Existential;
}

/// Copies of one occurrence that absorbed the same size are the same size: the first one.
const Size* SizeSolver::representative(const Variable* v) {
  const SizeConstraint* c = find(v);
  if (!c || c->kind != Kind::Copy) return nullptr;
  const SizeConstraint* canonical = find(c->canonical);
  if (!canonical || canonical->kind != Kind::Existential || !canonical->absorbed) return nullptr;
  for (const Variable* other : order_) {
    if (other == v) return nullptr;
    const SizeConstraint* d = find(other);
    if (!d || d->kind != Kind::Copy || d->occurrence != c->occurrence) continue;
    const SizeConstraint* its = find(d->canonical);
    if (its && its->kind == Kind::Existential && its->absorbed == canonical->absorbed)
      return variable(arena(), other);
  }
  return nullptr;
}

const Type* SizeSolver::bind_existentials(const Type* type, Span span, Variables& made) {
  type = normalise(type);
  std::set<const Variable*> free = free_variables(type);
  if (std::none_of(free.begin(), free.end(), [&](const Variable* v) { return is_pending(v); }))
    return type;
  for (const Variable* v : free)
    if (const Size* other = representative(v)) type = substitute(type, v, other);
  Forbidden forbidden = [&](const Size* size) {
    const Variable* found = nullptr;
    for_each_variable(size, [&](const Variable* v) {
      if (!found && is_pending(v)) found = v;
    });
    return found;
  };
  return replace_forbidden(type, forbidden, span, made);
}

const Type* SizeSolver::settle(const Type* type) {
  type = normalise(type);
  std::set<const Variable*> free = free_variables(type);
  if (std::none_of(free.begin(), free.end(), [&](const Variable* v) { return is_pending(v); }))
    return type;
  Variables made;
  const Type* bound = bind_existentials(type, {}, made);
  if (made.empty()) return bound;
  for (const Variable* v : free) {
    const SizeConstraint* c = find(v);
    if (c && c->kind == Kind::Copy) c = find(c->canonical);
    if (c && c->kind == Kind::Existential && c->computed_at)
      type = substitute(
          type, v,
          variable(arena(), unknown(*c->computed_at, "is an unknown size returned by a function")));
  }
  return type;
}

void SizeSolver::collapse_instances(int from_level) {
  for (auto& [v, c] : constraints_) {
    if (c.level < from_level) continue;
    if (c.kind == Kind::Copy) {
      const SizeConstraint* canonical = find(c.canonical);
      if (canonical && canonical->kind == Kind::Existential) continue;
      c.solution = variable(arena(), c.canonical);
      c.kind = Kind::Flexible;
    } else if (c.kind == Kind::Instance) {
      c.kind = Kind::Flexible;
    }
  }
}

} // namespace sinter::check
