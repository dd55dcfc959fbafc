// What a function may do with itself: its result is first-order, and functions among its parameters
// are passed on unchanged.
#pragma once

#include "lang/base/diagnostic.h"
#include "lang/syntax/ast.h"

#include <utility>
#include <vector>

namespace sinter::check {

class RecursiveUses {
public:
  /// Names the function that is being defined.
  void set_self(const types::Variable* self) { self_ = self; }
  void note_name(const syntax::Expr& reference, const types::Variable& variable) {
    if (&variable == self_) uses_.emplace_back(&reference, nullptr);
  }
  /// The name just noted, if `function` is it, is applied.
  void note_application(const syntax::Expr& function, const syntax::ApplyExpr& application) {
    if (!uses_.empty() && uses_.back().first == &function) uses_.back().second = &application;
  }
  void check(const syntax::ValueDeclaration& declaration, Diagnostics& diagnostics) const;

private:
  const types::Variable* self_ = nullptr;
  std::vector<std::pair<const syntax::Expr*, const syntax::ApplyExpr*>> uses_;
};

} // namespace sinter::check
