// What is left on the tree: types with their sizes as they were found.
#include "lang/check/sizes/size_checker.h"

#include <algorithm>

namespace sinter::check {

using namespace types;

/// Puts solutions in the place of sizes, and expressions that can be evaluated in that of terms.
class SizeChecker::Annotator : public Rewriter {
public:
  explicit Annotator(SizeChecker& checker) : Rewriter(checker.arena()), checker_(checker) {}

  const Type* annotation(const Type* type) {
    refuel();
    return this->type(type);
  }

protected:
  const Size* on_variable(const Size* size, const Variable* v) override {
    if (checker_.shown_names_.contains(v)) return size;
    if (auto name = checker_.shown_as_.find(v); name != checker_.shown_as_.end())
      return variable(arena_, name->second);
    const SizeConstraint* c = checker_.sizes_.find(v);
    if (c && c->kind == SizeConstraint::Kind::Copy && !c->solution)
      c = checker_.sizes_.find(c->canonical);
    return c && c->solution ? this->size(c->solution) : size;
  }

  const Size* on_term(const Size* size) override {
    const auto& term = std::get<TermSize>(size->node);
    const Size* written = term.expression ? structural_size(arena_, *term.expression) : nullptr;
    ExpressionSize result{term.expression, {}};
    if (!written || !pair_names(written, size, result)) return anonymous(arena_);
    return arena_.make<Size>(std::move(result));
  }

private:
  /// What the names in an expression stand for stands at their places in the term.
  bool pair_names(const Size* written, const Size* size, ExpressionSize& result) {
    if (const Variable* v = as_variable(written)) {
      const bool is_built_in =
          v->kind == Variable::Kind::Intrinsic || v->kind == Variable::Kind::Overloaded;
      const bool is_known = std::any_of(result.substitution.begin(), result.substitution.end(),
                                        [&](const auto& pair) { return pair.first == v; });
      if (!is_built_in && !is_known) result.substitution.emplace_back(v, this->size(size));
      return true;
    }
    auto parts = similar_sizes(written, size);
    return parts && std::all_of(parts->begin(), parts->end(), [&](const auto& pair) {
             return pair_names(pair.first, pair.second, result);
           });
  }

  SizeChecker& checker_;
};

/// Fills the annotations when all sizes are known.
void SizeChecker::annotate() {
  Annotator annotator(*this);
  for (auto& [slot, type] : annotations_)
    *slot = annotator.annotation(type);
  for (auto& [key, node] : nodes_) {
    if (!node.expression) continue;
    syntax::Expr& expression = *node.expression;
    expression.type = annotator.annotation(node.type);
    expression.makes_sizes = false; // of an earlier attempt
    const Variables made = sizes_made_by(node);
    if (made.empty()) continue;
    for_each_variable(expression.type, [&](const Variable* v) {
      if (std::find(made.begin(), made.end(), v) != made.end()) expression.makes_sizes = true;
    });
  }
}

/// The sizes that come into being when an expression is evaluated.
SizeChecker::Variables SizeChecker::sizes_made_by(const Node& node) const {
  Variables made = node.made;
  auto add_argument = [&](const syntax::Expr* argument) {
    auto found = nodes_.find(argument);
    if (found != nodes_.end() && found->second.argument_size)
      made.push_back(found->second.argument_size);
  };
  const syntax::ExprNode& form = node.expression->node;
  if (const auto* a = std::get_if<syntax::ApplyExpr>(&form)) {
    for (const syntax::Expr* argument : a->arguments)
      add_argument(argument);
  } else if (const auto* b = std::get_if<syntax::BinaryExpr>(&form)) {
    add_argument(b->left);
    add_argument(b->right);
  } else if (const auto* v = std::get_if<syntax::VariableExpr>(&form)) {
    // A constant's own unknown sizes are known once it is.
    for (const Variable* size : v->variable->scheme.size_parameters)
      if (size->kind == Variable::Kind::UnknownSize) made.push_back(size);
  }
  return made;
}

} // namespace sinter::check
