// Replacing type names and sizes by what they stand for.
//
// A replaced name may stand for a type with existential sizes (`type~ t = []i32`).  Each of its
// occurrences gets sizes of its own: in a function's result they become existentials of the
// function, in a parameter size parameters of the scheme, in a constant's type existentials of the
// constant.
#include "lang/check/types/substitute.h"
#include "lang/types/rewrite.h"

#include <algorithm>

namespace sinter::check {
namespace {

using namespace types;

class Substituter : public Rewriter {
public:
  Substituter(Context& context, const Substitution& substitution)
      : Rewriter(context.types), context_(context), substitution_(substitution) {}

  /// Sizes made for occurrences outside of function results.
  std::vector<Variable*> new_sizes;

protected:
  const Type* on_named(const Type* type, const TypeName* name, std::vector<TypeArgument> arguments,
                       bool changed) override {
    auto found = substitution_.types.find(name);
    if (found == substitution_.types.end())
      return Rewriter::on_named(type, name, std::move(arguments), changed);
    const TypeBinding& binding = found->second;
    const std::size_t made_before = new_sizes.size();
    const Type* result = expand(context_, binding, arguments, new_sizes);
    if (new_sizes.size() != made_before) ++unshared_; // sizes of this occurrence's own
    return result;
  }

  const Type* on_function(const Type* type, const FunctionType& f) override {
    const Type* parameter = this->type(f.parameter);
    std::vector<Variable*> outer = std::move(new_sizes);
    new_sizes.clear();
    const Type* result = this->type(f.result);
    std::vector<const Variable*> existentials = f.existentials;
    if (as<FunctionType>(f.result))
      outer.insert(outer.end(), new_sizes.begin(), new_sizes.end());
    else
      existentials.insert(existentials.end(), new_sizes.begin(), new_sizes.end());
    new_sizes = std::move(outer);
    if (parameter == f.parameter && result == f.result) return type;
    return function(arena_, parameter, result, f.parameter_variable, std::move(existentials));
  }

  const Size* on_variable(const Size* size, const Variable* variable) override {
    if (auto found = substitution_.sizes.find(variable); found != substitution_.sizes.end())
      return found->second;
    if (auto found = substitution_.members.find(variable); found != substitution_.members.end())
      return types::variable(arena_, found->second);
    if (substitution_.other_member && variable->kind == Variable::Kind::Global)
      if (const Variable* other = substitution_.other_member(*variable))
        return types::variable(arena_, other);
    return size;
  }

private:
  Context& context_;
  const Substitution& substitution_;
};

} // namespace

const Type* expand(Context& context, const TypeBinding& binding,
                   const std::vector<TypeArgument>& arguments, std::vector<Variable*>& made) {
  Substitution substitution;
  std::size_t count = std::min(arguments.size(), binding.parameters.size());
  for (std::size_t i = 0; i < count; ++i) {
    const syntax::TypeParameter& parameter = binding.parameters[i];
    if (parameter.size && arguments[i].size)
      substitution.sizes.emplace(parameter.size, arguments[i].size);
    else if (parameter.type_name && arguments[i].type)
      substitution.types.emplace(
          parameter.type_name,
          TypeBinding{parameter.type_name->lifting, {}, arguments[i].type, {}});
  }
  for (const Variable* variable : free_unknown_sizes(binding.body)) {
    if (variable->level != Variable::out_of_scope) continue;
    Variable* copy = context.types.make<Variable>(*variable);
    made.push_back(copy);
    substitution.sizes.emplace(variable, types::variable(context.types, copy));
  }
  if (substitution.sizes.empty() && substitution.types.empty()) return binding.body;
  Substituter substituter(context, substitution);
  const Type* result = substituter.type(binding.body);
  made.insert(made.end(), substituter.new_sizes.begin(), substituter.new_sizes.end());
  return result;
}

const Type* substitute(Context& context, const Type* type, const Substitution& substitution) {
  return Substituter(context, substitution).type(type);
}

Scheme substitute(Context& context, const Scheme& scheme, const Substitution& substitution) {
  Substituter substituter(context, substitution);
  Scheme result = scheme;
  result.type = substituter.type(scheme.type);
  bool is_function = as<FunctionType>(result.type) != nullptr;
  for (Variable* size : substituter.new_sizes) {
    if (is_function) size->kind = Variable::Kind::SizeParameter;
    result.size_parameters.push_back(size);
  }
  return result;
}

} // namespace sinter::check
