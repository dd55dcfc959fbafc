// From a region's key to running code: trace, optimise, compile.
#pragma once

#include "jit/swap/region.h"

#include <functional>
#include <memory>

namespace sinter::jit {

/// Makes an optimised function executable, with its kernels compiled.  May throw std::exception.
using MakeExecutable =
    std::function<std::shared_ptr<Executable>(ir::Function, const CompileOptions&)>;

/// Thread-safe.
class RegionCompiler {
public:
  RegionCompiler(SwapContext session, MakeExecutable make);

  /// Compiles, and publishes or rejects.
  void compile(Region& region, const SwapOptions& options) const;
  /// Brings a compiled region to the second tier.
  void promote(Region& region) const;

private:
  CompiledRegion compiled(TracedRegion traced, const SwapOptions& options,
                          CompileTimes& times) const;

  SwapContext session_;
  MakeExecutable make_;
};

} // namespace sinter::jit
