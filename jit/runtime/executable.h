// A region that is ready to run: host-level code, walked, around compiled kernels.
//
// This folder runs regions: it splits an optimised IR function into kernels and the rest, walks the
// rest (scalars, branches and loops around kernels, views, memory), and keeps arrays by reference
// counts, so that a value's last use gives its buffer on and consumption happens in place.  It
// knows nothing of tracing or of how kernels are compiled (backend.h), nor of when regions are
// made.
#pragma once

#include "jit/ir/ir.h"
#include "jit/runtime/backend.h"
#include "jit/runtime/piece_sizes.h"
#include "jit/runtime/places.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sinter::jit {

/// What an executable did, summed up over its runs.
struct ExecutableStatistics {
  std::uint64_t runs = 0;
  double run_milliseconds = 0;
  double compile_milliseconds = 0;
  std::uint64_t kernel_launches = 0;
  std::uint64_t soacs = 0, compiled_soacs = 0; ///< of the function: all, and in compiled kernels
  std::uint64_t moved_bytes = 0;               ///< by kernels, and by copies around them
};

class Executable {
public:
  virtual ~Executable() = default;
  /// Arguments and results are the function's.  Compiles kernels on their first launch if
  /// `compile_all` has not.  Thread-safe.
  virtual Outcome run(std::vector<Datum> arguments, const RunContext& context) = 0;
  /// Compiles every kernel for dense arguments now, unless CompileOptions::stop asks to stop.
  virtual void compile_all() = 0;
  /// Brings what is compiled to the second tier, while it may be running.
  virtual void promote() = 0;
  /// Makes the code that runs have asked for (RunContext::wants_code), while it may be running.
  virtual void make_wanted() {}
  /// Whether another process finds all of its code on disk, as far as that was made by now.
  virtual bool is_kept() const { return false; }
  /// As the host prepared it, where there is no other place.
  virtual const ir::Function& function() const = 0;
  virtual ExecutableStatistics statistics() const = 0;
  struct KernelDescription {
    Span span;
    std::string ir;
    std::string not_compiled;           ///< why not; empty if it is, for some place
    std::vector<PlaceRefusal> refusals; ///< why not for others
    std::size_t versions = 0; ///< one for each place and way in which its arguments lay in memory
    KernelFacts facts;
    LaunchStatistics launches;
    std::string assembly; ///< if it was asked for
  };
  /// In the order of the code; a kernel that is walked comes before those in it.
  virtual std::vector<KernelDescription> kernels(bool with_assembly) const = 0;
  /// What has gone piece by piece, or could have.
  struct StreamDescription {
    Span span;
    PieceMeter::Totals totals;
  };
  virtual std::vector<StreamDescription> streams() const { return {}; }
  /// A SOAC of which some place other than the host takes no kernel.
  struct Obstacle {
    Span span;
    std::string place; ///< the place's name; empty: not even the host, so that it is walked
    std::string why;
  };
  virtual std::vector<Obstacle> obstacles() const { return {}; }
  /// What the places' own passes did, kernel by kernel.
  virtual std::vector<PassRecord> passes() const { return {}; }
};

/// `function` is optimised (jit/passes) and verified.  The places' backends outlive the executable.
std::shared_ptr<Executable> make_executable(ir::Function function, const Places& places,
                                            const CompileOptions& options);

} // namespace sinter::jit
