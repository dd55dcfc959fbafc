// Reading texts in tests, and writing trees in a form that shows their structure: prefix notation
// with every node in parentheses, which does not rely on the printer under test.
#pragma once

#include "lang/syntax/parser.h"
#include "lang/syntax/print.h"

#include <string>

namespace sinter::syntax::test {

/// A text with all that parsing it gives.
struct Parsed {
  SourceMap sources;
  Ast ast;
  Diagnostics diagnostics;

  FileId add(std::string text) { return sources.add("test.fut", std::move(text)); }
  /// The rendered diagnostics.
  std::string errors() const { return render(sources, diagnostics); }
};

std::string shape(const Expr& expr);
std::string shape(const Pattern& pattern);
std::string shape(const TypeExpr& type);
std::string shape(const ModuleExpr& module);
std::string shape(const ModuleTypeExpr& type);
std::string shape(const Declaration& declaration);
std::string shape(const Specification& specification);

/// The structure of a text, or the diagnostics.
std::string expression(std::string text);
std::string type(std::string text);
/// The structures of the declarations, separated by line breaks, or the diagnostics.
std::string declarations(std::string text);
std::string specifications(std::string text);
/// The diagnostics of a file's text.
std::string errors(std::string text);

} // namespace sinter::syntax::test
