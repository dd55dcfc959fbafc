// Types of patterns.
#include "lang/check/types/inference.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

namespace {

bool has_ascription(const syntax::Pattern& pattern) {
  auto any = [](const std::vector<syntax::Pattern*>& list) {
    return std::any_of(list.begin(), list.end(),
                       [](const syntax::Pattern* p) { return has_ascription(*p); });
  };
  if (std::holds_alternative<syntax::AscribePattern>(pattern.node)) return true;
  if (const auto* t = std::get_if<syntax::TuplePattern>(&pattern.node)) return any(t->elements);
  if (const auto* c = std::get_if<syntax::ConstructorPattern>(&pattern.node))
    return any(c->arguments);
  if (const auto* r = std::get_if<syntax::RecordPattern>(&pattern.node))
    return std::any_of(r->fields.begin(), r->fields.end(), [](const syntax::FieldPattern& f) {
      return f.pattern && has_ascription(*f.pattern);
    });
  if (const auto* p = std::get_if<syntax::ParenthesizedPattern>(&pattern.node))
    return has_ascription(*p->inner);
  if (const auto* a = std::get_if<syntax::AttributedPattern>(&pattern.node))
    return has_ascription(*a->pattern);
  return false;
}

/// Of two types that differ in sizes and uniqueness alone, the inner one; of the sizes those that
/// have a name.
const Type* named_sizes(TypeArena& arena, const Type* outer, const Type* inner) {
  inner = resolve(inner);
  if (const auto* u = std::get_if<UniqueType>(&inner->node))
    return unique(arena, named_sizes(arena, outer, u->inner));
  if (const auto* a = as<ArrayType>(outer)) {
    const auto* b = as<ArrayType>(inner);
    if (!b) return outer;
    const Size* size = b->size;
    const auto* v = std::get_if<VariableSize>(&size->node);
    if (v && v->variable->name.empty()) size = a->size;
    return array(arena, size, named_sizes(arena, a->element, b->element));
  }
  if (const auto* r = as<RecordType>(outer)) {
    const auto* s = as<RecordType>(inner);
    if (!s || s->fields.size() != r->fields.size()) return outer;
    std::vector<Field> fields;
    for (std::size_t i = 0; i < r->fields.size(); ++i)
      fields.push_back(
          {r->fields[i].name, named_sizes(arena, r->fields[i].type, s->fields[i].type)});
    return record_like(arena, *r, std::move(fields));
  }
  return outer;
}

} // namespace

/// Checks one pattern with those inside it.
class PatternInference {
public:
  PatternInference(Inference& inference, AnonymousSizes mode, std::vector<Variable*>* made)
      : inference_(inference), mode_(mode), made_(made) {}

  const Type* check(syntax::Pattern& pattern, const Type* value, const Reason& reason) {
    const Type* type =
        std::visit([&](auto& node) { return visit(pattern, node, value, reason); }, pattern.node);
    inference_.annotations().put(pattern.type, type);
    return type;
  }

private:
  TypeArena& arena() { return inference_.arena(); }
  bool unify(const Type* expected, const Type* found, const Reason& reason) {
    return inference_.unifier().unify(expected, found, reason);
  }
  const Type* new_meta(Span span) { return inference_.unifier().new_meta(span); }
  /// Of a part the mismatch is where it stands.
  const Type* check_part(syntax::Pattern& part, const Type* value, Reason reason) {
    reason.span = part.span;
    return check(part, value, reason);
  }

  const Type* bind_name(std::string_view name, Span span, Variable*& slot, const Type* value) {
    const Type* type = strip_unique(arena(), value);
    inference_.must_be_redefinable(name, span);
    const auto& names = inference_.layer_->scope.names.values;
    if (auto old = names.find(name);
        old != names.end() && old->second->span.is_known() && name != "_") {
      auto& diagnostic = inference_.diagnostics().error(
          "duplicate-name", span,
          "Name \"" + std::string(name) +
              "\" is also bound elsewhere in the same list of parameters or pattern");
      diagnostic.notes.push_back({old->second->span, "first bound here"});
    }
    slot = inference_.new_variable(Variable::Kind::Local, name, span, type);
    inference_.bind(slot);
    return type;
  }

