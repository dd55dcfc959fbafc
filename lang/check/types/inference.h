// Inference of the types of one declaration (or one expression at a prompt).
//
// The checker walks the tree once and unifies as it goes.  What cannot be decided yet is kept on
// the inference variables themselves (the set of primitive types an overloaded literal may have,
// the fields that have been projected from a record, the constructors that have been seen of a sum)
// or in lists that are looked at when the declaration is done (liftedness, exhaustiveness, literals
// out of bounds).  At the end every annotation is replaced by its solved form.
//
// Levels.  Each scope (a function's parameters, a body, a `let`, a case) is one level deeper than
// the one around it.  A variable and an inference variable know the level that they were made at;
// an inference variable may only become a type whose sizes and type parameters are in scope at its
// own level.  Where a size would leave its scope it is replaced: by what it is known to equal, or
// by an unknown size that is read off the value.
//
// Sizes.  Inference only infers them, leniently; the exact check of sizes (`../sizes`)
// follows once all types are known and reports what does not fit.
#pragma once

#include "lang/check/names/context.h"
#include "lang/types/rewrite.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sinter::check {

/// What inference does with two sizes that are not equal as far as it can see: nothing, as the
/// exact check of sizes comes later.
enum class SizePolicy { Lenient };

/// Why two types should be equal: decides how a mismatch is worded.
struct Reason {
  enum class Kind {
    Plain,       ///< an operand or component that must have a given type
    Apply,       ///< an argument; `function` and `subject`
    Ascription,  ///< `e : t`
    Result,      ///< a function's body and its annotated result
    Branches,    ///< of `if` and `match`
    Pattern,     ///< a pattern and the value it is matched with
    Element,     ///< of an array literal
    LoopBody,    ///< a loop's body and its parameter
    Replacement, ///< the new part of an in-place update
  };
  Kind kind = Kind::Plain;
  Span span;
  const syntax::QualifiedName* function = nullptr; ///< applied; null if it has no name
  Span subject;                                    ///< the argument's text
  Span origin;                                     ///< where the expected type comes from, if known
  std::string_view origin_text;                    ///< "expected because of this"
  std::string_view field;                          ///< whose value is replaced
};

/// What to do with a size that a type leaves out (`[]t`).
enum class AnonymousSizes {
  Infer,       ///< an inference variable
  Parameter,   ///< a new size parameter of the definition, appended to `made`
  Existential, ///< a new existential size, appended to `made`
};

/// A type as it is written: sizes that it leaves out or binds itself are variables of their own.
struct WrittenType {
  const types::Type* type = nullptr;
  std::vector<const types::Variable*> sizes;
};
using WrittenTypes = std::unordered_map<const syntax::TypeExpr*, WrittenType>;

