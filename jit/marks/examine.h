// Marked expressions are looked at before they run: traced over symbolic inputs, optimised and
// split into kernels, of which none is compiled.
#pragma once

#include "jit/gate/hot_swap.h"
#include "jit/runtime/executable.h"

#include <functional>
#include <memory>
#include <vector>

namespace sinter::jit {

/// Makes an optimised function executable, with its kernels compiled, unless the options say that
/// it is only to be planned.  May throw std::exception.
using MakeExecutable =
    std::function<std::shared_ptr<Executable>(ir::Function, const CompileOptions&)>;

/// One report for each mark that the question reaches and each form of the functions among its
/// inputs; of a mark within another one, which counts, one without anything to say.
std::vector<MarkReport> examine_marks(const MarkQuestion& question, const SwapOptions& options,
                                      const SwapContext& session, const MakeExecutable& make);

} // namespace sinter::jit
