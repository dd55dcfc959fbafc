// Launches that stand ready: a loop does the same ones again and again, with other contents.
#pragma once

#include "lang/values/array.h"
#include "lang/values/scalar.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sinter::jit {

struct RunContext;
struct Stopped;

/// Where host-level code keeps what a launch reads and what it makes, by parameter and by result.
/// Of the two pointers one is null.
struct LaunchSlots {
  struct Argument {
    const Scalar* scalar = nullptr;
    Leaf* array = nullptr;
    bool is_last = false; ///< of an array: nobody reads the slot's content after this
  };
  struct Result {
    Scalar* scalar = nullptr;
    Leaf* array = nullptr;
  };
  std::vector<Argument> arguments;
  std::vector<Result> results;
};

/// The parts of a standing launch, for threads that all know what is to be done next (loop_team.h).
/// Each has words of its own for what the launch reads and makes, in the order of parameters and of
/// results: of a scalar its bits, of an array where its first element lies; an argument's strides
/// follow.  Thread-safe, but that a thread's number is one thread's at a time.
class LaunchParts {
public:
  virtual ~LaunchParts() = default;
  virtual std::int64_t count() const = 0;
  /// The indices that a part is of begin here; those of the one after the last: their number.
  virtual std::int64_t begin(std::int64_t part) const = 0;
  /// How many indices there are along the first dimension.
  virtual std::int64_t rows() const = 0;
  /// What an index needs of an array that is an argument, along the first dimension of both: no row
  /// farther than so many before its own, or behind it.
  struct Reach {
    std::int64_t before = 0, behind = 0;
    std::vector<std::uint32_t> parameters = {}; ///< numbers that say so
  };
  virtual std::optional<Reach> reach(std::size_t parameter) const = 0;
  /// Parameters whose values decided what the launch is: with others it would be another one.
  virtual std::span<const std::uint32_t> size_parameters() const = 0;
  /// Of an array that is an argument.
  virtual const Extents& strides(std::size_t parameter) const = 0;
  struct Result {
    bool is_number = false;
    Leaf leaf = {}; ///< of an array: but its buffer, which has so many bytes
    std::size_t bytes = 0;
  };
  virtual Result result(std::size_t index) const = 0;
  /// Whether there are numbers among the results: once all parts have run, `combine` makes them.
  virtual bool has_numbers() const = 0;
  /// Whether it is still the launch that would be done.
  virtual bool stands(const RunContext& context) const = 0;

  struct Call {
    unsigned thread = 0; ///< below the number that the parts were asked for with
    /// Parts leave what `combine` needs apart from each other by turns, 0 and 1: of one some may
    /// still be read while the other is written.
    unsigned turn = 0;
    const std::uint64_t* arguments = nullptr;
    std::uint64_t* results = nullptr;
  };
  /// Whether the part went to its end.
  virtual bool run(const Call& call, std::int64_t part) = 0;
  /// The same of any indices, where no numbers are made.
  virtual bool run_range(const Call& call, std::int64_t begin, std::int64_t end) = 0;
  virtual bool combine(const Call& call) = 0;
  /// Gives back what calls may have taken and have no use for any more; while there are none.
  virtual void rest() = 0;
};

/// A launch for which everything is decided and made that its sizes decide.  Of one thread at a
/// time, within one run of host-level code.
class StandingLaunch {
public:
  virtual ~StandingLaunch() = default;
  /// Does it with what is in the slots now, as Kernel::launch would; what is read there for the
  /// last time is taken.  False, and nothing has happened, if it would not be the same launch:
  /// sizes or strides are others, or the code, or the way in which threads share it.  `stopped` is
  /// set if it did not come to its end; then it cannot be done again.
  virtual bool run(const RunContext& context, std::optional<Stopped>& stopped) = 0;
  /// Its parts, for up to so many threads, which live as long as it does; null if it has none that
  /// stand alone.
  virtual LaunchParts* parts(unsigned) { return nullptr; }
  /// Somebody has done it so many times by its parts.
  virtual void note_runs(std::uint64_t) {}
};

} // namespace sinter::jit
