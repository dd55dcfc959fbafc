// Inside of the specialiser: what its files share.  A *definition* becomes a core function once for
// each set of types that it is used at (Definitions); a *translator* turns the expressions of one
// function into core expressions.
#pragma once

#include "lang/core/concrete_types.h"
#include "lang/core/core.h"
#include "lang/core/frame.h"
#include "lang/core/module_environment.h"
#include "lang/core/specialise.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::core {

/// A size that a function needs but cannot read off its arguments: a leading i64 parameter.
struct HiddenSize {
  const types::Variable* variable = nullptr; ///< inside the function
  /// The place among the scheme's size parameters; or, with `type_parameter`, the extent of the
  /// type that this parameter stands for.
  std::size_t index = 0;
  std::optional<std::size_t> type_parameter;
  SizeUse use = SizeUse::Value;
};

/// A definition at certain types: a function, or (without parameters and hidden sizes) a global.
struct Specialisation {
  Function* function = nullptr;
  Global* global = nullptr;
  std::vector<HiddenSize> hidden;
  bool is_finished = false;
  bool is_used_before_finished = false;
  /// Of a local definition: the enclosing functions' variables that it uses.
  std::vector<const types::Variable*> captures;
};

/// A function of a `let`; each use of a polymorphic one makes a closure of a copy of its own.
struct LocalFunction {
  const syntax::LetFunctionExpr* source = nullptr;
  const Environment* modules = nullptr;
  const TypeEnvironment* types = nullptr;
  bool is_polymorphic = false;
  std::vector<HiddenSize> hidden; ///< of a monomorphic one, whose closure lies in a slot
  std::map<std::vector<const Representation*>, Specialisation> copies;
};

class Translator;

/// All definitions of a session and what they have become.
class Definitions {
public:
  Definitions(check::Checker& checker, Representations& representations, Program& program)
      : checker(checker), program(program), modules(checker), types(modules, representations) {}

  /// The specialisation of a top-level definition for a use at these types.
  Specialisation& specialise(const ValueEntry& entry, const Instantiation& instantiation);
  class Round;

  /// An intrinsic that a definition does no more than call, with the definition's parameters
  /// (by position) as its arguments.
  struct Wrapper {
    const types::Variable* intrinsic = nullptr;
    std::size_t parameter_count = 0;
    std::vector<std::size_t> arguments;
  };
  /// Null if the definition is something else.
  const Wrapper* wrapper(const syntax::ValueDeclaration& declaration);

  /// A function that applies a scalar primitive.
  const Function* primitive_function(const primitives::Primitive& primitive);

  Expr* make(const Representation* type, Span span, ExprNode node) {
    return program.arena.make<Expr>(std::move(node), span, type);
  }
  Pattern* make_pattern(Span span, const Representation* type, decltype(Pattern::node) node) {
    return program.arena.make<Pattern>(std::move(node), span, type);
  }
  const Representation* scalar_type(ElementType element) {
    return types.representations().scalar(element);
  }

  check::Checker& checker;
  Program& program;
  ModuleWorld modules;
  TypeWorld types;
  /// Local functions in scope of the translations that are going on.
  std::unordered_map<const types::Variable*, LocalFunction*> local_functions;
  std::deque<LocalFunction> all_local_functions;

private:
  using Key = std::pair<const ValueEntry*, std::vector<const Representation*>>;

  std::map<Key, Specialisation> specialisations_;
  std::unordered_map<const syntax::ValueDeclaration*, std::optional<Wrapper>> wrappers_;
  std::unordered_map<const primitives::Primitive*, const Function*> primitive_functions_;
  std::vector<std::map<Key, Specialisation>::iterator> made_; ///< in this round
  std::vector<std::function<void()>> pending_;
  const char* stack_base_ = nullptr;
};

/// Translating, from its beginning to its end.  If it does not come there, what it has made is
/// dropped: that refers to what was never finished.
class Definitions::Round {
public:
  explicit Round(Definitions& definitions);
  ~Round();
  Round(const Round&) = delete;
  Round& operator=(const Round&) = delete;

  /// Translates what was put off because the chain of definitions was long.
  void finish();

private:
  Definitions& definitions_;
  bool is_finished_ = false;
};

