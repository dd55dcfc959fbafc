// The equations between sizes of one declaration, and their solution.
//
// Sizes are checked after types are known: the types that inference found say what has which type,
// and here each of their sizes is put aside and found anew.  Every size that is not yet known is a
// variable of its own with a constraint; unification solves the flexible ones, and says where two
// sizes differ.
//
// Levels.  A scope is one level deeper than the one around it.  A flexible size may only become
// something that was in scope where it was made.
//
// Sizes of instances.  Where a polymorphic value is used, its type parameters stand for types with
// sizes that nobody knows yet.  Such a size may turn out to be one that the other type binds itself
// (an existential, or a parameter's name).  Then it becomes existential: each occurrence of the
// type parameter has one of its own, which is bound at the innermost place that can bind it.
#pragma once

#include "lang/check/types/inference.h"
#include "lang/types/brief.h"
#include "lang/types/facts.h"

#include <map>
#include <optional>
#include <set>

namespace sinter::check {

/// What is known of a size variable.
struct SizeConstraint {
  enum class Kind {
    Parameter,   ///< a name in scope: equal to itself alone
    Flexible,    ///< to be found; `solution` once it is
    Unknown,     ///< made by an expression: equal to itself alone
    Instance,    ///< flexible, of an instance; may become existential unless `lifting` is None
    Copy,        ///< a further occurrence of the instance's size `canonical`
    Existential, ///< an instance's size that turned out to be existential
  };
  Kind kind = Kind::Flexible;
  int level = 0;
  Span span;                             ///< where it comes from
  std::string source;                    ///< in words; for messages
  const types::Size* solution = nullptr; ///< of a flexible size
  bool is_for_callers = false;           ///< left open in a parameter: branches do not decide it
  types::Lifting lifting{};              ///< of an instance's
  const types::Variable* canonical = nullptr;
  std::uint32_t occurrence = 0;              ///< copies of one occurrence have one number
  const types::Variable* absorbed = nullptr; ///< of an existential: what it met
  std::optional<Span> computed_at;           ///< of an existential: where its value is made
  std::uint32_t number = 0;                  ///< in order of making
};

/// Why two types do not fit; caught where it is known what they are the types of.
struct SizeMismatch {
  std::string_view id;
  std::string message;
  std::vector<Note> notes;
};

class SizeSolver {
public:
  using Variables = std::vector<const types::Variable*>;
  /// Whether a size may not occur: the variable that forbids it, or null.
  using Forbidden = std::function<const types::Variable*(const types::Size*)>;

  explicit SizeSolver(Context& context);

  // ---- variables ----
  const types::Variable* flexible(Span span, std::string source);
  const types::Variable* unknown(Span span, std::string source);
  void constrain(const types::Variable* variable, SizeConstraint::Kind kind, Span span,
                 std::string source = {});
  const SizeConstraint* find(const types::Variable* variable) const;
  bool is_unknown(const types::Variable* variable) const;
  bool is_flexible(const types::Variable* variable) const;

  // ---- types ----
  /// With all solutions put in.
  const types::Type* normalise(const types::Type* type);
  const types::Size* normalise(const types::Size* size);
  /// The type with a fresh size in each place; `lifting` says what they may become.
  const types::Type* refresh(const types::Type* type, Span span, types::Lifting lifting);
  /// The same with ordinary flexible sizes; says what each stands for.
  const types::Type*
  refresh_flexible(const types::Type* type, Span span, const std::string& source,
                   std::vector<std::pair<const types::Variable*, const types::Size*>>& made);
  /// An instance of a scheme, whose type arguments are read off the type that inference gave it.
  const types::Type* instantiate(const types::Scheme& scheme, const types::Type* inferred,
                                 Span span, std::string_view name);
  /// The type with new names for the sizes that functions in it bind.
  const types::Type* rename_binders(const types::Type* type);
  const types::Type* substitute(const types::Type* type, const types::Variable* variable,
                                const types::Size* size);
  /// The type without the sizes that are forbidden: unknown ones take their places, which functions
  /// inside bind where they can; the others are appended to `made`.
  const types::Type* replace_forbidden(const types::Type* type, const Forbidden& forbidden,
                                       Span span, Variables& made);
  /// Binds instances' sizes that became existential, as far as the type can.
  const types::Type* bind_existentials(const types::Type* type, Span span, Variables& made);
  /// The same for the type of an expression when all is solved: what nothing can bind is a size
  /// made where it was absorbed.
  const types::Type* settle(const types::Type* type);

