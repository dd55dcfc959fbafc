// Whether each size is known when a value is made that needs it.
#include "lang/check/sizes/size_checker.h"

#include <algorithm>
#include <concepts>
#include <variant>

namespace sinter::check {

using namespace types;

/// Walks in order of evaluation (arguments last to first) and collects the sizes that have come
/// into being.
class SizeChecker::Causality {
public:
  using Known = std::set<const Variable*>;
  explicit Causality(SizeChecker& checker) : checker_(checker) {}

  /// Gives the sizes that evaluating the expression makes.
  Known walk(const Known& known, const syntax::Expr& expression) {
    return std::visit([&](const auto& node) { return visit(known, expression, node); },
                      expression.node);
  }

private:
  void require(const Known& known, const Type* type, Span span, const std::string& what) {
    if (!type) return;
    type = checker_.scopes_.settle(type);
    for (const Variable* v : free_variables(type)) {
      if (known.contains(v) || !checker_.sizes_.is_unknown(v)) continue;
      std::vector<Note> notes = checker_.sizes_.notes(variable(checker_.arena(), v));
      std::string name = checker_.sizes_.show(v);
      if (notes.empty())
        if (const SizeConstraint* c = checker_.sizes_.find(v))
          notes.push_back({c->span, "\"" + name + "\" is computed here"});
      checker_.fail(
          "causality-check", span,
          "Causality check: size \"" + name + "\" needed for type of " + what + ": \"" +
              checker_.sizes_.show(type) + "\", but \"" + name + "\" is computed elsewhere",
          std::move(notes), "bind the expression producing \"" + name + "\" with `let` beforehand");
    }
  }
  const Type* type_of(const syntax::Expr& expression) {
    auto found = checker_.nodes_.find(&expression);
    return found == checker_.nodes_.end() ? nullptr : found->second.type;
  }
  Known with(const Known& a, const Known& b) {
    Known all = a;
    all.insert(b.begin(), b.end());
    return all;
  }
  void add_made(Known& made, const syntax::Expr& expression) {
    auto found = checker_.nodes_.find(&expression);
    if (found == checker_.nodes_.end()) return;
    made.insert(found->second.made.begin(), found->second.made.end());
  }
  void add_argument(Known& made, const syntax::Expr& argument) {
    auto found = checker_.nodes_.find(&argument);
    if (found != checker_.nodes_.end() && found->second.argument_size)
      made.insert(found->second.argument_size);
  }
  /// One after the other.
  Known sequence(const Known& known, std::initializer_list<const syntax::Expr*> list) {
    Known made;
    for (const syntax::Expr* e : list)
      if (e) made = with(made, walk(with(known, made), *e));
    return made;
  }
  /// None knows what another makes.
  template <typename List>
  Known each(const Known& known, const List& list) {
    Known made;
    for (const syntax::Expr* e : list)
      if (e) made = with(made, walk(known, *e));
    return made;
  }
  Known parts(const Known& known, const std::vector<syntax::IndexPart>& indices) {
    Known made;
    for (const syntax::IndexPart& part : indices)
      made = with(made, each(known, std::initializer_list<const syntax::Expr*>{
                                        part.index, part.begin, part.end, part.stride}));
    return made;
  }
  Known steps(const Known& known, const std::vector<syntax::PathStep>& path) {
    Known made;
    for (const syntax::PathStep& step : path)
      made = with(made, parts(known, step.indices));
    return made;
  }

