// What all rooms of the checker share: the check that is going on.
#pragma once

#include "lang/base/diagnostic.h"
#include "lang/check/names/scope.h"
#include "lang/syntax/ast.h"
#include "lang/types/type.h"

#include <memory>

namespace sinter::types {
struct TooLarge;
}

namespace sinter::check {

/// What all parts of the checker share.
struct Context {
  SourceMap& sources;
  syntax::Ast& ast;
  types::TypeArena& types;
  Diagnostics* diagnostics = nullptr;            ///< of the check that is going on
  bool has_errors = false;                       ///< others than those in `diagnostics`
  const types::TypeName* accumulator = nullptr;  ///< the built-in type `acc`, once it is made
  std::shared_ptr<const Module> intrinsics = {}; ///< the module, once it is made
};

/// The error for what is too large to be checked.
void report_too_large(Diagnostics& diagnostics, Span span, const types::TooLarge& too_large);

} // namespace sinter::check
