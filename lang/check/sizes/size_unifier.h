// Equations between the sizes of two types, and their solution.
#pragma once

#include "lang/check/sizes/size_variables.h"

#include <functional>
#include <map>

namespace sinter::check {

/// Why two types do not fit; caught where it is known what they are the types of.
struct SizeMismatch {
  std::string_view id;
  std::string message;
  std::vector<Note> notes;
};

/// Unification solves the flexible sizes, and says where two differ.
class SizeUnifier {
public:
  using Variables = SizeVariables::List;

  explicit SizeUnifier(SizeVariables& variables) : variables_(variables) {}

  /// Throws SizeMismatch.
  void unify(const types::Type* expected, const types::Type* found, Span span);
  /// The type of a value that is one of two: where sizes differ it has a new unknown size.
  const types::Type* unify_branches(const types::Type* a, const types::Type* b, Span span,
                                    Variables& made);
  /// The sizes that stand at the same places.
  std::vector<std::pair<const types::Size*, const types::Size*>> pairs(const types::Type* a,
                                                                       const types::Type* b);

private:
  using OnSizes =
      std::function<void(const Variables& bound, const types::Size* a, const types::Size* b)>;
  using Constraints = std::map<const types::Variable*, SizeConstraint>;

  void walk(const types::Type* a, const types::Type* b, bool swapped, Variables& bound,
            const OnSizes& on_sizes, Span span);
  void walk_functions(const types::FunctionType& a, const types::FunctionType& b, bool swapped,
                      Variables& bound, const OnSizes& on_sizes, Span span);
  void unify_sizes(const Variables& bound, const types::Size* a, const types::Size* b, Span span);
  SizeMismatch mismatch(const Variables& bound, const types::Size* a, const types::Size* b);
  bool link_to_binder(const Variables& bound, const types::Size* size, const types::Size* other);
  bool absorb(const Variables& bound, const types::Size* size, const types::Size* other, Span span);
  void absorb_bound(const Variables& binders, const Constraints& before, Span span);
  void solve(const types::Variable* variable, const types::Size* size, const Variables& bound);
  bool can_solve(const types::Variable* variable, const Variables& bound, const types::Size* size);

  SizeVariables& variables_;
};

} // namespace sinter::check
