// Scripts: files whose entries are obeyed as they would be at a prompt.
#pragma once

#include "repl/console/console.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

/// A directive of a script.  `-- > e` shows the value of e; `-- > :name e` is another kind.
struct Directive {
  std::uint32_t line = 0;   ///< where it starts
  std::uint32_t column = 0; ///< of `text`
  std::string command;      ///< "img" of `:img`; empty for an expression
  bool brief = false;       ///< `:brief`: its parameters are not shown in a document
  bool covert = false;      ///< `:covert`: it is not shown in a document, only its result
  std::string text;         ///< what follows, without the dashes
  /// The comment lines that follow at once: the expression goes on in them.
  std::vector<std::string> following;

  /// The expression: all up to a line that ends with `;`.
  std::string expression() const;
  /// The lines behind that.
  std::vector<std::string> parameters() const;
};

Directive directive_of(const Entry& entry);
/// The directives of a text.
std::vector<Directive> find_directives(std::string_view text);

/// The value of a directive's expression, or what is wrong with it.
Outcome evaluate_directive(Session& session, const std::string& path, const Directive& directive);

/// Whether a script is a program with remarks: it has nothing but declarations and directives that
/// define nothing.  It is loaded as a whole, as other programs of the language are, and its
/// directives may use what comes after them.  Other scripts are obeyed from top to bottom.
bool is_program(const std::vector<Entry>& entries);

/// Loads a script if it is a program, and obeys its entries, or its directives; `before` is called
/// with each of them.  After one that fails, the others still run.  The outcome is that of the
/// loading or of the first entry that failed, without its messages.
Outcome run_script(Console& console, const std::string& path,
                   const std::function<void(const Entry&)>& before = {});

/// The text of a script.  Throws FormatError.
std::string read_script(const std::string& path);

} // namespace sinter::repl
