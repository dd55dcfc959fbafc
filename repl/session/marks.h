// Marked expressions (`#[accelerate]`) are looked at when what they stand in is loaded or defined.
#pragma once

#include "jit/gate/gate.h"
#include "lang/base/diagnostic.h"
#include "lang/check/checker.h"
#include "repl/session/program_state.h"

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace sinter::repl {

/// Whether the file, or one that it imports, has marks.
bool has_marks(const check::CheckedFile& file);

/// What a file's definitions reach, with its entry points if `all_entry_points` are to be taken for
/// marked; what is polymorphic is reached by who uses it.  After it was opened in the scope.
jit::MarkQuestion marks_of(ProgramState& state, check::Checker::PromptScope& scope,
                           const check::CheckedFile& file, bool all_entry_points);
/// The same of declarations at a prompt.
jit::MarkQuestion marks_of(ProgramState& state, check::Checker::PromptScope& scope,
                           const std::vector<syntax::Declaration*>& declarations);

/// Adds what there is to say of marks, of the prelude at what is marked.  `written`: those that
/// should have been met.
void tell(const std::vector<jit::MarkReport>& reports, std::span<const Span> written,
          const SourceMap& sources, Diagnostics& diagnostics);

/// Loops with `#[parallel]` that were looked at before they run, by their marks.
class ExaminedLoops {
public:
  void note(const std::vector<jit::MarkReport>& reports);
  /// For all forms that their inputs were known to have, of which there is one at least.
  bool contains(Span mark) const;

private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> known_; ///< by file and place
};

} // namespace sinter::repl
