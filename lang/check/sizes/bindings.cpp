// Sizes in patterns and let.
#include "lang/check/sizes/size_checker.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

/// A type as written; the sizes that it leaves out are to be found.
const Type* SizeChecker::written_type(syntax::TypeExpr& type) {
  for (const Variable* v : type.open_sizes)
    sizes_.constrain(v, SizeConstraint::Kind::Flexible, type.span,
                     "anonymous size in type expression");
  const Type* written = sizes_.normalise(type.type);
  annotations_.emplace_back(&type.type, written);
  return written;
}

void SizeChecker::bind(Variable* variable, const Type* type) {
  name(variable, type);
  // Any name may occur in a size.
  sizes_.constrain(variable, SizeConstraint::Kind::Parameter, variable->span);
}

/// Gives a name its type.
void SizeChecker::name(Variable* variable, const Type* type) {
  type = strip_unique(arena(), type);
  bindings_[variable] = Scheme{{}, {}, type};
  annotations_.emplace_back(&variable->scheme.type, type);
}

const Type* SizeChecker::bind_pattern(syntax::Pattern& pattern, const Type* value,
                                      const Binders& binders, std::vector<Variable*>& bound) {
  std::size_t before = bound.size();
  const Type* type = check_pattern(pattern, value, binders, bound);
  for (std::size_t i = before; i < bound.size(); ++i)
    sizes_.constrain(bound[i], SizeConstraint::Kind::Parameter, bound[i]->span);
  return type;
}

/// Gives the pattern's type; its names get theirs.  `value` is null where only the pattern itself
/// and inference know what it will be matched with.
const Type* SizeChecker::check_pattern(syntax::Pattern& pattern, const Type* value,
                                       const Binders& binders, std::vector<Variable*>& bound) {
  auto own_type = [&] {
    return value ? value : instances_.refresh(pattern.type, pattern.span, Lifting::None);
  };
  auto bind_name = [&](Variable* variable, const Type* type) {
    if (!variable) return;
    name(variable, type);
    bound.push_back(variable);
  };
  const Type* type = nullptr;
  if (auto* n = std::get_if<syntax::NamePattern>(&pattern.node)) {
    type = own_type();
    bind_name(n->variable, type);
  } else if (std::holds_alternative<syntax::WildcardPattern>(pattern.node) ||
             std::holds_alternative<syntax::LiteralPattern>(pattern.node)) {
    type = own_type();
  } else if (auto* t = std::get_if<syntax::TuplePattern>(&pattern.node)) {
    const auto* r = value ? as<RecordType>(value) : nullptr;
    if (value && (!r || r->fields.size() != t->elements.size())) throw Stop{};
    std::vector<const Type*> parts;
    for (std::size_t i = 0; i < t->elements.size(); ++i)
      parts.push_back(check_pattern(
          *t->elements[i], r ? find_field(r->fields, tuple_field(i)) : nullptr, binders, bound));
    type = tuple(arena(), parts);
  } else if (auto* p = std::get_if<syntax::RecordPattern>(&pattern.node)) {
    const auto* r = value ? as<RecordType>(value) : nullptr;
    const auto* own = as<RecordType>(pattern.type);
    std::vector<Field> fields;
    for (syntax::FieldPattern& field : p->fields) {
      const Type* part = r ? find_field(r->fields, field.name) : nullptr;
      if (value && !part) throw Stop{};
      if (field.pattern) {
        part = check_pattern(*field.pattern, part, binders, bound);
      } else {
        if (!part) {
          const Type* inferred = own ? find_field(own->fields, field.name) : nullptr;
          if (!inferred) throw Stop{};
          part = instances_.refresh(inferred, field.name_span, Lifting::None);
        }
        bind_name(field.variable, part);
      }
      fields.push_back({field.name, part});
    }
    type = record(arena(), std::move(fields));
  } else if (auto* c = std::get_if<syntax::ConstructorPattern>(&pattern.node)) {
    type = own_type();
    const auto* s = as<SumType>(type);
    const Constructor* found = s ? find_constructor(s->constructors, c->name) : nullptr;
    if (!found || found->payload.size() != c->arguments.size()) throw Stop{};
    for (std::size_t i = 0; i < c->arguments.size(); ++i)
      check_pattern(*c->arguments[i], found->payload[i], binders, bound);
  } else if (auto* a = std::get_if<syntax::AscribePattern>(&pattern.node)) {
    type = written_type(*a->type);
    if (!value) {
      for (const Variable* size : a->type->open_sizes)
        sizes_.leave_to_callers(size);
    } else {
      // Sizes that are bound here stand for whatever the value has.
      const Type* wanted = type;
      for (const auto& [binder, open] : binders)
        wanted = sizes_.substitute(wanted, binder, open);
      Purpose purpose{pattern.span, "Pattern \"" + text(pattern.span) +
                                        "\" cannot match value of type \"" +
                                        sizes_.show(strip_unique(arena(), value)) + "\"."};
      purpose.show_types = false;
      unify(wanted, value, std::move(purpose));
    }
    check_pattern(*a->pattern, type, binders, bound);
  } else if (auto* i = std::get_if<syntax::ParenthesizedPattern>(&pattern.node)) {
    type = check_pattern(*i->inner, value, binders, bound);
  } else {
    auto& attributed = std::get<syntax::AttributedPattern>(pattern.node);
    type = check_pattern(*attributed.pattern, value, binders, bound);
  }
  pattern_types_[&pattern] = type;
  annotations_.emplace_back(&pattern.type, type);
  return type;
}

