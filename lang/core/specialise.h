// Checked program to resolved program: applies modules, specialises functions to their types,
// resolves names to slots.
//
// Works by need: only what an entry point or expression reaches is specialised (and, in the
// prelude, checked).  A definition is specialised once for each set of types that it is used at in
// each application of the parametric module that it stands in.
#pragma once

#include "lang/check/checker.h"
#include "lang/core/core.h"

#include <memory>
#include <string>
#include <vector>

namespace sinter::core {

/// One argument or result of an entry point as the outside sees it.
struct EntryType {
  const Representation* representation = nullptr;
  std::string text; ///< the type as declared or inferred: "[n]i32"
  std::string name; ///< of the parameter; may be empty
  bool unique = false;
  /// Whether the value format can express it: scalars and arrays of scalars (tuples only at the top
  /// of a result).
  bool is_transparent = false;
};
struct EntryPoint {
  std::string name;
  const Function* function =
      nullptr; ///< all visible parameters, whatever shape the definition has; never null:
               ///< a constant is a function without parameters
  std::vector<EntryType> parameters;
  std::vector<EntryType> results; ///< a tuple result is spread
  Span span;
};

class Specialiser {
public:
  Specialiser(check::Checker& checker, Representations& representations, Program& program);
  ~Specialiser();

  /// Names of the entry points of a file (`entry` declarations, and `main` however declared).
  std::vector<std::string> entry_points(const check::CheckedFile& file) const;
  /// Throws std::out_of_range if the file has no such entry point.
  EntryPoint entry_point(const check::CheckedFile& file, std::string_view name);
  /// Takes up what a scope declares and opens.  Names in a declaration mean what they mean in the
  /// first scope that is taken up with it (as `expression` does too).
  void take_up(const check::Checker::PromptScope& scope);
  /// A checked expression at a prompt or in a script.
  Toplevel expression(const check::Checker::PromptScope& scope, const syntax::Expr& expression);

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

} // namespace sinter::core