/// The sizes that a function at these types may have to be given, and the environment in which its
/// type parameters have their types.
struct Preparation {
  const TypeEnvironment* types = nullptr;
  std::vector<HiddenSize> candidates;
};
Preparation prepare(TypeWorld& world, const types::Scheme& scheme, const TypeEnvironment* outer,
                    const Environment* modules,
                    const std::vector<const Representation*>& type_arguments);
std::vector<const Representation*> representations(const Instantiation& instantiation);

/// Translates the expressions of one function (or of a global's body, or at a prompt).
class Translator {
public:
  Translator(Definitions& definitions, Frame& frame, const Environment* modules,
             const TypeEnvironment* types)
      : definitions_(definitions), frame_(frame), modules_(modules), types_(types) {}

  const Expr* expr(const syntax::Expr& expr);
  /// The same for a definition's whole body: what should never fail fails when it is evaluated.
  const Expr* body(const syntax::Expr& expr);

  /// Parameters of a function; binds them and the sizes that they show.  Leaves in `candidates` the
  /// sizes that they do not show, with slots.  `extra` are types of further parameters, to which
  /// the body's value is to be applied.
  void parameters(Function& function, const std::vector<syntax::Pattern*>& patterns,
                  std::vector<HiddenSize>& candidates,
                  const std::vector<const ConcreteType*>& extra = {});
  /// Completes a function that has its parameters: hidden sizes lead, those that nothing uses are
  /// dropped from it and from `hidden` if `may_drop` still says so after the body is translated.
  void complete(Function& function, const Expr* body, std::vector<HiddenSize>& hidden,
                bool may_drop);
  // translate_sizes.cpp
  /// An expression for a size here; null if nobody knows it.
  const Expr* size(SizeTerm term, Span span, SizeUse use);
  SizedType sized(const ConcreteType& type, Span span);
  /// Gives a slot to each size variable of a type that has none yet and can be read off a value.
  std::vector<SizeBinding> bind_sizes(const ConcreteType& type);
  /// The extents of a type that are other than size variables bound by this value.
  std::vector<SizeCheck> size_checks(const ConcreteType& type, Span span,
                                     const std::vector<SizeBinding>& bound = {});
  const ConcreteType* concrete(const types::Type* type) {
    return definitions_.types.concrete(type, types_);
  }

  // translate_patterns.cpp
  Pattern* pattern(const syntax::Pattern& pattern);

  Frame& frame() { return frame_; }
  Definitions& definitions() { return definitions_; }

private:
  using Arguments = std::vector<const Expr*>;

  // translate_expressions.cpp: one for each construct
  const Expr* translate(const syntax::IntegerLiteral&, const syntax::Expr&);
  const Expr* translate(const syntax::FloatLiteral&, const syntax::Expr&);
  const Expr* translate(const syntax::BoolLiteral&, const syntax::Expr&);
  const Expr* translate(const syntax::CharLiteral&, const syntax::Expr&);
  const Expr* translate(const syntax::StringLiteral&, const syntax::Expr&);
  const Expr* translate(const syntax::Hole&, const syntax::Expr&);
  const Expr* translate(const syntax::VariableExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::Parenthesized&, const syntax::Expr&);
  const Expr* translate(const syntax::LocalOpen&, const syntax::Expr&);
  const Expr* translate(const syntax::TupleExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::RecordExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::ArrayExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::ProjectExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::IndexExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::LeftSection&, const syntax::Expr&);
  const Expr* translate(const syntax::RightSection&, const syntax::Expr&);
  const Expr* translate(const syntax::PathSection&, const syntax::Expr&);
  const Expr* translate(const syntax::ApplyExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::BinaryExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::UnaryExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::ConstructorExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::AscribeExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::CoerceExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::RangeExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::IfExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::LetPatternExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::LetFunctionExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::LetWithExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::LambdaExpr&, const syntax::Expr&);
  void name_slots(const syntax::Pattern& pattern, std::vector<std::pair<Slot, std::string>>& names);
  const Expr* translate(const syntax::LoopExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::AttributedExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::AssertExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::WithExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::MatchExpr&, const syntax::Expr&);
  const Expr* translate(const syntax::ErrorExpr&, const syntax::Expr&);

