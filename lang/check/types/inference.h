// Inference of the types of one declaration (or one expression at a prompt).
//
// The checker walks the tree once and unifies as it goes.  What cannot be decided yet is kept on
// the inference variables themselves (the set of primitive types an overloaded literal may have,
// the fields that have been projected from a record, the constructors that have been seen of a sum)
// or in lists that are looked at when the declaration is done (liftedness, exhaustiveness, literals
// out of bounds).  At the end every annotation is replaced by its solved form.
//
// Sizes are holes.  Types carry those that are written and those of values whose types are known,
// for messages; what they are is found by `../sizes` once all types are known.
#pragma once

#include "lang/check/names/context.h"
#include "lang/check/types/annotations.h"
#include "lang/check/types/deferred_checks.h"
#include "lang/check/types/recursion.h"
#include "lang/check/types/unifier.h"
#include "lang/check/types/variables.h"
#include "lang/types/rewrite.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sinter::check {

/// What to do with a size that a type leaves out (`[]t`).
enum class AnonymousSizes {
  Open,        ///< a size that the exact check finds
  Parameter,   ///< a new size parameter of the definition, appended to `made`
  Existential, ///< a new existential size, appended to `made`
};

class Inference {
public:
  Inference(Context& context, const Scope& scope);
  /// Opens a scope around the current one, one level deeper; ends with the object.
  class Layer {
  public:
    explicit Layer(Inference& inference);
    ~Layer();
    Layer(const Layer&) = delete;
    Layer& operator=(const Layer&) = delete;
    Scope scope;

  private:
    friend class Inference;
    Inference& inference_;
    const Scope* outer_;
    std::vector<types::Variable*> bound_;
    Layer* outer_layer_;
  };

  // ---- type expressions (type_expressions.cpp) ----
  /// Annotates and gives the type; ErrorType after an error, here or where it comes from.
  const types::Type* check_type(syntax::TypeExpr& type, AnonymousSizes mode,
                                std::vector<types::Variable*>* made = nullptr,
                                types::Lifting* lifting = nullptr);
  /// Makes the names of type and size parameters and binds them in the current layer.
  void bind_parameters(std::vector<syntax::TypeParameter>& parameters);
  /// Binds names that were made by an earlier `bind_parameters`.
  void rebind_parameters(std::vector<syntax::TypeParameter>& parameters);

  // ---- expressions (expressions.cpp, operators.cpp, bindings.cpp) ----
  const types::Type* check_expression(syntax::Expr& expression);
  /// Requires an expression of an element type, or of any in a set.
  void require(syntax::Expr& expression, ElementType element);
  const types::Type* require_any(syntax::Expr& expression, std::uint16_t elements);

  // ---- patterns (patterns.cpp) ----
  /// Checks a pattern against the type of the value that it will be matched with, binds its names
  /// in the current layer and gives the pattern's own type.
  const types::Type* check_pattern(syntax::Pattern& pattern, const types::Type* value,
                                   const Reason& reason, AnonymousSizes mode = AnonymousSizes::Open,
                                   std::vector<types::Variable*>* made = nullptr);
  /// Binds the names of a pattern that was checked before.
  void rebind_pattern(syntax::Pattern& pattern);
  /// Reports a pattern that does not match every value, once types are known.
  void must_be_irrefutable(const syntax::Pattern& pattern);

  // ---- making and instantiating (instantiate.cpp) ----
  const types::Type* instantiate(types::Variable& variable, Span span);

  /// Makes the inference variables of a type belong to the current scope.
  void lower_levels(const types::Type* type);

  // ---- the end (generalise.cpp) ----
  /// Decides overloads that are still open (i32, f64) and reports ambiguous types.
  /// In `visible`, a definition's type, that is worth a warning.
  void apply_defaults(const types::Type* visible = nullptr);
  /// Turns what is still open in a definition's type into parameters.
  types::Scheme generalise(const types::Type* type,
                           std::vector<const types::TypeName*> type_parameters,
                           std::vector<const types::Variable*> size_parameters);
  /// Solves the rest, checks what waited for it, and completes all annotations.
  void finish();

  /// The function type of parameters and a result; `existentials` go to the last arrow.
  const types::Type* function_type(const std::vector<syntax::Pattern*>& parameters,
                                   const std::vector<const types::Type*>& parameter_types,
                                   const types::Type* result,
                                   std::vector<const types::Variable*> existentials);
  /// Checks parameters, result annotation and body in the current layer; gives the function's type.
  const types::Type* check_function(std::vector<syntax::Pattern*>& parameters,
                                    syntax::TypeExpr* result_type, syntax::Expr& body,
                                    AnonymousSizes mode, std::vector<types::Variable*>* made);
  /// The body alone; gives the result's type and its existentials.
  const types::Type* check_body(syntax::TypeExpr* result_type, syntax::Expr& body,
                                std::vector<const types::Variable*>& existentials);
  types::Variable* new_variable(types::Variable::Kind kind, std::string_view name, Span span,
                                const types::Type* type);
  /// Binds a variable in the current layer.
  void bind(types::Variable* variable);
  /// Reports a definition of an operator that is part of the language itself.
  void must_be_redefinable(std::string_view name, Span span);
  /// Names become visible only when the layer's construct says so: a definition's own name.
  void bind_as(std::string_view name, types::Variable* variable);

