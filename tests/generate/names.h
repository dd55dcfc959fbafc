// Where names stand in a checked program, and what each of them means.
#pragma once

#include "lang/syntax/ast.h"

#include <functional>

namespace sinter::generate {

struct NameUse {
  Span span; ///< the name is the first word of that kind in it
  syntax::Name name;
  const types::Variable* variable = nullptr;
  bool is_binder = false;
  bool is_shorthand = false; ///< the `x` of `{x}`, a field's name too
  bool is_qualified = false; ///< the `x` of `m.x`
};

/// What a walk over names tells; everything is optional.
struct NameVisitor {
  std::function<void(const NameUse&)> value = {};
  /// `(n: t) -> …` in a type, a module's name, a path into a module: names that are no values.
  std::function<void(syntax::Name)> other = {};
  /// The value specifications of module types, which no variable is noted at.
  std::function<void(const NameUse&)> specification = {};
  /// The first variable has by its syntax the second one's name: `let x[i] = …`, loops without
  /// initial values.
  std::function<void(const types::Variable*, const types::Variable*)> shared_name = {};
  std::function<void()> local_open = {}; ///< `m.(…)`
  std::function<void(const syntax::Declaration&)> value_declaration = {};
};

void visit_names(const syntax::File& file, const NameVisitor& visitor);
void visit_names(const syntax::Declaration& declaration, const NameVisitor& visitor);

} // namespace sinter::generate
