// From an entry point to code for its pieces.
#pragma once

#include "jit/gate/hot_swap.h"
#include "jit/gate/pieces.h"
#include "jit/marks/examine.h"

#include <memory>

namespace sinter::jit {

/// Traces the function, cuts it along the first of its sizes that allows it, and compiles chunk and
/// finish on their first run; in Mode::Interpret the IR's evaluator runs them.  What cannot be cut
/// has a report with the reason and no code.  `make` outlives the result, as the session does.
std::unique_ptr<PieceProgram> make_piece_program(const core::Function& function,
                                                 const SwapOptions& options,
                                                 const SwapContext& session,
                                                 const MakeExecutable& make);

} // namespace sinter::jit
