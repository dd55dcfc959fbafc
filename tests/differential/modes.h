// One program in every way of evaluating it, within this process.
#pragma once

#include "tests/differential/recycled_session.h"
#include "tests/generate/program_generator.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace sinter::differential {

/// What was done so far, to see whether it was worth while.
struct Totals {
  std::uint64_t programs = 0;
  std::uint64_t failed = 0;   ///< with a run-time error, in every mode
  std::uint64_t skipped = 0;  ///< took a mode too long, or the interpreter too much memory
  std::uint64_t compiled = 0; ///< programs of which a region was compiled and ran
  std::uint64_t launched = 0; ///< programs of which a kernel was launched
  std::uint64_t soacs = 0;    ///< programs with a SOAC in a kernel
  std::uint64_t regions = 0, runs = 0, kernels = 0;
  Totals& operator+=(const Totals& other);
};

/// Evaluates one program after the other in a session that it renews now and then.
class ModeComparer {
public:
  struct Options {
    unsigned threads = 0;          ///< 0: one or two, by the seed, as are the lanes
    bool verify = true;            ///< the IR, after every pass
    jit::DeviceChoice device = {}; ///< where compiled code runs if it can
    /// Code that is generated: optimised for one program in so many, else of the first tier.
    unsigned second_tier_one_in = 32;
    unsigned programs_a_session = 100;
    /// An evaluation that takes longer says nothing more, if it then ends.
    std::chrono::milliseconds time_limit{2000};
    std::size_t memory_limit = std::size_t{1} << 30;
  };
  explicit ModeComparer(const Options& options)
      : options_(options),
        session_(options.memory_limit, options.time_limit, options.programs_a_session) {}

  /// Has a GPU's context made, if programs run on one, and keeps it for as long as the comparer
  /// lives: it may take longer than a program's whole time, above all where many processes begin at
  /// once.
  void open_gpu();
  /// Whether the checker accepts a text.
  bool is_program(const std::string& text);
  /// Evaluates `main` in each mode; in what order, and the chance in mode mixed, follow from the
  /// seed.  What differs, if anything does; a program that is rejected differs too.
  std::optional<std::string> difference(const generate::Program& program, std::uint64_t seed);
  /// The same on several inputs, with the same compiled code.
  std::optional<std::string> difference(const std::string& text,
                                        std::span<const std::string> inputs, std::uint64_t seed);
  const Totals& totals() const { return totals_; }

private:
  struct Run;
  std::optional<std::string> difference_of(repl::Session& session, const core::EntryPoint& entry,
                                           std::span<const Run> runs);
  void count(const jit::Report& report);

  Options options_;
  std::unique_ptr<repl::Session> with_gpu_; ///< after `open_gpu`: whose code is on the GPU
  RecycledSession session_;
  Totals totals_;
};

} // namespace sinter::differential