  const Type* visit(syntax::Pattern& pattern, syntax::NamePattern& node, const Type* value,
                    const Reason&) {
    return bind_name(node.name, pattern.span, node.variable, value);
  }
  const Type* visit(syntax::Pattern&, syntax::WildcardPattern&, const Type* value, const Reason&) {
    return value;
  }
  const Type* visit(syntax::Pattern&, syntax::LiteralPattern& node, const Type* value,
                    const Reason& reason) {
    const Type* type = inference_.check_expression(*node.literal);
    if (node.negative) inference_.deferred_.negate_last(*node.literal);
    unify(type, value, reason);
    return type;
  }
  const Type* visit(syntax::Pattern& pattern, syntax::TuplePattern& node, const Type* value,
                    const Reason& reason) {
    const auto* known = as<RecordType>(value);
    std::vector<const Type*> parts;
    if (known && is_tuple(*known) && known->fields.size() == node.elements.size()) {
      for (const Field& field : known->fields)
        parts.push_back(field.type);
    } else {
      for (std::size_t i = 0; i < node.elements.size(); ++i)
        parts.push_back(new_meta(pattern.span));
      unify(tuple(arena(), parts), value, reason);
    }
    for (std::size_t i = 0; i < parts.size(); ++i)
      parts[i] = check_part(*node.elements[i], parts[i], reason);
    return tuple(arena(), parts);
  }
  const Type* visit(syntax::Pattern&, syntax::RecordPattern& node, const Type* value,
                    const Reason& reason) {
    const auto* known = as<RecordType>(value);
    std::vector<Field> fields;
    for (const syntax::FieldPattern& field : node.fields) {
      if (find_field(fields, field.name)) {
        inference_.diagnostics().error("duplicate-field", field.name_span,
                                       "Duplicate fields in record pattern: \"" +
                                           std::string(field.name) + "\" is listed twice");
        return inference_.error();
      }
      if (!field.pattern && !field.name.empty() && field.name[0] == '_')
        inference_.diagnostics().error(
            "underscore-field", field.name_span,
            "underscore-prefixed fields are not allowed; did you mean \"" +
                std::string(field.name.substr(1)) + "=_\"?");
      const Type* part = known ? find_field(known->fields, field.name) : nullptr;
      fields.push_back({field.name, part ? part : new_meta(field.name_span)});
    }
    unify(record(arena(), fields), value, reason);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      syntax::FieldPattern& field = node.fields[i];
      if (field.pattern)
        fields[i].type = check_part(*field.pattern, fields[i].type, reason);
      else
        bind_name(field.name, field.name_span, field.variable, fields[i].type);
    }
    return record(arena(), fields);
  }
  const Type* visit(syntax::Pattern& pattern, syntax::ConstructorPattern& node, const Type* value,
                    const Reason& reason) {
    const auto* known = as<SumType>(value);
    const Constructor* found = known ? find_constructor(known->constructors, node.name) : nullptr;
    std::vector<const Type*> payload;
    if (found && found->payload.size() == node.arguments.size()) {
      payload = found->payload;
    } else {
      for (const syntax::Pattern* argument : node.arguments)
        payload.push_back(new_meta(argument->span));
      unify(inference_.unifier().new_sum(pattern.span, node.name, payload), value, reason);
    }
    for (std::size_t i = 0; i < payload.size(); ++i)
      check_part(*node.arguments[i], payload[i], reason);
    return value;
  }
  const Type* visit(syntax::Pattern&, syntax::AscribePattern& node, const Type* value,
                    const Reason& reason) {
    const Type* type = inference_.check_type(*node.type, mode_, made_);
    Reason why = reason;
    why.origin = node.type->span;
    why.origin_text = "the pattern has this type";
    unify(type, value, why);
    const Type* inner = check(*node.pattern, strip_unique(arena(), type), why);
    // An inner ascription may name sizes that the outer one leaves out.
    return has_ascription(*node.pattern) ? named_sizes(arena(), type, inner) : type;
  }
  const Type* visit(syntax::Pattern&, syntax::ParenthesizedPattern& node, const Type* value,
                    const Reason& reason) {
    return check(*node.inner, value, reason);
  }
  const Type* visit(syntax::Pattern&, syntax::AttributedPattern& node, const Type* value,
                    const Reason& reason) {
    return check(*node.pattern, value, reason);
  }

  Inference& inference_;
  AnonymousSizes mode_;
  std::vector<Variable*>* made_;
};

const Type* Inference::check_pattern(syntax::Pattern& pattern, const Type* value,
                                     const Reason& reason, AnonymousSizes mode,
                                     std::vector<Variable*>* made) {
  return PatternInference(*this, mode, made).check(pattern, value, reason);
}

void Inference::must_be_redefinable(std::string_view name, Span span) {
  if (name == "&&" || name == "||")
    diagnostics().error("may-not-be-redefined", span,
                        "The \"" + std::string(name) + "\" operator may not be redefined");
}

void Inference::rebind_pattern(syntax::Pattern& pattern) {
  if (auto* name = std::get_if<syntax::NamePattern>(&pattern.node)) {
    if (name->variable) bind(name->variable);
  } else if (auto* t = std::get_if<syntax::TuplePattern>(&pattern.node)) {
    for (syntax::Pattern* element : t->elements)
      rebind_pattern(*element);
  } else if (auto* r = std::get_if<syntax::RecordPattern>(&pattern.node)) {
    for (syntax::FieldPattern& field : r->fields) {
      if (field.pattern)
        rebind_pattern(*field.pattern);
      else if (field.variable)
        bind(field.variable);
    }
  } else if (auto* c = std::get_if<syntax::ConstructorPattern>(&pattern.node)) {
    for (syntax::Pattern* argument : c->arguments)
      rebind_pattern(*argument);
  } else if (auto* a = std::get_if<syntax::AscribePattern>(&pattern.node)) {
    rebind_pattern(*a->pattern);
  } else if (auto* p = std::get_if<syntax::ParenthesizedPattern>(&pattern.node)) {
    rebind_pattern(*p->inner);
  } else if (auto* b = std::get_if<syntax::AttributedPattern>(&pattern.node)) {
    rebind_pattern(*b->pattern);
  }
}

void Inference::must_be_irrefutable(const syntax::Pattern& pattern) {
  // A pattern of names alone needs no look.
  if (std::holds_alternative<syntax::NamePattern>(pattern.node) ||
      std::holds_alternative<syntax::WildcardPattern>(pattern.node))
    return;
  deferred_.add_irrefutable(pattern);
}

} // namespace sinter::check
