// The sizes of one declaration that are variables, and what is known of each.
//
// Levels.  A scope is one level deeper than the one around it.  A flexible size may only become
// something that was in scope where it was made.
#pragma once

#include "lang/base/diagnostic.h"
#include "lang/types/brief.h"
#include "lang/types/type.h"

#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

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

class SizeVariables {
public:
  using List = std::vector<const types::Variable*>;

  explicit SizeVariables(types::TypeArena& arena);
  types::TypeArena& arena() { return arena_; }
  int level = 0;

  // ---- making ----
  const types::Variable* fresh(SizeConstraint constraint);
  const types::Variable* flexible(Span span, std::string source);
  const types::Variable* unknown(Span span, std::string source);
  void constrain(const types::Variable* variable, SizeConstraint::Kind kind, Span span,
                 std::string source = {});
  /// Fresh sizes may be linked to this name, which the type of an instance binds.
  void bind_in_instance(const types::Variable* name) { bound_in_instances_.insert(name); }
  /// A flexible size may be any, as far as the two branches of an expression go.
  void leave_to_callers(const types::Variable* variable) {
    constraints_.at(variable).is_for_callers = true;
  }
  void forget(const types::Variable* variable) { constraints_.erase(variable); }

  // ---- asking ----
  const SizeConstraint* find(const types::Variable* variable) const;
  SizeConstraint* find(const types::Variable* variable);
  /// The same of the first occurrence, where this one is a copy of it.
  SizeConstraint* find_canonical(const types::Variable* variable);
  bool is_unknown(const types::Variable* variable) const;
  bool is_flexible(const types::Variable* variable) const;
  bool is_bound_in_instance(const types::Variable* name) const {
    return bound_in_instances_.contains(name);
  }
  /// The last of the variables that a variable was found equal to.
  const types::Variable* chase(const types::Variable* variable) const;
  std::uint32_t made_so_far() const { return next_number_; }
  const List& order() const { return order_; }

  // ---- solving ----
  void set_solution(const types::Variable* variable, const types::Size* size);
  /// Instances' sizes of a level that are still open become ordinary ones.
  void collapse_instances(int level);
  /// With all solutions put in.
  const types::Type* normalise(const types::Type* type);
  const types::Size* normalise(const types::Size* size);
  const types::Type* substitute(const types::Type* type, const types::Variable* variable,
                                const types::Size* size);

  // ---- messages ----
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

private:
  class Normaliser;

  types::TypeArena& arena_;
  const types::Type* i64_;
  std::unordered_map<const types::Variable*, SizeConstraint> constraints_;
  List order_; ///< of making: deterministic
  std::set<const types::Variable*> bound_in_instances_;
  std::uint32_t next_number_ = 0;
  types::NumberedNames names_;
};

} // namespace sinter::check
