// Sizes: which expressions can be one, and what becomes of a size when a name leaves its scope.
#include "lang/check/types/inference.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

namespace {

std::optional<SizeOperator> size_operator(std::string_view symbol) {
  if (symbol == "+") return SizeOperator::Add;
  if (symbol == "-") return SizeOperator::Subtract;
  if (symbol == "*") return SizeOperator::Multiply;
  if (symbol == "/") return SizeOperator::Divide;
  if (symbol == "%") return SizeOperator::Remainder;
  return std::nullopt;
}

/// Collects the variables of an expression that has no binders and evaluates cheaply (null for one
/// that is not known); false where it is not of that kind and hence no size.
bool collect_variables(const syntax::Expr& expression, std::vector<const Variable*>& found) {
  auto all = [&](const std::vector<syntax::Expr*>& list) {
    return std::all_of(list.begin(), list.end(),
                       [&](const syntax::Expr* e) { return collect_variables(*e, found); });
  };
  const syntax::ExprNode& node = expression.node;
  if (const auto* v = std::get_if<syntax::VariableExpr>(&node)) {
    found.push_back(v->variable);
    return v->variable != nullptr;
  }
  if (std::holds_alternative<syntax::IntegerLiteral>(node) ||
      std::holds_alternative<syntax::BoolLiteral>(node) ||
      std::holds_alternative<syntax::FloatLiteral>(node))
    return true;
  if (const auto* p = std::get_if<syntax::Parenthesized>(&node))
    return collect_variables(*p->inner, found);
  if (const auto* a = std::get_if<syntax::ApplyExpr>(&node))
    return collect_variables(*a->function, found) && all(a->arguments);
  if (const auto* b = std::get_if<syntax::BinaryExpr>(&node)) {
    if (b->variable) found.push_back(b->variable);
    return collect_variables(*b->left, found) && collect_variables(*b->right, found);
  }
  if (const auto* u = std::get_if<syntax::UnaryExpr>(&node))
    return collect_variables(*u->operand, found);
  if (const auto* t = std::get_if<syntax::TupleExpr>(&node)) return all(t->elements);
  if (const auto* p = std::get_if<syntax::ProjectExpr>(&node))
    return collect_variables(*p->record, found);
  if (const auto* i = std::get_if<syntax::IndexExpr>(&node)) {
    for (const syntax::IndexPart& part : i->indices)
      if (part.is_slice() || !collect_variables(*part.index, found)) return false;
    return collect_variables(*i->array, found);
  }
  if (const auto* a = std::get_if<syntax::AttributedExpr>(&node))
    return collect_variables(*a->body, found);
  return false;
}

/// Replaces size variables through a function.
class VariableReplacer : public Rewriter {
public:
  VariableReplacer(TypeArena& arena, std::function<const Size*(const Size*, const Variable*)> f)
      : Rewriter(arena), replace_(std::move(f)) {}
  std::function<const Size*(const Size*)> on_meta_found;

protected:
  const Size* on_variable(const Size* size, const Variable* variable) override {
    return replace_(size, variable);
  }
  const Size* on_meta_size(const Size* size) override {
    return on_meta_found ? on_meta_found(size) : size;
  }
  const Type* on_function(const Type* type, const FunctionType& f) override {
    // Names that the type binds itself are at home in it.
    std::size_t count = bound_.size();
    if (f.parameter_variable) bound_.push_back(f.parameter_variable);
    bound_.insert(bound_.end(), f.existentials.begin(), f.existentials.end());
    const Type* result = Rewriter::on_function(type, f);
    bound_.resize(count);
    return result;
  }

  bool is_bound(const Variable* variable) {
    bool is_bound = std::find(bound_.begin(), bound_.end(), variable) != bound_.end();
    if (is_bound) ++unshared_;
    return is_bound;
  }
  std::function<const Size*(const Size*, const Variable*)> replace_;
  std::vector<const Variable*> bound_;

  friend class sinter::check::Inference;
};

} // namespace

bool mentions_error(const syntax::Expr& expression) {
  if (as<ErrorType>(expression.type)) return true;
  std::vector<const Variable*> found;
  collect_variables(expression, found);
  return std::any_of(found.begin(), found.end(), [](const Variable* v) {
    return !v || (v->scheme.type && as<ErrorType>(v->scheme.type));
  });
}

