// From a region's key to running code: trace, optimise, compile.
#pragma once

#include "jit/marks/examine.h"
#include "jit/swap/region.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>

namespace sinter::jit {

/// Of the code that a region gets at first.
unsigned first_tier(const SwapOptions& options);

/// Thread-safe.
class RegionCompiler {
public:
  RegionCompiler(SwapContext session, MakeExecutable make);

  /// Compiles, and publishes, rejects or stalls.  `stack_limit`: see TraceOptions.
  void compile(Region& region, const SwapOptions& options,
               const std::byte* stack_limit = nullptr) const;
  /// Brings a compiled region to the second tier, if it may be, or notes why that cannot be; and
  /// makes what code its launches have asked for.
  void promote(Region& region) const;
  const MakeExecutable& make() const { return make_; }
  /// What is being compiled ends early, rejected or with kernels left out: nobody will run it.
  void stop() { stop_.request_stop(); }

private:
  CompiledRegion compiled(TracedRegion traced, const DeviceChoice& device,
                          const SwapOptions& options, CompileTimes& times) const;
  /// Tells later processes that they will find no code for it, or not for all of it.
  void forget_precedent(const Region& region) const;
  void note_in_parts(const Region& region) const;

  SwapContext session_;
  MakeExecutable make_;
  std::stop_source stop_;
};

} // namespace sinter::jit
