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

const Type* Inference::check_pattern(syntax::Pattern& pattern, const Type* value,
                                     const Reason& reason, AnonymousSizes mode,
                                     std::vector<Variable*>* made) {
  auto bind_name = [&](std::string_view name, Span span, Variable*& slot) {
    const Type* type = strip_unique(arena(), value);
    must_be_redefinable(name, span);
    if (auto old = layer_->scope.names.values.find(name);
        old != layer_->scope.names.values.end() && old->second->span.is_known() && name != "_") {
      auto& diagnostic = diagnostics().error(
          "duplicate-name", span,
          "Name \"" + std::string(name) +
              "\" is also bound elsewhere in the same list of parameters or pattern");
      diagnostic.notes.push_back({old->second->span, "first bound here"});
    }
    slot = new_variable(Variable::Kind::Local, name, span, type);
    bind(slot);
    return type;
  };
  const Type* type = nullptr;
  if (auto* name = std::get_if<syntax::NamePattern>(&pattern.node)) {
    type = bind_name(name->name, pattern.span, name->variable);
  } else if (std::holds_alternative<syntax::WildcardPattern>(pattern.node)) {
    type = value;
  } else if (auto* literal = std::get_if<syntax::LiteralPattern>(&pattern.node)) {
    type = check_expression(*literal->literal);
    if (literal->negative) deferred_.negate_last(*literal->literal);
    unifier_.unify(type, value, reason);
  } else if (auto* tuple_pattern = std::get_if<syntax::TuplePattern>(&pattern.node)) {
    const auto* known = as<RecordType>(value);
    std::size_t count = tuple_pattern->elements.size();
    std::vector<const Type*> parts;
    if (known && is_tuple(*known) && known->fields.size() == count) {
      for (const Field& field : known->fields)
        parts.push_back(field.type);
    } else {
      for (std::size_t i = 0; i < count; ++i)
        parts.push_back(unifier_.new_meta(pattern.span));
      unifier_.unify(tuple(arena(), parts), value, reason);
    }
    for (std::size_t i = 0; i < count; ++i) {
      Reason inner = reason;
      inner.span = tuple_pattern->elements[i]->span;
      parts[i] = check_pattern(*tuple_pattern->elements[i], parts[i], inner, mode, made);
    }
    type = tuple(arena(), parts);
  } else if (auto* record_pattern = std::get_if<syntax::RecordPattern>(&pattern.node)) {
    const auto* known = as<RecordType>(value);
    std::vector<Field> fields;
    for (const syntax::FieldPattern& field : record_pattern->fields) {
      if (find_field(fields, field.name)) {
        diagnostics().error("duplicate-field", field.name_span,
                            "Duplicate fields in record pattern: \"" + std::string(field.name) +
                                "\" is listed twice");
        annotations_.put(pattern.type, error_);
        return error_;
      }
      if (!field.pattern && !field.name.empty() && field.name[0] == '_')
        diagnostics().error("underscore-field", field.name_span,
                            "underscore-prefixed fields are not allowed; did you mean \"" +
                                std::string(field.name.substr(1)) + "=_\"?");
      const Type* part = known ? find_field(known->fields, field.name) : nullptr;
      fields.push_back({field.name, part ? part : unifier_.new_meta(field.name_span)});
    }
    const Type* whole = record(arena(), fields);
    unifier_.unify(whole, value, reason);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      syntax::FieldPattern& field = record_pattern->fields[i];
      if (field.pattern) {
        Reason inner = reason;
        inner.span = field.pattern->span;
        fields[i].type = check_pattern(*field.pattern, fields[i].type, inner, mode, made);
      } else {
        const Type* outer = std::exchange(value, fields[i].type);
        bind_name(field.name, field.name_span, field.variable);
        value = outer;
      }
    }
    type = record(arena(), fields);
  } else if (auto* constructor = std::get_if<syntax::ConstructorPattern>(&pattern.node)) {
    const auto* known = as<SumType>(value);
    const Constructor* found =
        known ? find_constructor(known->constructors, constructor->name) : nullptr;
    std::vector<const Type*> payload;
    if (found && found->payload.size() == constructor->arguments.size()) {
      payload = found->payload;
    } else {
      for (const syntax::Pattern* argument : constructor->arguments)
        payload.push_back(unifier_.new_meta(argument->span));
      unifier_.unify(unifier_.new_sum(pattern.span, constructor->name, payload), value, reason);
    }
    for (std::size_t i = 0; i < payload.size(); ++i) {
      Reason inner = reason;
      inner.span = constructor->arguments[i]->span;
      check_pattern(*constructor->arguments[i], payload[i], inner, mode, made);
    }
    type = value;
  } else if (auto* ascribed = std::get_if<syntax::AscribePattern>(&pattern.node)) {
    type = check_type(*ascribed->type, mode, made);
    Reason why = reason;
    why.origin = ascribed->type->span;
    why.origin_text = "the pattern has this type";
    unifier_.unify(type, value, why);
    const Type* inner =
        check_pattern(*ascribed->pattern, strip_unique(arena(), type), why, mode, made);
    // An inner ascription may name sizes that the outer one leaves out.
    if (has_ascription(*ascribed->pattern)) type = named_sizes(arena(), type, inner);
  } else if (auto* parenthesised = std::get_if<syntax::ParenthesizedPattern>(&pattern.node)) {
    type = check_pattern(*parenthesised->inner, value, reason, mode, made);
  } else {
    auto& attributed = std::get<syntax::AttributedPattern>(pattern.node);
    type = check_pattern(*attributed.pattern, value, reason, mode, made);
  }
  annotations_.put(pattern.type, type);
  return type;
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