const Size* Inference::size_of(const syntax::Expr& expression) {
  const syntax::ExprNode& node = expression.node;
  if (const auto* literal = std::get_if<syntax::IntegerLiteral>(&node))
    return constant(arena(), static_cast<std::int64_t>(literal->value));
  if (const auto* p = std::get_if<syntax::Parenthesized>(&node)) return size_of(*p->inner);
  if (const auto* a = std::get_if<syntax::AscribeExpr>(&node)) return size_of(*a->value);
  if (const auto* a = std::get_if<syntax::AttributedExpr>(&node)) return size_of(*a->body);
  if (const auto* v = std::get_if<syntax::VariableExpr>(&node); v && v->field_count == 0)
    return v->variable ? variable(arena(), v->variable) : nullptr;
  if (const auto* b = std::get_if<syntax::BinaryExpr>(&node);
      b && b->variable && b->variable->kind == Variable::Kind::Overloaded) {
    if (auto op = size_operator(b->op.name)) {
      const Size* left = size_of(*b->left);
      const Size* right = size_of(*b->right);
      if (left && right) return arena().make<Size>(OperationSize{*op, left, right});
    }
  }
  std::vector<const Variable*> variables;
  if (!collect_variables(expression, variables)) return nullptr;
  ExpressionSize size{&expression, {}};
  for (const Variable* v : variables) {
    if (v->kind == Variable::Kind::Intrinsic || v->kind == Variable::Kind::Overloaded) continue;
    bool seen = std::any_of(size.substitution.begin(), size.substitution.end(),
                            [&](const auto& pair) { return pair.first == v; });
    if (!seen) size.substitution.emplace_back(v, variable(arena(), v));
  }
  return arena().make<Size>(std::move(size));
}

const Type* Inference::leave_scope(const Type* type) {
  std::unordered_map<const Variable*, const Size*> replaced;
  std::function<const Size*(const Size*, const Variable*)> leave;
  VariableReplacer* self = nullptr;
  leave = [&](const Size* size, const Variable* variable) -> const Size* {
    if (variable->level <= level_ || self->is_bound(variable)) return size;
    if (auto known = known_sizes_.find(variable); known != known_sizes_.end())
      return self->size(known->second);
    auto [place, is_new] = replaced.emplace(variable, nullptr);
    if (is_new) place->second = new_unknown_size();
    return place->second;
  };
  VariableReplacer replacer(arena(), leave);
  self = &replacer;
  replacer.on_meta_found = [&](const Size* size) {
    auto& meta = std::get<MetaSize>(const_cast<Size*>(size)->node);
    if (!meta.frozen) meta.level = std::min(meta.level, level_);
    return size;
  };
  return replacer.type(type);
}

const Type* Inference::close_result(const Type* type, std::uint32_t level,
                                    const std::vector<const Variable*>& names,
                                    std::vector<const Variable*>& existentials) {
  std::unordered_map<const Variable*, const Size*> replaced;
  std::function<const Size*(const Size*, const Variable*)> close;
  VariableReplacer* self = nullptr;
  close = [&](const Size* size, const Variable* variable) -> const Size* {
    if (variable->level < level || self->is_bound(variable)) return size;
    if (variable->level == level && variable->kind == Variable::Kind::SizeParameter) return size;
    if (std::find(names.begin(), names.end(), variable) != names.end()) return size;
    if (std::find(existentials.begin(), existentials.end(), variable) != existentials.end())
      return size;
    if (auto known = known_sizes_.find(variable); known != known_sizes_.end())
      return self->size(known->second);
    auto [place, is_new] = replaced.emplace(variable, nullptr);
    if (is_new) {
      Variable* existential = arena().make<Variable>(Variable::Kind::UnknownSize);
      existential->scheme.type = primitive(ElementType::I64);
      existential->span = variable->span;
      existential->level = Variable::out_of_scope;
      existentials.push_back(existential);
      place->second = types::variable(arena(), existential);
    }
    return place->second;
  };
  VariableReplacer replacer(arena(), close);
  self = &replacer;
  return replacer.type(type);
}

