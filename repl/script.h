// Scripts: a file's declarations are loaded, then its directives (`-- > expression`) are executed
// in order.
#pragma once

#include "repl/session.h"

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

/// The directives of a text: lines that start with `-- >`.
std::vector<Directive> find_directives(std::string_view text);

/// The value of a directive's expression, or what is wrong with it.
Outcome evaluate_directive(Session& session, const std::string& path, const Directive& directive);

struct Performed; // repl/literate/directives.h

/// Loads the script and runs its directives.  `show` gets each result;
/// `complain` each message (rendered, with its line break).  After a directive that fails, the
/// others still run.  The outcome is that of the loading or of the first directive that failed,
/// without its messages.
Outcome run_script(Session& session, const std::string& path,
                   const std::function<void(const Directive&, const Performed&)>& show,
                   const std::function<void(const std::string&)>& complain);

} // namespace sinter::repl
