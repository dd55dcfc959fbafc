// Random programs with their assumptions tested: sound ones raise no alarm, violations are found.
#pragma once

#include "tests/differential/recycled_session.h"
#include "tests/generate/violations.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinter::differential {

class AssumptionJudge {
public:
  struct Options {
    std::chrono::milliseconds time_limit{5000};
    std::size_t memory_limit = std::size_t{1} << 30;
    unsigned programs_a_session = 100;
    bool compiles = true; ///< sound programs are compiled, too
  };
  /// What became of the programs with a violation of one kind.
  struct Found {
    std::uint64_t planted = 0;
    std::uint64_t matter = 0;          ///< of which another order gives another result
    std::uint64_t found = 0;           ///< of those
    std::vector<std::uint64_t> missed; ///< their seeds
  };
  explicit AssumptionJudge(const Options& options)
      : options_(options),
        session_(options.memory_limit, options.time_limit, options.programs_a_session) {}

  /// A sound program: an alarm, or a result that differs from the interpreter's or the compiled
  /// program's in a bit, is a fault, which is returned.
  std::optional<std::string> fault_of_sound(const generate::Program& program);
  /// Counts a program with a violation.
  void count_violation(const generate::PlantedViolation& planted, std::uint64_t seed, Found& found);

private:
  struct Ended {
    repl::Outcome outcome; ///< without its value, which must not outlive the session
    std::string text;      ///< of the results, exactly; of a NaN not what it carries
  };
  Ended evaluated(const generate::Program& program, Debugging debugging,
                  jit::Mode mode = jit::Mode::Interpret);

  Options options_;
  RecycledSession session_;
};

} // namespace sinter::differential