namespace {

class LevelLowerer : public Rewriter {
public:
  LevelLowerer(TypeArena& arena, std::uint32_t level) : Rewriter(arena), level_(level) {}

protected:
  const Type* on_meta(const Type* type) override {
    auto& meta = std::get<MetaType>(const_cast<Type*>(type)->node);
    meta.level = std::min(meta.level, level_);
    for (const Field& field : meta.fields)
      this->type(field.type);
    for (const Constructor& constructor : meta.constructors)
      for (const Type* payload : constructor.payload)
        this->type(payload);
    return type;
  }
  const Size* on_meta_size(const Size* size) override {
    auto& meta = std::get<MetaSize>(const_cast<Size*>(size)->node);
    if (!meta.frozen) meta.level = std::min(meta.level, level_);
    return size;
  }

private:
  std::uint32_t level_;
};

/// Solves open sizes as new size parameters, in parameters of functions only.
class SizeGeneraliser : public Rewriter {
public:
  SizeGeneraliser(TypeArena& arena, std::uint32_t level, const Type* i64,
                  std::vector<const Variable*>& parameters)
      : Rewriter(arena), level_(level), i64_(i64), parameters_(parameters) {}

protected:
  const Size* on_meta_size(const Size* size) override {
    auto& meta = std::get<MetaSize>(const_cast<Size*>(size)->node);
    if (meta.frozen || meta.level <= level_) return size;
    Variable* parameter = arena_.make<Variable>(Variable::Kind::SizeParameter);
    parameter->scheme.type = i64_;
    parameter->level = Variable::out_of_scope;
    parameters_.push_back(parameter);
    return meta.link = variable(arena_, parameter);
  }

private:
  std::uint32_t level_;
  const Type* i64_;
  std::vector<const Variable*>& parameters_;
};

} // namespace

void Inference::lower_levels(const Type* type) {
  LevelLowerer(arena(), level_).type(type);
}

void Inference::generalise_sizes(const Type* type, std::vector<const Variable*>& parameters) {
  SizeGeneraliser generaliser(arena(), level_, primitive(ElementType::I64), parameters);
  while (const auto* f = as<FunctionType>(type)) {
    generaliser.type(f->parameter);
    type = f->result;
  }
}

const Type* Inference::replace(const Type* type, const Variable* variable, const Size* size) {
  const Size* unknown = nullptr;
  VariableReplacer replacer(arena(), [&](const Size* old, const Variable* v) -> const Size* {
    if (v != variable) return old;
    if (size) return size;
    if (!unknown) unknown = new_unknown_size();
    return unknown;
  });
  return replacer.type(type);
}

void Inference::relate_sizes(const Type* pattern, const Type* value) {
  VisitedPairs visited;
  relate_sizes(pattern, value, visited);
}

void Inference::relate_sizes(const Type* pattern, const Type* value, VisitedPairs& visited) {
  pattern = resolve(pattern);
  value = resolve(value);
  while (const auto* u = std::get_if<UniqueType>(&pattern->node))
    pattern = resolve(u->inner);
  while (const auto* u = std::get_if<UniqueType>(&value->node))
    value = resolve(u->inner);
  if (!visited.is_new(pattern, value)) return;
  if (const auto* a = std::get_if<ArrayType>(&pattern->node)) {
    const auto* b = std::get_if<ArrayType>(&value->node);
    if (!b) return;
    const Size* own = resolve(a->size);
    const Size* other = resolve(b->size);
    if (const auto* v = std::get_if<VariableSize>(&own->node);
        v && own != other && v->variable->level == level_)
      known_sizes_.emplace(v->variable, other);
    relate_sizes(a->element, b->element, visited);
  } else if (const auto* r = std::get_if<RecordType>(&pattern->node)) {
    const auto* s = std::get_if<RecordType>(&value->node);
    if (!s || s->fields.size() != r->fields.size()) return;
    for (std::size_t i = 0; i < r->fields.size(); ++i)
      relate_sizes(r->fields[i].type, s->fields[i].type, visited);
  }
}

} // namespace sinter::check
