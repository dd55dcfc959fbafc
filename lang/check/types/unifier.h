// Inference variables, and the equations between types that solve them.
//
// Levels.  Each scope (a function's parameters, a body, a `let`, a case) is one level deeper than
// the one around it.  An inference variable knows the level that it was made at; it may only become
// a type whose type parameters are in scope there.
//
// Errors.  What has met one is unknown for that reason: that nothing else says what it is needs no
// report.
#pragma once

#include "lang/check/names/context.h"
#include "lang/types/rewrite.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sinter::check {

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

class Unifier {
public:
  Unifier(Context& context, const types::Type* error) : context_(context), error_(error) {}
  std::uint32_t level = 1;

  // ---- making (defaults.cpp) ----
  const types::Type* new_meta(Span origin, types::Lifting lifting = types::Lifting::FullyLifted);
  /// It will be one of the element types of the set.
  const types::Type* new_overloaded(Span origin, std::uint16_t elements);
  /// It will be a record with the field, or a sum with the constructor, at least.
  const types::Type* new_record(Span origin, std::string_view field, const types::Type* type);
  const types::Type* new_sum(Span origin, std::string_view constructor,
                             std::vector<const types::Type*> payload);
  /// A type parameter is in scope at the current level.
  void enter(const types::TypeName* name) { type_levels_[name] = level; }

  // ---- equations (unify.cpp) ----
  /// Reports a mismatch.
  bool unify(const types::Type* expected, const types::Type* found, const Reason& reason);
  /// The end (defaults.cpp): decides overloads that are still open (i32, f64) and reports ambiguous
  /// types.  In `visible`, a definition's type, the former is worth a warning.
  void apply_defaults(const types::Type* visible);

  // ---- errors ----
  void excuse(const types::Type* type) {
    has_met_error_ = true;
    excused_.push_back(type);
  }
  void note_error() { has_met_error_ = true; }
  bool has_met_error() const { return has_met_error_; }
  /// Whether a type is unknown in part, because of an error.
  bool is_erroneous(const types::Type* type) const;

private:
  class ScopeCheck;
  bool unify_types(const types::Type* a, const types::Type* b);
  bool unify_fields(const std::vector<types::Field>& a, const std::vector<types::Field>& b);
  bool unify_constructors(const std::vector<types::Constructor>& a,
                          const std::vector<types::Constructor>& b);
  bool unify_functions(const types::FunctionType& a, const types::FunctionType& b);
  bool unify_metas(const types::Type* a, const types::Type* b);
  bool solve(const types::Type* meta, const types::Type* type);
  bool fail(std::string detail);
  void report_mismatch(const types::Type* expected, const types::Type* found, const Reason& reason);
  void silence_excused();
  types::TypeArena& arena() { return context_.types; }
  Diagnostics& diagnostics() { return *context_.diagnostics; }

  Context& context_;
  const types::Type* error_;
  std::uint32_t next_id_ = 0;
  std::vector<types::Type*> metas_;
  std::unordered_map<const types::TypeName*, std::uint32_t> type_levels_;
  std::string detail_; ///< of the mismatch that is being reported
  std::string_view detail_id_;
  types::VisitedPairs unified_; ///< in the unification that is going on
  bool has_met_error_ = false;
  std::vector<const types::Type*> excused_;
};

/// The inference variables of a type that are not solved, in order of appearance.
std::vector<const types::Type*> open_metas(types::TypeArena& arena, const types::Type* type);

/// A piece of source for a message: its first line, shortened.
std::string excerpt_of(const Context& context, Span span);

} // namespace sinter::check
