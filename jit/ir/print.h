// IR as text.  What `print` writes, `parse` (parse.h) reads back to an equal function.
#pragma once

#include "jit/ir/ir.h"

#include <string>

namespace sinter::ir {

std::string print(const Function& function);
std::string print(const Function& function, const Statement& statement);
/// To standard error: for a debugger (`call sinter::ir::dump(function)`).
void dump(const Function& function);
void dump(const Function& function, const Statement& statement);

} // namespace sinter::ir