  using Leaf = std::variant<syntax::IntegerLiteral, syntax::FloatLiteral, syntax::BoolLiteral,
                            syntax::CharLiteral, syntax::StringLiteral, syntax::ErrorExpr>;
  template <std::convertible_to<Leaf> Node>
  Known visit(const Known&, const syntax::Expr&, const Node&) {
    return {};
  }
  Known visit(const Known& known, const syntax::Expr& e, const syntax::Hole&) {
    require(known, type_of(e), e.span, "hole");
    return {};
  }
  Known visit(const Known& known, const syntax::Expr& e, const syntax::VariableExpr&) {
    require(known, type_of(e), e.span, "\"" + checker_.text(e.span) + "\"");
    return {};
  }
  Known visit(const Known& known, const syntax::Expr&, const syntax::Parenthesized& node) {
    return walk(known, *node.inner);
  }
  Known visit(const Known& known, const syntax::Expr&, const syntax::LocalOpen& node) {
    return walk(known, *node.body);
  }
  Known visit(const Known& known, const syntax::Expr&, const syntax::TupleExpr& node) {
    return each(known, node.elements);
  }
  Known visit(const Known& known, const syntax::Expr&, const syntax::RecordExpr& node) {
    Known made;
    for (const syntax::FieldExpr& field : node.fields)
      if (field.value) made = with(made, walk(known, *field.value));
    return made;
  }
  Known visit(const Known& known, const syntax::Expr& e, const syntax::ArrayExpr& node) {
    if (node.elements.empty()) require(known, type_of(e), e.span, "empty array");
    return each(known, node.elements);
  }
  Known visit(const Known& known, const syntax::Expr&, const syntax::ProjectExpr& node) {
    return walk(known, *node.record);
  }
  Known visit(const Known& known, const syntax::Expr& e, const syntax::IndexExpr& node) {
    Known made = with(walk(known, *node.array), parts(known, node.indices));
    add_made(made, e);
    return made;
  }
  Known visit(const Known& known, const syntax::Expr& e, const syntax::LeftSection& node) {
    require(known, type_of(e), e.span, "operator section");
    Known made = walk(known, *node.left);
    add_made(made, e);
    return made;
  }
  Known visit(const Known& known, const syntax::Expr& e, const syntax::RightSection& node) {
    require(known, type_of(e), e.span, "operator section");
    Known made = walk(known, *node.right);
    add_made(made, e);
    return made;
  }
  Known visit(const Known& known, const syntax::Expr& e, const syntax::PathSection&) {
    require(known, type_of(e), e.span, "projection section");
    return {};
  }
  Known visit(const Known& known, const syntax::Expr& e, const syntax::ApplyExpr& node) {
    Known made;
    for (std::size_t i = node.arguments.size(); i-- > 0;) {
      made = with(made, walk(with(known, made), *node.arguments[i]));
      add_argument(made, *node.arguments[i]);
    }
    made = with(made, walk(with(known, made), *node.function));
    add_made(made, e);
    return made;
  }
  Known visit(const Known& known, const syntax::Expr& e, const syntax::BinaryExpr& node) {
    Known made = sequence(known, {node.left, node.right});
    add_argument(made, *node.left);
    add_argument(made, *node.right);
    add_made(made, e);
    return made;
  }
  Known visit(const Known& known, const syntax::Expr&, const syntax::UnaryExpr& node) {
    return walk(known, *node.operand);
  }
  Known visit(const Known& known, const syntax::Expr& e, const syntax::ConstructorExpr& node) {
    Known made;
    for (const syntax::Expr* argument : node.arguments)
      made = with(made, walk(with(known, made), *argument));
    require(with(known, made), type_of(e), e.span, "\"#" + std::string(node.name) + "\"");
    return made;
  }
  Known visit(const Known& known, const syntax::Expr&, const syntax::AscribeExpr& node) {
    return walk(known, *node.value);
  }
  Known visit(const Known& known, const syntax::Expr&, const syntax::CoerceExpr& node) {
    return walk(known, *node.value);
  }
  Known visit(const Known& known, const syntax::Expr& e, const syntax::RangeExpr& node) {
    Known made =
        each(known, std::initializer_list<const syntax::Expr*>{node.first, node.second, node.end});
    add_made(made, e);
    return made;
  }
  Known visit(const Known& known, const syntax::Expr& e, const syntax::IfExpr& node) {
    Known made = each(known, std::initializer_list<const syntax::Expr*>{
                                 node.condition, node.then_branch, node.else_branch});
    add_made(made, e);
    return made;
  }
  Known visit(const Known& known, const syntax::Expr& e, const syntax::LetPatternExpr& node) {
    Known made = sequence(known, {node.value, node.body});
    add_made(made, e);
    return made;
  }
  Known visit(const Known& known, const syntax::Expr& e, const syntax::LetFunctionExpr& node) {
    walk(known, *node.value);
    Known made = walk(known, *node.body);
    add_made(made, e);
    return made;
  }
  Known visit(const Known& known, const syntax::Expr& e, const syntax::LetWithExpr& node) {
    Known made = with(steps(known, node.path), sequence(known, {node.value, node.body}));
    add_made(made, e);
    return made;
  }
  Known visit(const Known& known, const syntax::Expr&, const syntax::LambdaExpr& node) {
    for (const syntax::Pattern* parameter : node.parameters) {
      auto found = checker_.pattern_types_.find(parameter);
      if (found != checker_.pattern_types_.end())
        require(known, found->second, parameter->span,
                "\"" + checker_.text(parameter->span) + "\"");
    }
    walk(known, *node.body); // what it makes is not known outside
    return {};
  }
  Known visit(const Known& known, const syntax::Expr& e, const syntax::LoopExpr& node) {
    Known made = node.initial ? walk(known, *node.initial) : Known{};
    if (const auto* form = std::get_if<syntax::ForLess>(&node.form))
      made = with(made, walk(known, *form->bound));
    else if (const auto* form_in = std::get_if<syntax::ForIn>(&node.form))
      made = with(made, walk(known, *form_in->array));
    else
      walk(known, *std::get<syntax::While>(node.form).condition);
    made = with(made, walk(known, *node.body));
    add_made(made, e);
    return made;
  }
  Known visit(const Known& known, const syntax::Expr&, const syntax::AttributedExpr& node) {
    return walk(known, *node.body);
  }
  Known visit(const Known& known, const syntax::Expr&, const syntax::AssertExpr& node) {
    return with(walk(known, *node.condition), walk(known, *node.body));
  }
  Known visit(const Known& known, const syntax::Expr&, const syntax::WithExpr& node) {
    return with(steps(known, node.path),
                with(walk(known, *node.value), walk(known, *node.replacement)));
  }
  Known visit(const Known& known, const syntax::Expr& e, const syntax::MatchExpr& node) {
    Known made = walk(known, *node.scrutinee);
    for (const syntax::MatchCase& branch : node.cases)
      walk(with(known, made), *branch.body);
    add_made(made, e);
    return made;
  }

  SizeChecker& checker_;
};

/// Sizes that nothing determines.
void SizeChecker::report_ambiguous() {
  sizes_.collapse_instances(0);
  for (const Variable* v : sizes_.order()) {
    const SizeConstraint* c = sizes_.find(v);
    if (!c || c->kind != SizeConstraint::Kind::Flexible || c->solution) continue;
    // Better the name of one that is equal to it and that the user wrote.
    const Variable* shown = v;
    if (c->source.empty())
      for (const Variable* other : sizes_.order()) {
        const SizeConstraint* d = sizes_.find(other);
        if (d && d->solution && !d->source.empty() && sizes_.chase(other) == v) {
          shown = other;
          break;
        }
      }
    const SizeConstraint* its = sizes_.find(shown);
    // One that has no name in the program is called by what it is of alone.
    types::NumberedNames names;
    fail("ambiguous-size", its->span,
         "Ambiguous size" +
             (shown->name.empty() ? "" : " \"" + print(variable(arena(), shown), names) + "\"") +
             (its->source.empty() ? "" : " arising from " + its->source));
  }
}

void SizeChecker::finish(syntax::Expr& body) {
  report_ambiguous();
  Causality(*this).walk({}, body);
  annotate();
}

} // namespace sinter::check
