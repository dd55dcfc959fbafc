// The exact check of sizes: whether every array has the size that its context needs.
//
// It walks over a declaration whose types inference has found, gives every size in them a meaning
// anew, reports what does not fit, and leaves the types with their sizes on the tree.
#pragma once

#include "lang/check/names/context.h"
#include "lang/check/sizes/size_instances.h"
#include "lang/check/sizes/size_scopes.h"
#include "lang/check/sizes/size_unifier.h"
#include "lang/check/sizes/terms.h"
#include "lang/types/facts.h"
#include "lang/types/rewrite.h"

#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace sinter::check {

/// Checks a value declaration that inference found no error in.  Gives whether the sizes of its
/// type are known: not so after an error, here or in what it uses.
bool check_sizes(Context& context, syntax::ValueDeclaration& declaration);
/// The same for the body of a declaration whose type was known, and used, before it.
void check_body_sizes(Context& context, syntax::ValueDeclaration& declaration);
/// The same for an expression of its own.
void check_sizes(Context& context, syntax::Expr& expression);

/// Walks over expressions; one for each declaration.
class SizeChecker {
public:
  explicit SizeChecker(Context& context) : context_(context), sizes_(context.types) {}

  types::Scheme check_declaration(syntax::ValueDeclaration& declaration);
  void check_alone(syntax::Expr& expression);
  /// Whether it has used something whose sizes are not known because of an error.
  bool has_met_error() const { return has_met_error_; }

  /// The error has been reported, or types are too large; the rest of the declaration is not looked
  /// at.
  struct Stop {};

private:
  using Variables = SizeVariables::List;
  using Binders = std::vector<std::pair<const types::Variable*, const types::Size*>>;

  /// What is found of an expression.
  struct Node {
    syntax::Expr* expression = nullptr;
    const types::Type* type = nullptr;
    Variables made;                                 ///< by evaluating it: sizes
    const types::Variable* argument_size = nullptr; ///< its value, as an argument that is a size
  };

  /// What a mismatch is about: decides how the message begins.
  struct Purpose {
    Span span;
    std::string header; ///< a sentence; empty where there is nothing to say
    bool show_types = true;
    std::string_view expected = "Expected", found = "Actual";
    std::vector<Note> notes;
  };

  class Deeper {
  public:
    explicit Deeper(SizeChecker& checker, int by = 1) : checker_(checker), by_(by) {
      checker_.sizes_.level += by_;
    }
    ~Deeper() { checker_.sizes_.level -= by_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

  private:
    SizeChecker& checker_;
    int by_;
  };

  // expressions.cpp
  const types::Type* check(syntax::Expr& expression);
  const types::Type* infer(syntax::Expr& expression);
  const types::Type* look_up(const types::Variable* variable, const types::Type*& annotation,
                             Span span, std::string_view name);
  const types::Type* instance(const types::Variable* variable, const types::Type* inferred,
                              Span span, std::string_view name);
  const types::Type* record_fields(syntax::RecordExpr& node);
  const types::Type* array_literal(syntax::Expr& expression, const syntax::ArrayExpr& node);
  const types::Type* project(const types::Type* type, std::string_view field);
  const types::Type* ascription(const syntax::AscribeExpr& node);
  const types::Type* coercion(const syntax::CoerceExpr& node);
  const types::Type* range(syntax::Expr& expression, const syntax::RangeExpr& node);
  const types::Type* constructor(syntax::Expr& expression, const syntax::ConstructorExpr& node);
  const types::Type* branches(syntax::Expr& expression, const syntax::IfExpr& node);
  const types::Type* match(syntax::Expr& expression, const syntax::MatchExpr& node);

  // updates.cpp
  enum class SliceSizes { Exact, Flexible, Existential };
  const types::Type* slice(syntax::Expr* expression, const types::Type* type,
                           const std::vector<syntax::IndexPart>& parts, Span span, SliceSizes mode,
                           Variables& made);
  const types::Type* update(const types::Type* source, const std::vector<syntax::PathStep>& path,
                            syntax::Expr& value);
  const types::Type* path_section(syntax::Expr& expression, const syntax::PathSection& node);
  const types::Size* known_slice(const syntax::IndexPart& part, const types::Size* whole);
  void warn_binding(Span span);

  // applications.cpp
  const types::Type* apply(const types::Type* function, syntax::Expr* argument,
                           const types::Type* argument_type, Span span, std::string_view name,
                           Variables& made);
  const types::Type* application(syntax::Expr& expression, const syntax::ApplyExpr& node);
  const types::Type* binary(syntax::Expr& expression, syntax::BinaryExpr& node);
  const types::Type* left_section(syntax::Expr& expression, syntax::LeftSection& node);
  const types::Type* right_section(syntax::Expr& expression, syntax::RightSection& node);

