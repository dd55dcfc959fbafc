// Resolved programs as text, for tests and for looking inside.
//
// `%3` is slot 3, `%3!` its last use; `^1` a captured value; `@name` a global; functions are called
// by name, and a second one of the same name is `name'2`.
//
//   main %0 {%1 = [0]} = (array.map lambda %0! : []i32 %1)
//   lambda %0 = (i32.add %0! 1i32)
//
// A size that is read off a value is `{%slot = .field[dimension]}`; after the colon stands the type
// of a result with its extents (`?`: not known).
#pragma once

#include "lang/core/core.h"

#include <string>

namespace sinter::core {

std::string print(const Expr& expr);
std::string print(const Pattern& pattern);
/// The function and all functions and globals that it reaches, a line each, itself first.
std::string print(const Function& function);
std::string print(const Toplevel& toplevel);
/// To standard error, for a debugger (`call sinter::core::dump(*expr)`).
void dump(const Expr& expr);
void dump(const Function& function);

} // namespace sinter::core
