// Syntax tree to text: readable, and such that parsing it gives the same tree.
#pragma once

#include "lang/syntax/ast.h"

#include <string>

namespace sinter::syntax {

std::string print(const File& file);
std::string print(const Declaration& declaration);
std::string print(const Expr& expr);
std::string print(const Pattern& pattern);
std::string print(const TypeExpr& type);

/// To standard error, for a debugger (`call sinter::syntax::dump(*expr)`).
void dump(const Expr& expr);
void dump(const Declaration& declaration);

/// Whether two trees are the same but for spans and annotations.
bool same(const File& a, const File& b);
bool same(const Expr& a, const Expr& b);

} // namespace sinter::syntax
