// Where and when regions are compiled: while the evaluation waits, or in the background.
//
// Must not know: why.
#pragma once

#include "jit/runtime/compile_threads.h"
#include "jit/swap/compile_queue.h"
#include "jit/swap/late_promotion.h"
#include "jit/swap/region_compiler.h"
#include "jit/swap/situation.h"

#include <memory>
#include <vector>

namespace sinter::jit {

class Compilations {
public:
  Compilations(Situation& situation, RegionCompiler& compiler)
      : situation_(situation), compiler_(compiler), queue_(compiler), late_promotion_(compiler) {}
  /// What is being compiled ends early.
  ~Compilations() { compiler_.stop(); }
  Compilations(const Compilations&) = delete;
  Compilations& operator=(const Compilations&) = delete;

  /// At once, or in the background.  `is_for_long`: in the second tier, if the tiers are automatic.
  /// Throws RuntimeError if it is interrupted while the evaluation waits; then the compilation goes
  /// on in the background.
  void compile(const std::shared_ptr<Region>& region, bool is_at_once, bool is_for_long);
  /// Brings a compiled region to the second tier; throws the same.
  void promote(const std::shared_ptr<Region>& region, bool is_at_once);
  /// Runs it; where it may run for long in its first tier, it gets the second one meanwhile.
  RegionOutcome run(const std::shared_ptr<Region>& region, std::vector<Value> inputs,
                    const RunContext& context);
  /// On which a run may have its kernels compiled.
  CompileThreads& threads() { return threads_; }

  /// Returns when nothing is left to do in the background, or at an interruption.
  void wait();
  bool is_busy();

private:
  /// Returns when the work is done.
  void wait_for(CompileThreads::Work work);

  Situation& situation_;
  RegionCompiler& compiler_;
  CompileThreads threads_; ///< where the evaluation waits for what is compiled
  CompileQueue queue_;     ///< at the end, as these threads end first
  LatePromotion late_promotion_;
};

} // namespace sinter::jit
