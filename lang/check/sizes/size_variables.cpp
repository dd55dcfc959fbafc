// What is known of sizes, and types with their solutions put in.
#include "lang/check/sizes/size_variables.h"

#include "lang/check/sizes/terms.h"
#include "lang/types/facts.h"
#include "lang/types/rewrite.h"

namespace sinter::check {

using namespace types;

using Kind = SizeConstraint::Kind;

SizeVariables::SizeVariables(TypeArena& arena)
    : arena_(arena), i64_(primitive(arena, ElementType::I64)) {}

// ---- making ------------------------------------------------------------------------------------

const Variable* SizeVariables::fresh(SizeConstraint constraint) {
  Variable* variable = arena_.make<Variable>(Variable::Kind::UnknownSize);
  variable->scheme.type = i64_;
  variable->span = constraint.span;
  constraint.level = level;
  constraint.number = next_number_++;
  constraints_.emplace(variable, std::move(constraint));
  order_.push_back(variable);
  return variable;
}

const Variable* SizeVariables::flexible(Span span, std::string source) {
  SizeConstraint constraint;
  constraint.span = span;
  constraint.source = std::move(source);
  return fresh(std::move(constraint));
}

const Variable* SizeVariables::unknown(Span span, std::string source) {
  SizeConstraint constraint;
  constraint.kind = Kind::Unknown;
  constraint.span = span;
  constraint.source = std::move(source);
  return fresh(std::move(constraint));
}

void SizeVariables::constrain(const Variable* variable, Kind kind, Span span, std::string source) {
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

const SizeConstraint* SizeVariables::find(const Variable* variable) const {
  auto found = constraints_.find(variable);
  return found == constraints_.end() ? nullptr : &found->second;
}

SizeConstraint* SizeVariables::find(const Variable* variable) {
  auto found = constraints_.find(variable);
  return found == constraints_.end() ? nullptr : &found->second;
}

SizeConstraint* SizeVariables::find_canonical(const Variable* variable) {
  SizeConstraint* c = find(variable);
  return c && c->kind == Kind::Copy ? find(c->canonical) : c;
}

bool SizeVariables::is_unknown(const Variable* variable) const {
  const SizeConstraint* c = find(variable);
  return c && c->kind == Kind::Unknown;
}

bool SizeVariables::is_flexible(const Variable* variable) const {
  const SizeConstraint* c = find(variable);
  if (!c) return false;
  if (c->kind == Kind::Copy) {
    const SizeConstraint* canonical = find(c->canonical);
    if (canonical) c = canonical;
  }
  return c->kind == Kind::Flexible || c->kind == Kind::Instance || c->kind == Kind::Copy;
}

const Variable* SizeVariables::chase(const Variable* v) const {
  const SizeConstraint* c = find(v);
  const Variable* next = c && c->solution ? as_variable(c->solution) : nullptr;
  return next ? chase(next) : v;
}

void SizeVariables::set_solution(const Variable* v, const Size* size) {
  auto found = constraints_.find(v);
  if (found == constraints_.end() || found->second.solution) return;
  size = normalise(size);
  if (found->second.kind != Kind::Flexible || as_variable(size) == v) return;
  found->second.solution = size;
}

std::string SizeVariables::show(const Variable* v) {
  return types::print(variable(arena_, v), names_);
}

std::vector<Note> SizeVariables::notes(const Size* size) {
  std::vector<Note> notes;
  const Variable* v = as_variable(normalise(size));
  const SizeConstraint* c = v ? find(v) : nullptr;
  if (c && c->kind == Kind::Unknown && c->span.is_known() && !c->source.empty())
    notes.push_back({c->span, "\"" + show(v) + "\" " + c->source});
  return notes;
}

// ---- solutions ---------------------------------------------------------------------------------

class SizeVariables::Normaliser : public Rewriter {
public:
  Normaliser(SizeVariables& variables) : Rewriter(variables.arena()), variables_(variables) {}

protected:
  const Size* on_variable(const Size* size, const Variable* variable) override {
    const SizeConstraint* c = variables_.find(variable);
    if (!c) return size;
    if (c->kind == Kind::Copy) {
      // Equal to the first occurrence, unless that may yet become existential.
      const SizeConstraint* canonical = variables_.find(c->canonical);
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
  SizeVariables& variables_;
};

const Type* SizeVariables::normalise(const Type* type) {
  return Normaliser(*this).type(type);
}
const Size* SizeVariables::normalise(const Size* size) {
  return Normaliser(*this).size(size);
}

const Type* SizeVariables::substitute(const Type* type, const Variable* variable,
                                      const Size* size) {
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
  return Replacer(arena_, variable, size).type(type);
}

void SizeVariables::collapse_instances(int from_level) {
  for (auto& [v, c] : constraints_) {
    if (c.level < from_level) continue;
    if (c.kind == Kind::Copy) {
      const SizeConstraint* canonical = find(c.canonical);
      if (canonical && canonical->kind == Kind::Existential) continue;
      c.solution = variable(arena_, c.canonical);
      c.kind = Kind::Flexible;
    } else if (c.kind == Kind::Instance) {
      c.kind = Kind::Flexible;
    }
  }
}

} // namespace sinter::check