  const Expr* blank(const ConcreteType& type, Span span);
  const Expr* variables_in_reach(Span span);
  /// A part that may not run: what it binds is forgotten afterwards.
  const Expr* branch(const syntax::Expr& expr);
  std::vector<IndexPart> index_parts(const std::vector<syntax::IndexPart>& parts);
  const ConcreteType* indexed_type(const ConcreteType* array,
                                   const std::vector<syntax::IndexPart>& parts);
  const Expr* update(const Expr* value, const ConcreteType* type,
                     const std::vector<syntax::PathStep>& path, const syntax::Expr& replacement,
                     Span span);
  const Expr* project(const Expr* record, const ConcreteType*& type, Name field, Span span);
  const Expr* implicit_initial(const syntax::Pattern& pattern,
                               const std::vector<types::Variable*>& sources, std::size_t& next);

  // translate_calls.cpp
  /// What a name is applied to; `type` is the name's own type here.
  struct Head {
    const syntax::QualifiedName* name = nullptr;
    std::size_t field_count = 0; ///< trailing components that are record fields
    const types::Variable* variable = nullptr;
    const ConcreteType* type = nullptr;
    Span span;
  };
  /// `first_slot`: the frame's size before the arguments were translated.
  const Expr* apply(const Head& head, Arguments arguments, const ConcreteType* result, Span span,
                    Slot first_slot);
  const Expr* apply_value(const Expr* function, Arguments arguments, const ConcreteType* result,
                          Span span);
  const Expr* apply_global(const Head& head, Arguments arguments, const ConcreteType* result,
                           Span span, Slot first_slot);
  const Expr* apply_local(const Head& head, LocalFunction& local, Arguments arguments,
                          const ConcreteType* result, Span span, Slot first_slot);
  const Expr* apply_intrinsic(const primitives::Intrinsic& intrinsic, const ConcreteType* type,
                              Arguments arguments, const ConcreteType* result, Span span);
  const Expr* apply_operator(const Head& head, Arguments arguments, const ConcreteType* result,
                             Span span);
  const Expr* apply_array_operation(primitives::ArrayOperation operation, Arguments arguments,
                                    const ConcreteType* result, Span span);
  const Expr* short_circuit(std::string_view symbol, Arguments arguments, Span span);
  const Expr* with_hidden(const Expr* function, const std::vector<HiddenSize>& hidden,
                          const Instantiation& instantiation, Arguments arguments,
                          const ConcreteType* result, Span span, Slot first_slot);
  const Expr* hidden_argument(const HiddenSize& hidden, const Instantiation& instantiation,
                              Span span);
  Arguments captured_values(const std::vector<const types::Variable*>& captures, Span span);
  /// A function of `count` parameters with the types of `type`; `body` gets the parameters.
  const Expr*
  eta_expand(const ConcreteType* type, std::size_t count, Span span,
             const std::function<const Expr*(Translator&, Arguments, const ConcreteType*)>& body);
  /// An operator with one operand given; `operand_first` for `(x +)`.
  const Expr* section(const Head& head, const syntax::Expr& operand, bool operand_first,
                      const syntax::Expr& whole);
  const Expr* closure(const Function& function, const std::vector<const types::Variable*>& captures,
                      const Expr* anonymous, Span span);
  const Expr* variable(const types::Variable* variable, const Representation* type, Span span);
  const Expr* size_variable(const types::Variable& variable, const TypeEnvironment* environment,
                            Span span, SizeUse use);
  /// The definition of a name of the module level.
  FoundValue definition(const Head& head);

  Expr* make(const Representation* type, Span span, ExprNode node) {
    return definitions_.make(type, span, std::move(node));
  }
  Expr* integer(std::int64_t value, Span span) {
    return make(definitions_.scalar_type(ElementType::I64), span, Constant{Scalar::of(value)});
  }

  Definitions& definitions_;
  Frame& frame_;
  const Environment* modules_; ///< where module-level names are looked up
  const TypeEnvironment* types_;
};

/// A variable that has no place in the function that is being translated: only in a size that was
/// written elsewhere.
struct UnknownVariable : std::logic_error {
  using std::logic_error::logic_error;
};

/// Position of a field among a record's; throws std::logic_error if there is none.
std::uint32_t field_position(const ConcreteType& record, Name name);

/// The scalar that a literal's text means at a type (rounded once, directly to that type).
Scalar integer_literal(const syntax::IntegerLiteral& literal, ElementType type);
Scalar float_literal(const syntax::FloatLiteral& literal, ElementType type);
Scalar negate(Scalar value, ElementType type);

} // namespace sinter::core