class Inference {
public:
  Inference(Context& context, const Scope& scope);
  /// What the type expressions that were checked say, for the exact check of sizes.
  const WrittenTypes& written() const { return written_; }

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
                                   const Reason& reason,
                                   AnonymousSizes mode = AnonymousSizes::Infer,
                                   std::vector<types::Variable*>* made = nullptr);
  /// Binds the names of a pattern that was checked before.
  void rebind_pattern(syntax::Pattern& pattern);
  /// Reports a pattern that does not match every value, once types are known.
  void must_be_irrefutable(const syntax::Pattern& pattern);

  // ---- unification (unify.cpp, unify_sizes.cpp) ----
  bool unify(const types::Type* expected, const types::Type* found, const Reason& reason);
  /// The type of a value that is one of two: where sizes differ it has an unknown size.
  const types::Type* join(const types::Type* a, const types::Type* b);
  void unify_sizes(const types::Size* a, const types::Size* b);

  // ---- making and instantiating (instantiate.cpp) ----
  const types::Type* new_meta(Span origin, types::Lifting lifting = types::Lifting::FullyLifted);
  const types::Type* new_overloaded(Span origin, std::uint16_t elements);
  const types::Size* new_size();
  types::Variable* new_unknown();
  const types::Size* new_unknown_size();
  const types::Type* instantiate(types::Variable& variable, Span span);

  // ---- sizes (sizes.cpp) ----
  /// The size that an i64 expression stands for; null where it cannot be expressed.
  const types::Size* size_of(const syntax::Expr& expression);
  /// A type as it is seen from the current level: sizes that have left their scope are replaced by
  /// what they equal or by unknown sizes of the current expression.
  const types::Type* leave_scope(const types::Type* type);
  /// The type of a function's result as seen from outside, when `level` is that of its parameters:
  /// `names` are the parameters that it may mention; other sizes become existentials.
  const types::Type* close_result(const types::Type* type, std::uint32_t level,
                                  const std::vector<const types::Variable*>& names,
                                  std::vector<const types::Variable*>& existentials);
  /// Makes the inference variables of a type belong to the current scope.
  void lower_levels(const types::Type* type);
  /// Turns sizes of a function type's parameters that nothing outside determines into parameters.
  void generalise_sizes(const types::Type* type, std::vector<const types::Variable*>& parameters);
  /// Replaces a variable by a size (null: by an unknown size).
  const types::Type* replace(const types::Type* type, const types::Variable* variable,
                             const types::Size* size);

  // ---- the end (generalise.cpp) ----
  /// Decides overloads that are still open (i32, f64) and reports ambiguous types.
  /// In `visible`, a definition's type, that is worth a warning.
  void apply_defaults(const types::Type* visible = nullptr);
  /// Names the function that is being defined, so that its recursive uses are looked at.
  void set_self(const types::Variable* self) { self_ = self; }
  /// The restrictions on recursion (recursion.cpp): a first-order result, and functions passed on
  /// unchanged.
  void check_recursion(const syntax::ValueDeclaration& declaration);
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
  const types::Type* check_body(const std::vector<syntax::Pattern*>& parameters,
                                syntax::TypeExpr* result_type, syntax::Expr& body,
                                std::vector<const types::Variable*>& existentials);
  void annotate(const types::Type*& slot, const types::Type* type) {
    slot = type;
    slots_.push_back(&slot);
  }
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
  std::uint32_t level() const { return level_; }
  const types::Type* primitive(ElementType element);
  const types::Type* error() const { return error_; }
  /// Whether anything that was looked at is unknown because of an error, here or elsewhere: what
  /// would be said about sizes, cases and uses may follow from that.
  bool has_met_error() const { return has_met_error_; }
  /// Whether a type is unknown in part, because of an error.
  bool is_erroneous(const types::Type* type) const;
  const types::Type* unit() const { return unit_; }
  /// A piece of source for a message: its first line, shortened.
  std::string text(Span span) const;