/// The type outside the scope of names; what becomes unknown is made by the expression.
const Type* SizeChecker::leave(const Type* type, const std::vector<Variable*>& names, Span span,
                               syntax::Expr& expression) {
  SizeScopes::Forbidden forbidden = [&](const Size* size) {
    const Variable* found = nullptr;
    for_each_variable(size, [&](const Variable* v) {
      if (!found && std::find(names.begin(), names.end(), v) != names.end()) found = v;
    });
    return found;
  };
  Variables made;
  const Type* result = scopes_.replace_forbidden(type, forbidden, span, made);
  Variables& all = nodes_[&expression].made;
  all.insert(all.end(), made.begin(), made.end());
  return result;
}

const Type* SizeChecker::let(syntax::Expr& expression, const syntax::LetPatternExpr& node) {
  const Type* value = check(*node.value);
  for (const syntax::SizeBinder& size : node.sizes)
    bind(size.variable, primitive(ElementType::I64));
  std::vector<Variable*> bound;
  const Type* body;
  {
    Deeper deeper(*this);
    Binders binders;
    for (const syntax::SizeBinder& size : node.sizes) {
      const Variable* open = sizes_.flexible(size.span, "ambiguous size of bound expression");
      const_cast<Variable*>(open)->name = size.name;
      binders.emplace_back(size.variable, variable(arena(), open));
    }
    const Type* pattern = bind_pattern(*node.pattern, value, binders, bound);
    std::set<const Variable*> used = free_variables(sizes_.normalise(pattern));
    std::set<const Variable*> witnessed = witnessed_sizes(sizes_.normalise(pattern));
    for (const syntax::SizeBinder& size : node.sizes) {
      if (used.contains(size.variable) && !witnessed.contains(size.variable))
        fail("unused-size", size.span,
             "Cannot bind [" + std::string(size.name) +
                 "] as it is never used as the size of a concrete (non-function) value.");
      if (!used.contains(size.variable))
        fail("unused-size", size.span, "Size [" + std::string(size.name) + "] unused in pattern");
    }
    Deeper inner(*this);
    body = check(*node.body);
  }
  if (bound.size() == 1 && is_primitive(value, ElementType::I64))
    if (const Size* size = structural_size(arena(), *node.value))
      return sizes_.substitute(sizes_.normalise(body), bound.front(), size);
  for (const syntax::SizeBinder& size : node.sizes)
    bound.push_back(size.variable);
  return leave(body, bound, expression.span, expression);
}

const Type* SizeChecker::let_with(syntax::Expr& expression, const syntax::LetWithExpr& node) {
  if (!node.source || !node.target) throw Stop{};
  const Type* source = instance(node.source, node.source->scheme.type, node.name_span, node.name);
  const Type* updated = update(source, node.path, *node.value);
  bind(node.target, updated);
  const Type* body;
  {
    Deeper deeper(*this);
    body = check(*node.body);
  }
  return leave(body, {node.target}, expression.span, expression);
}

} // namespace sinter::check