  // ---- equations ----
  /// Throws SizeMismatch.
  void unify(const types::Type* expected, const types::Type* found, Span span);
  /// The type of a value that is one of two: where sizes differ it has a new unknown size.
  const types::Type* unify_branches(const types::Type* a, const types::Type* b, Span span,
                                    Variables& made);
  bool same(const types::Size* a, const types::Size* b);
  /// The sizes that stand at the same places.
  std::vector<std::pair<const types::Size*, const types::Size*>> pairs(const types::Type* a,
                                                                       const types::Type* b);
  /// The last of the variables that a variable was found equal to.
  const types::Variable* chase(const types::Variable* variable) const;
  void set_solution(const types::Variable* variable, const types::Size* size);
  /// A flexible size may be any, as far as the two branches of an expression go.
  void leave_to_callers(const types::Variable* variable) {
    constraints_.at(variable).is_for_callers = true;
  }
  void forget(const types::Variable* variable) { constraints_.erase(variable); }
  std::uint32_t made_so_far() const { return next_number_; }
  const std::vector<const types::Variable*>& order() const { return order_; }
  /// Instances' sizes of a level that are still open become ordinary ones.
  void collapse_instances(int level);

  /// A note on where each unknown size in a size comes from.
  std::vector<Note> notes(const types::Size* size);
  std::string show(const types::Type* type) {
    return types::print_briefly(normalise(type), names_);
  }
  /// Of two long types what differs.
  std::pair<std::string, std::string> show(const types::Type* a, const types::Type* b) {
    return types::print_briefly(normalise(a), normalise(b), names_);
  }
  std::string show(const types::Size* size) { return types::print(normalise(size), names_); }
  std::string show(const types::Variable* variable);

  int level = 0;
  types::TypeArena& arena() { return context_.types; }

private:
  class Normaliser;
  class Refresher;
  class InstanceWalk;
  class Remover;
  struct Bound;
  using OnSizes =
      std::function<void(const Variables& bound, const types::Size* a, const types::Size* b)>;

  const types::Variable* fresh(SizeConstraint constraint);
  void walk(const types::Type* a, const types::Type* b, bool swapped, Variables& bound,
            const OnSizes& on_sizes, Span span);
  void unify_sizes(const Variables& bound, const types::Size* a, const types::Size* b, Span span);
  bool link_to_binder(const Variables& bound, const types::Size* size, const types::Size* other,
                      Span span);
  bool absorb(const Variables& bound, const types::Size* size, const types::Size* other, Span span);
  void absorb_bound(const Variables& binders,
                    const std::map<const types::Variable*, SizeConstraint>& before, Span span);
  void solve(const types::Variable* variable, const types::Size* size, const Variables& bound);
  bool can_solve(const types::Variable* variable, const Variables& bound, const types::Size* size);
  bool is_pending(const types::Variable* variable) const;
  const types::Size* representative(const types::Variable* variable);
  const types::Type* merge(const types::Type* a, const types::Type* b, Span span, Variables& made,
                           const std::string& source);

  Context& context_;
  const types::Type* i64_;
  std::map<const types::Variable*, SizeConstraint> constraints_;
  std::vector<const types::Variable*> order_; ///< of making: deterministic
  std::set<const types::Variable*> binders_;  ///< parameters' names in types of instances
  std::uint32_t occurrences_ = 0;
  std::uint32_t next_number_ = 0;
  std::map<std::pair<const types::Size*, const types::Size*>, const types::Size*> merged_;
  types::NumberedNames names_;
};

/// A size's parts where it is made of others; nothing for constants and variables.
std::optional<std::vector<std::pair<const types::Size*, const types::Size*>>>
similar_sizes(const types::Size* a, const types::Size* b);

/// The size that an expression stands for, by its structure; null where it binds names.
const types::Size* structural_size(types::TypeArena& arena, const syntax::Expr& expression);

} // namespace sinter::check
