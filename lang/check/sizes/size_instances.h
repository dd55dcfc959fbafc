// Where a type's sizes are not known yet: the same type with a variable in each place.
//
// Where a polymorphic value is used, its type parameters stand for types with sizes that nobody
// knows yet.  Such a size may turn out to be one that the other type binds itself (an existential,
// or a parameter's name).  Then it becomes existential: each occurrence of the type parameter has
// one of its own, which is bound at the innermost place that can bind it.
#pragma once

#include "lang/check/sizes/size_variables.h"

namespace sinter::check {

class SizeInstances {
public:
  explicit SizeInstances(SizeVariables& variables) : variables_(variables) {}

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

private:
  class Refresher;
  class Walk;

  SizeVariables& variables_;
  std::uint32_t occurrences_ = 0;
};

} // namespace sinter::check
