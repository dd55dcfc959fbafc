// FutharkScript: the small expression language that test inputs and literate directives are written
// in.  Calls entry points and the built-ins `$loaddata`, `$loadbytes`, `$loadimg` and `$loadaudio`,
// which read a file, binds names, makes tuples, records and arrays, takes fields and elements.
// `$loaddata` takes the options of `:read`: `$loaddata --decimal , "table.csv"`.
//
// Source: the manual pages futhark-literate(1) and futhark-script(1).
#pragma once

#include "repl/data/read_options.h"
#include "repl/session/session.h"

#include <string>
#include <string_view>

namespace sinter::repl {

struct ScriptValue {
  Value value;
  const Representation* representation = nullptr;
  /// The text of a number without a suffix, which takes the type that a function wants; else empty.
  std::string literal;
};

/// Evaluates an expression over a checked file's entry points; data files are found relative to the
/// file's folder.  Throws FormatError for what is wrong with the expression or a data file, and
/// RuntimeError where a function fails.
ScriptValue evaluate_futhark_script(Session& session, const check::CheckedFile& file,
                                    std::string_view text);

/// Whether a directive uses a built-in (`$name` outside of string literals), so that it is
/// FutharkScript rather than an expression of the language.
bool uses_builtins(std::string_view text);

/// What a data file holds (repl/data).  Throws FormatError.
ScriptValue load_data(Session& session, const std::string& path, const ReadOptions& options);

/// `path` as seen from the folder of `file`.
std::string path_beside(const std::string& file, const std::string& path);

} // namespace sinter::repl