private:
  friend class Layer;
  class ScopeCheck; // unify.cpp
  /// A type that must not be functional (or lifted) when all is known.
  struct Obligation {
    const types::Type* type = nullptr;
    types::Lifting at_most{};
    Span span;
    std::string_view what; ///< how the message ends
    std::string_view name;
  };
  struct Coverage {
    Span span;
    std::vector<const syntax::Pattern*> patterns;
    bool is_match = false;
  };
  struct Literal {
    const syntax::Expr* literal = nullptr;
    const types::Type* type = nullptr;
    bool negative = false;
    Span span;
  };

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
  const types::Type* infer_ascription(syntax::Expr& expression, syntax::Expr& value,
                                      syntax::TypeExpr& type, bool coerce);
  const types::Type* infer_range(syntax::Expr& expression, syntax::RangeExpr& node);
  const types::Type* infer_if(syntax::Expr& expression, syntax::IfExpr& node);
  const types::Type* infer_match(syntax::Expr& expression, syntax::MatchExpr& node);
  const types::Type* infer_let(syntax::Expr& expression, syntax::LetPatternExpr& node);
  const types::Type* infer_let_function(syntax::Expr& expression, syntax::LetFunctionExpr& node);
  const types::Type* infer_let_with(syntax::Expr& expression, syntax::LetWithExpr& node);
  const types::Type* infer_lambda(syntax::Expr& expression, syntax::LambdaExpr& node);
  const types::Type* infer_loop(syntax::Expr& expression, syntax::LoopExpr& node);
  const types::Type* infer_with(syntax::Expr& expression, syntax::WithExpr& node);

  /// One application: `function` applied to an argument of type `type` (`argument` null for the
  /// missing operand of a section).
  struct Argument {
    const syntax::Expr* expression = nullptr;
    const types::Type* type = nullptr;
    Span span;
  };
  const types::Type* apply(const types::Type* function, const Argument& argument, unsigned index,
                           const syntax::QualifiedName* name, Span span);
  const types::Type* result_sizes_as_existentials(const types::Type* type,
                                                  syntax::Expr& expression);
  types::Variable* find_operator(const syntax::QualifiedName& op);
  types::Variable* find_variable(const syntax::QualifiedName& name, std::uint32_t& field_count);
  const types::Type* project(const types::Type* record, std::string_view field, Span span);
  const types::Type* index(const types::Type* array, std::vector<syntax::IndexPart>& parts,
                           Span span);
  const types::Size* slice_size(const syntax::IndexPart& part, const types::Size* whole);
  /// Type of what a path leads to; checks index expressions.
  const types::Type* follow_path(const types::Type* type, std::vector<syntax::PathStep>& path);
  void check_size_binders(std::vector<syntax::SizeBinder>& sizes);
  const types::Type* implicit_initial(const syntax::Pattern& pattern,
                                      std::vector<types::Variable*>& variables);
  /// Notes what size binders equal, by comparing a pattern's type with the value's.
  void relate_sizes(const types::Type* pattern, const types::Type* value);
  void relate_sizes(const types::Type* pattern, const types::Type* value,
                    types::VisitedPairs& visited);

  // unification
  bool unify_types(const types::Type* a, const types::Type* b);
  bool unify_fields(const std::vector<types::Field>& a, const std::vector<types::Field>& b);
  bool unify_constructors(const std::vector<types::Constructor>& a,
                          const std::vector<types::Constructor>& b);
  bool unify_functions(const types::FunctionType& a, const types::FunctionType& b);
  bool unify_metas(const types::Type* a, const types::Type* b);
  bool solve(const types::Type* meta, const types::Type* type);
  bool fail(std::string detail);
  using Joined = std::map<std::pair<const types::Type*, const types::Type*>, const types::Type*>;
  const types::Type* join(const types::Type* a, const types::Type* b, Joined& known);
  const types::Type* join_parts(const types::Type* a, const types::Type* b, Joined& known);
  void solve_size(const types::Size* meta, const types::Size* size);
  /// The type met an error: that nothing else says what it is needs no report.
  void excuse(const types::Type* type) {
    has_met_error_ = true;
    excused_.push_back(type);
  }
  void silence_excused();
  void report_mismatch(const types::Type* expected, const types::Type* found, const Reason& reason);

  void oblige(const types::Type* type, types::Lifting at_most, Span span, std::string_view what,
              std::string_view name = {}) {
    obligations_.push_back({type, at_most, span, what, name});
  }
  void check_obligations();
  void check_literals();
  void check_coverage();
  void check_equality();
  void check_holes();

  Context& context_;
  const Scope* scope_;
  Layer* layer_ = nullptr;
  std::uint32_t level_ = 1;
  std::uint32_t next_id_ = 0;
  SizePolicy size_policy_ = SizePolicy::Lenient;
  std::size_t errors_before_ = 0;
  syntax::Expr* current_ = nullptr; ///< whose evaluation makes the unknown sizes
  std::string detail_;              ///< of the mismatch that is being reported
  std::string_view detail_id_;
  types::VisitedPairs unified_; ///< in the unification that is going on
  bool ignore_sizes_ = false;
  bool has_met_error_ = false;
  std::vector<const types::Type*> excused_;
  const types::Variable* self_ = nullptr;
  std::vector<std::pair<const syntax::Expr*, const syntax::ApplyExpr*>> recursions_;

  std::array<const types::Type*, 12> primitives_{};
  const types::Type* error_ = nullptr;
  const types::Type* unit_ = nullptr;

  std::vector<const types::Type**> slots_;
  std::vector<syntax::Expr*> makers_; ///< expressions with unknown sizes
  std::vector<types::Type*> metas_;
  std::vector<Obligation> obligations_;
  std::vector<Coverage> coverage_;
  std::vector<Literal> literals_;
  std::vector<std::pair<const types::Type*, Span>> equalities_;
  std::vector<const syntax::Expr*> holes_;
  std::unordered_map<const types::TypeName*, std::uint32_t> type_levels_;
  std::unordered_map<const types::Variable*, const types::Size*> known_sizes_;
  std::unordered_set<std::string_view> unknown_names_;
  WrittenTypes written_;
};

/// Whether a size expression is unknown because of an error.
bool mentions_error(const syntax::Expr& expression);

/// A name as messages show it.
inline std::string in_quotes(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

/// Sets of element types, a bit for each.
inline constexpr std::uint16_t integer_elements = 0x00FF, float_elements = 0x0700,
                               bool_element = 0x0800,
                               number_elements = integer_elements | float_elements;
/// The set that an operator's constraint allows; 0 for any type.
std::uint16_t allowed_elements(types::Constraint constraint);
inline constexpr std::uint16_t element_bit(ElementType element) {
  return static_cast<std::uint16_t>(1U << static_cast<unsigned>(element));
}

/// Gives an intrinsic its scheme by reading the type that its row of the table says.  Does nothing
/// the second time.
void load_intrinsic(Context& context, types::Variable& variable);

} // namespace sinter::check