  Context& context() { return context_; }
  types::TypeArena& arena() { return context_.types; }
  Diagnostics& diagnostics() { return *context_.diagnostics; }
  const Scope& scope() const { return *scope_; }
  std::uint32_t level() const { return unifier_.level; }
  const types::Type* primitive(ElementType element);
  const types::Type* error() const { return error_; }
  /// Whether anything that was looked at is unknown because of an error, here or elsewhere: what
  /// would be said about sizes, cases and uses may follow from that.
  bool has_met_error() const { return unifier_.has_met_error(); }
  Unifier& unifier() { return unifier_; }
  Annotations& annotations() { return annotations_; }
  RecursiveUses& recursive_uses() { return recursive_uses_; }

private:
  friend class Layer;
  friend class PatternInference; // patterns.cpp
  // expressions
  const types::Type* infer(syntax::Expr& expression);
  const types::Type* infer_variable(syntax::Expr& expression, syntax::VariableExpr& node);
  const types::Type* infer_local_open(syntax::LocalOpen& node);
  const types::Type* infer_record(syntax::Expr& expression, syntax::RecordExpr& node);
  const types::Type* infer_array(syntax::Expr& expression, syntax::ArrayExpr& node);
  const types::Type* infer_apply(syntax::Expr& expression, syntax::ApplyExpr& node);
  const types::Type* infer_binary(syntax::Expr& expression, syntax::BinaryExpr& node);
  const types::Type* infer_left_section(syntax::Expr& expression, syntax::LeftSection& node);
  const types::Type* infer_right_section(syntax::Expr& expression, syntax::RightSection& node);
  const types::Type* infer_path_section(syntax::Expr& expression, syntax::PathSection& node);
  const types::Type* infer_unary(syntax::Expr& expression, syntax::UnaryExpr& node);
  const types::Type* infer_constructor(syntax::Expr& expression, syntax::ConstructorExpr& node);
  const types::Type* infer_ascription(syntax::Expr& value, syntax::TypeExpr& type);
  const types::Type* infer_range(syntax::RangeExpr& node);
  const types::Type* infer_if(syntax::Expr& expression, syntax::IfExpr& node);
  const types::Type* infer_match(syntax::Expr& expression, syntax::MatchExpr& node);
  const types::Type* infer_let(syntax::LetPatternExpr& node);
  const types::Type* infer_let_function(syntax::LetFunctionExpr& node);
  const types::Type* infer_let_with(syntax::LetWithExpr& node);
  const types::Type* infer_lambda(syntax::LambdaExpr& node);
  const types::Type* infer_loop(syntax::LoopExpr& node);
  const types::Type* infer_with(syntax::WithExpr& node);

  /// One application: `function` applied to an argument of type `type` (`argument` null for the
  /// missing operand of a section).
  struct Argument {
    const syntax::Expr* expression = nullptr;
    const types::Type* type = nullptr;
    Span span;
  };
  const types::Type* apply(const types::Type* function, const Argument& argument, unsigned index,
                           const syntax::QualifiedName* name, Span span);
  types::Variable* find_operator(const syntax::QualifiedName& op);
  types::Variable* find_variable(const syntax::QualifiedName& name, std::uint32_t& field_count);
  const types::Type* project(const types::Type* record, std::string_view field, Span span);
  const types::Type* index(const types::Type* array, std::vector<syntax::IndexPart>& parts,
                           Span span);
  /// Type of what a path leads to; checks index expressions.
  const types::Type* follow_path(const types::Type* type, std::vector<syntax::PathStep>& path);
  void check_size_binders(std::vector<syntax::SizeBinder>& sizes);
  const types::Type* implicit_initial(const syntax::Pattern& pattern,
                                      std::vector<types::Variable*>& variables);
  Context& context_;
  const Scope* scope_;
  Layer* layer_ = nullptr;

  std::array<const types::Type*, 12> primitives_{};
  const types::Type* error_ = nullptr;
  const types::Type* unit_ = nullptr;
  const types::Size* unknown_size_ = nullptr;

  Unifier unifier_;
  DeferredChecks deferred_;
  Annotations annotations_;
  RecursiveUses recursive_uses_;

  std::unordered_set<std::string_view> unknown_names_;
};

/// Gives an intrinsic its scheme by reading the type that its row of the table says.  Does nothing
/// the second time.
void load_intrinsic(Context& context, types::Variable& variable);

} // namespace sinter::check
