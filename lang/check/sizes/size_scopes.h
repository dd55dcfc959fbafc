// Sizes that may not occur in a type: those that leave their scope, and existential ones of
// instances, which the functions in the type bind where they can.
#pragma once

#include "lang/check/sizes/size_variables.h"

#include <functional>

namespace sinter::check {

class SizeScopes {
public:
  using Variables = SizeVariables::List;
  /// Whether a size may not occur: the variable that forbids it, or null.
  using Forbidden = std::function<const types::Variable*(const types::Size*)>;

  explicit SizeScopes(SizeVariables& variables) : variables_(variables) {}

  /// The type without the sizes that are forbidden: unknown ones take their places, which functions
  /// inside bind where they can; the others are appended to `made`.
  const types::Type* replace_forbidden(const types::Type* type, const Forbidden& forbidden,
                                       Span span, Variables& made);
  /// Binds instances' sizes that became existential, as far as the type can.
  const types::Type* bind_existentials(const types::Type* type, Span span, Variables& made);
  /// The same for the type of an expression when all is solved: what nothing can bind is a size
  /// made where it was absorbed.
  const types::Type* settle(const types::Type* type);

private:
  class Remover;
  bool is_pending(const types::Variable* variable) const;
  const types::Size* representative(const types::Variable* variable);

  SizeVariables& variables_;
};

} // namespace sinter::check
