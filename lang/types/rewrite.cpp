#include "lang/types/rewrite.h"

#include "lang/base/stack_guard.h"

#include <algorithm>

namespace sinter::types {

void require_stack() {
  if (stack_is_low()) throw TooLarge{TooLarge::What::Types};
}

bool has_parts(const Type* type) {
  if (const auto* r = std::get_if<RecordType>(&type->node)) return !r->fields.empty();
  if (const auto* n = std::get_if<NamedType>(&type->node)) return !n->arguments.empty();
  if (const auto* m = std::get_if<MetaType>(&type->node))
    return !m->fields.empty() || !m->constructors.empty();
  return std::holds_alternative<SumType>(type->node) ||
         std::holds_alternative<FunctionType>(type->node);
}

std::size_t WrittenSize::operator()(const Type* type) {
  require_stack();
  type = resolve(type);
  if (!type) return 0;
  if (const auto* a = std::get_if<ArrayType>(&type->node))
    return std::min(limit, (*this)(a->element) + 1);
  if (const auto* u = std::get_if<UniqueType>(&type->node)) return (*this)(u->inner);
  if (!has_parts(type) || std::holds_alternative<MetaType>(type->node)) return 1;
  if (auto known = known_.find(type); known != known_.end()) return known->second;
  std::size_t size = 1;
  auto add = [&](const Type* part) { size = std::min(limit, size + (*this)(part)); };
  if (const auto* r = std::get_if<RecordType>(&type->node)) {
    for (const Field& field : r->fields)
      add(field.type);
  } else if (const auto* s = std::get_if<SumType>(&type->node)) {
    for (const Constructor& constructor : s->constructors)
      for (const Type* payload : constructor.payload)
        add(payload);
  } else if (const auto* f = std::get_if<FunctionType>(&type->node)) {
    add(f->parameter);
    add(f->result);
  } else if (const auto* n = std::get_if<NamedType>(&type->node)) {
    for (const TypeArgument& argument : n->arguments)
      add(argument.type);
  }
  return known_[type] = size;
}

const Type* Rewriter::type(const Type* type) {
  require_stack();
  type = resolve(type);
  if (!shares_ || !has_parts(type)) return rebuilt(type);
  const std::pair key(type, context_);
  if (auto known = done_.find(key); known != done_.end()) return known->second;
  const std::size_t unshared = unshared_;
  const Type* result = rebuilt(type);
  if (unshared_ == unshared) done_.emplace(key, result);
  return result;
}

const Type* Rewriter::rebuilt(const Type* type) {
  if (const auto* array_type = std::get_if<ArrayType>(&type->node)) {
    const Size* new_size = size(array_type->size);
    const Type* element = this->type(array_type->element);
    if (new_size == array_type->size && element == array_type->element) return type;
    return array(arena_, new_size, element);
  }
  const auto part = [&](const Type* inner) { return this->type(inner); };
  if (const auto* r = std::get_if<RecordType>(&type->node))
    return with_parts(arena_, type, *r, part);
  if (const auto* s = std::get_if<SumType>(&type->node)) return with_parts(arena_, type, *s, part);
  if (const auto* f = std::get_if<FunctionType>(&type->node)) return on_function(type, *f);
  if (const auto* u = std::get_if<UniqueType>(&type->node)) return on_unique(type, *u);
  if (const auto* n = std::get_if<NamedType>(&type->node)) {
    std::vector<TypeArgument> arguments;
    bool changed = false;
    for (const TypeArgument& argument : n->arguments) {
      if (argument.type)
        arguments.push_back({this->type(argument.type), nullptr});
      else
        arguments.push_back({nullptr, size(argument.size)});
      changed = changed || arguments.back().type != argument.type ||
                arguments.back().size != argument.size;
    }
    return on_named(type, n->name, std::move(arguments), changed);
  }
  if (std::holds_alternative<MetaType>(type->node)) return on_meta(type);
  return type;
}

const Type* Rewriter::on_named(const Type* type, const TypeName* name,
                               std::vector<TypeArgument> arguments, bool changed) {
  return changed ? named(arena_, name, std::move(arguments)) : type;
}

const Type* Rewriter::on_function(const Type* type, const FunctionType& f) {
  const Type* parameter = this->type(f.parameter);
  const Type* result = this->type(f.result);
  if (parameter == f.parameter && result == f.result) return type;
  return function(arena_, parameter, result, f.parameter_variable, f.existentials);
}

const Type* Rewriter::on_unique(const Type* type, const UniqueType& u) {
  const Type* inner = this->type(u.inner);
  return inner == u.inner ? type : unique(arena_, inner);
}

const Size* Rewriter::size(const Size* size) {
  if (!size) return size;
  if (fuel_-- == 0) throw TooLarge{TooLarge::What::Sizes};
  if (const auto* v = std::get_if<VariableSize>(&size->node)) return on_variable(size, v->variable);
  if (const auto* o = std::get_if<OperationSize>(&size->node)) {
    const Size* left = this->size(o->left);
    const Size* right = this->size(o->right);
    if (left == o->left && right == o->right) return size;
    return arena_.make<Size>(OperationSize{o->op, left, right});
  }
  if (const auto* e = std::get_if<ExpressionSize>(&size->node)) {
    std::vector<std::pair<const Variable*, const Size*>> substitution;
    bool changed = false;
    for (const auto& [variable, stands_for] : e->substitution) {
      substitution.emplace_back(variable, this->size(stands_for));
      changed = changed || substitution.back().second != stands_for;
    }
    if (changed) size = arena_.make<Size>(ExpressionSize{e->expression, std::move(substitution)});
    return on_expression(size);
  }
  if (const auto* t = std::get_if<TermSize>(&size->node)) {
    if (const Size* replaced = on_term(size)) return replaced;
    std::vector<const Size*> arguments;
    bool changed = false;
    for (const Size* argument : t->arguments) {
      arguments.push_back(this->size(argument));
      changed = changed || arguments.back() != argument;
    }
    if (!changed) return size;
    return arena_.make<Size>(TermSize{t->kind, t->head, std::move(arguments), t->expression});
  }
  return size;
}

namespace {

/// Nodes seen, each with the last of the sizes that are bound around it.
using Seen = std::set<std::pair<const Type*, const Variable*>>;

void collect_unknown(const Type* type, std::vector<const Variable*>& bound,
                     std::vector<const Variable*>& found, Seen& seen) {
  require_stack();
  type = resolve(type);
  if (has_parts(type) && !seen.emplace(type, bound.empty() ? nullptr : bound.back()).second) return;
  auto note = [&](const Variable* variable) {
    if (variable->kind != Variable::Kind::UnknownSize) return;
    if (std::find(bound.begin(), bound.end(), variable) != bound.end()) return;
    if (std::find(found.begin(), found.end(), variable) == found.end()) found.push_back(variable);
  };
  if (const auto* a = std::get_if<ArrayType>(&type->node)) {
    for_each_variable(a->size, note);
    collect_unknown(a->element, bound, found, seen);
  } else if (const auto* r = std::get_if<RecordType>(&type->node)) {
    for (const Field& field : r->fields)
      collect_unknown(field.type, bound, found, seen);
  } else if (const auto* s = std::get_if<SumType>(&type->node)) {
    for (const Constructor& constructor : s->constructors)
      for (const Type* payload : constructor.payload)
        collect_unknown(payload, bound, found, seen);
  } else if (const auto* f = std::get_if<FunctionType>(&type->node)) {
    collect_unknown(f->parameter, bound, found, seen);
    bound.insert(bound.end(), f->existentials.begin(), f->existentials.end());
    collect_unknown(f->result, bound, found, seen);
    bound.resize(bound.size() - f->existentials.size());
  } else if (const auto* u = std::get_if<UniqueType>(&type->node)) {
    collect_unknown(u->inner, bound, found, seen);
  } else if (const auto* n = std::get_if<NamedType>(&type->node)) {
    for (const TypeArgument& argument : n->arguments) {
      if (argument.type)
        collect_unknown(argument.type, bound, found, seen);
      else
        for_each_variable(argument.size, note);
    }
  }
}

class UniqueStripper : public Rewriter {
public:
  using Rewriter::Rewriter;

protected:
  const Type* on_unique(const Type*, const UniqueType& u) override { return type(u.inner); }
  const Type* on_function(const Type* type, const FunctionType&) override { return type; }
};

} // namespace

std::vector<const Variable*> free_unknown_sizes(const Type* type) {
  std::vector<const Variable*> bound, found;
  Seen seen;
  collect_unknown(type, bound, found, seen);
  return found;
}

const Type* strip_unique(TypeArena& arena, const Type* type) {
  return UniqueStripper(arena).type(type);
}

} // namespace sinter::types
