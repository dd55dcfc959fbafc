// Launches that stand ready: a loop does the same ones again and again, with other contents.
#pragma once

#include "lang/values/array.h"
#include "lang/values/scalar.h"

#include <optional>
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
};

} // namespace sinter::jit