  // functions.cpp
  struct Parameters {
    std::vector<const types::Type*> types;
    std::vector<const types::Variable*> names; ///< null where a parameter has none
    Variables hidden;                          ///< other names that the patterns bind
  };
  struct Definition {
    const types::Variable* variable = nullptr;
    std::string_view name;
    Span span;
    std::vector<syntax::TypeParameter>* type_parameters = nullptr;
    std::vector<syntax::Pattern*>* parameters = nullptr;
    syntax::TypeExpr* result_type = nullptr;
    syntax::Expr* body = nullptr;
  };
  Parameters check_parameters(std::vector<syntax::Pattern*>& patterns);
  const types::Type* check_body(const Parameters& parameters, syntax::Expr& body,
                                const types::Type* declared, Span declared_at);
  void verify_parameters(const Parameters& parameters,
                         const std::vector<syntax::Pattern*>& patterns);
  types::Scheme define(const Definition& definition);
  types::Scheme generalise(const Definition& definition, const Parameters& parameters,
                           const types::Type* result);
  /// Fails at a size parameter that is the size of nothing in the type.
  void check_are_visible(const Definition& definition, const Variables& size_parameters,
                         const std::set<const types::Variable*>& visible);
  const types::Type* function_type(const Parameters& parameters, const types::Type* result,
                                   Variables existentials);
  const types::Type* inject(const types::Type* type, const Variables& existentials,
                            Variables& here);
  const types::Type* lambda(const syntax::LambdaExpr& node);
  const types::Type* let_function(syntax::Expr& expression, const syntax::LetFunctionExpr& node);

  // bindings.cpp
  const types::Type* written_type(syntax::TypeExpr& type);
  const types::Type* check_pattern(syntax::Pattern& pattern, const types::Type* value,
                                   const Binders& binders, std::vector<types::Variable*>& bound);
  const types::Type* bind_pattern(syntax::Pattern& pattern, const types::Type* value,
                                  const Binders& binders, std::vector<types::Variable*>& bound);
  void name(types::Variable* variable, const types::Type* type);
  void bind(types::Variable* variable, const types::Type* type);
  const types::Type* leave(const types::Type* type, const std::vector<types::Variable*>& names,
                           Span span, syntax::Expr& expression);
  const types::Type* let(syntax::Expr& expression, const syntax::LetPatternExpr& node);
  const types::Type* let_with(syntax::Expr& expression, const syntax::LetWithExpr& node);

  // loops.cpp
  const types::Type* loop(syntax::Expr& expression, const syntax::LoopExpr& node);
  const types::Type* implicit_initial(const syntax::Pattern& pattern,
                                      const std::vector<types::Variable*>& variables,
                                      std::size_t& next);
  struct LoopSizes;
  struct LoopChanges;
  using OpenSize = std::pair<const types::Variable*, const types::Size*>;
  const OpenSize* open_size(const LoopSizes& sizes, const types::Variable* variable) const;
  void unify_body(const LoopSizes& sizes, const syntax::LoopExpr& node);
  LoopChanges changes_of(const LoopSizes& sizes);
  void find_variant(LoopSizes& sizes, const syntax::LoopExpr& node);
  void fits_loop(const LoopSizes& sizes, const types::Type* type, const Purpose& purpose);

  // annotations.cpp
  class Annotator;
  void annotate();
  Variables sizes_made_by(const Node& node) const;

  // causality.cpp
  class Causality;
  void finish(syntax::Expr& body);
  void report_ambiguous();

  // size_checker.cpp
  void unify(const types::Type* expected, const types::Type* found, Purpose purpose);
  [[noreturn]] void fail(std::string_view id, Span span, std::string message,
                         std::vector<Note> notes = {}, std::string hint = {});
  types::TypeArena& arena() { return context_.types; }
  std::string text(Span span) const;
  const types::Type* primitive(ElementType element) { return types::primitive(arena(), element); }

  Context& context_;
  SizeVariables sizes_;
  SizeInstances instances_{sizes_};
  SizeScopes scopes_{sizes_};
  SizeUnifier unifier_{sizes_};
  types::WrittenSize written_size_;
  std::unordered_map<const types::Variable*, types::Scheme> bindings_;
  std::unordered_map<const syntax::Expr*, Node> nodes_;
  std::unordered_map<const syntax::Pattern*, const types::Type*> pattern_types_;
  /// Annotations of names, patterns and type expressions, which get these types when all is done.
  std::vector<std::pair<const types::Type**, const types::Type*>> annotations_;
  /// Names that `loop [n]` and the like give to sizes which the loop's parameter shows.
  std::unordered_set<const types::Variable*> shown_names_;
  std::unordered_map<const types::Variable*, const types::Variable*> shown_as_;
  bool has_failed_ = false; ///< an error has been reported
  bool has_met_error_ = false;
  const types::Variable* self_ = nullptr;
  std::optional<types::Scheme> self_scheme_;
};

} // namespace sinter::check
