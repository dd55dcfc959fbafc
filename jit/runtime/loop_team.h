// A host-level loop that a team of threads goes through together, each by itself.
//
// Once all launches of the body stand (standing_launch.h), what an iteration does is known: numbers
// are computed, and parts of launches run, in memory that can be told beforehand.  So each thread
// does all of that: numbers for itself, of each launch the parts that are its own, and after each
// launch it waits until the others are there, too.  Nobody hands anything out, nothing is
// allocated, and nothing is asked again.
//
//   thread 0   n = n + 1   parts 0, 1 of a | parts 0, 1 of b |   the next iteration …
//   thread 1   n = n + 1   parts 2, 3 of a | parts 2, 3 of b |   |: all are there
//
// Whatever goes otherwise than it should (a check fails, somebody interrupts, memory is short)
// stops the team in front of the launch, whose arguments are as they were: host-level code does it
// again in the usual way, and says what there is to say.
//
// (This is how threads of one program have run together since F. Darema, D. A. George, V. A. Norton
// and G. F. Pfister, "A single-program-multiple-data computational model for EPEX/FORTRAN",
// Parallel Computing 7, 1988.)
#pragma once

#include "jit/runtime/backend.h"
#include "jit/runtime/plan.h"
#include "jit/runtime/standing_launch.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sinter::jit {

/// Of one run of a loop, for one way of sharing launches.
class LoopTeam {
public:
  /// Whether a loop's body is such that a team may go through it: launches, numbers, and views.
  static bool may_go_through(const plan::Block& body);

  /// Where host-level code keeps what it computes with.
  struct Frame {
    std::vector<Scalar>& scalars;
    std::vector<Leaf>& arrays;
  };
  /// The launch by number, if it stands.
  using Standing = std::function<StandingLaunch*(std::uint32_t number)>;

  /// Between two iterations of the loop.  Null if a launch does not stand, or if memory of its
  /// arrays cannot be told beforehand.  All that is given must outlive the team.
  static std::unique_ptr<LoopTeam> of(const plan::Step& loop, Frame frame, const Standing& standing,
                                      const RunContext& context, Backend& place);

  struct Ran {
    std::uint64_t iterations = 0;
    /// Of the iteration after those: the step before which it stopped, for host-level code to go on
    /// with.  What lies in the frame is what it needs for that; the team is of no use any more.
    std::optional<std::size_t> step = {};
    std::uint64_t launches = 0; ///< that have come to their ends
  };
  /// Up to `count` iterations, of which the first one's index is `begin`.  Between them, nobody
  /// else changes the loop's state.  Nothing if the launches stand no longer, or it is another way.
  std::optional<Ran> run(std::uint64_t begin, std::uint64_t count, const RunContext& context);

private:
  LoopTeam(const plan::Step& loop, Frame frame, const RunContext& context, Backend& place);

  struct Launch {
    StandingLaunch* standing = nullptr;
    LaunchParts* parts = nullptr;
    std::vector<std::size_t> word_of;             ///< by argument
    std::size_t first_word = 0, first_result = 0; ///< among those of all launches
    bool has_numbers = false, makes_arrays = false;
  };
  /// What a thread does between a launch and the next one.
  enum class Link : std::uint8_t {
    Meeting,    ///< it waits until all are through with the first one
    None,       ///< the next one needs what the thread itself has made alone
    InsideFirst ///< so do all indices but those at the ends of its own: before these it waits
  };
  /// How far it needs what others have made, before its own and behind them.
  struct Ends {
    std::int64_t before = 0, behind = 0;
    friend bool operator==(const Ends&, const Ends&) = default;
  };
  /// Arrays of the body's slots, in the order of `slots_`.
  using Arrays = std::vector<Leaf>;
  /// What a launch's arrays are in an iteration: where they lie, by parameter and by result (of
  /// numbers nothing).
  struct Foreseen {
    std::vector<std::uint64_t> arguments, results;
    std::vector<const Buffer*> read, memory; ///< of array arguments, and of array results
    Arrays before;                           ///< in front of the launch
    Link to_next = Link::Meeting;
    Ends ends; ///< indices of the next one, for each thread
  };
  struct Iteration {
    Arrays before;
    std::vector<const Buffer*> last_memory; ///< as known before it
    std::vector<Foreseen> launches;
  };
  static constexpr std::size_t line = 64;
  /// Values in cache lines that nobody else's are in, nor the neighbours of those.
  template <typename T>
  class Apart {
  public:
    void resize(std::size_t count) { lines_.resize((count * sizeof(T)) / sizeof(Lines) + 1); }
    T* data() { return reinterpret_cast<T*>(lines_.data()); }
    T& operator[](std::size_t index) { return data()[index]; }

  private:
    struct alignas(2 * line) Lines {
      std::array<std::byte, 2 * line> bytes{};
    };
    std::vector<Lines> lines_;
  };
  /// What a thread has for itself.
  struct alignas(2 * line) Member {
    Apart<Scalar> scalars, state;
    Apart<Scalar> before; ///< numbers of the iteration before, if that may not have ended
    Apart<std::uint64_t> arguments, results; ///< of all launches
  };
  struct alignas(2 * line) Seat {
    std::atomic<std::uint64_t> arrived{0}; ///< launches of this run that its member is through with
  };
  class Walk;

  static bool is_view(const plan::Action& action);
  bool decode(const Standing& standing);
  bool do_sizes_stay();
  void own_state();
  bool foresee();
  bool foresee_step(const plan::Step& step, Arrays& arrays, Iteration& iteration);
  bool foresee_launch(const plan::Step& step, Arrays& arrays, Iteration& iteration);
  bool foresee_view(const plan::Step& step, Arrays& arrays) const;
  void foresee_meetings();
  std::optional<Ends> rows_of_others(std::size_t launch, const Foreseen& at,
                                     std::size_t next_launch, const Foreseen& next) const;
  bool overwrites(const Foreseen& later, const Foreseen& earlier) const;
  BufferRef memory_for(std::size_t bytes, const Buffer* last, const Arrays& arrays,
                       const Arrays& before);
  std::size_t local(plan::Slot slot) const { return local_of_[slot]; }
  Leaf take(const plan::Use& use, Arrays& arrays) const {
    Leaf& leaf = arrays[local(use.slot)];
    return use.is_last ? std::move(leaf) : leaf;
  }
  std::size_t after(std::size_t iteration) const {
    return iteration + 1 < iterations_.size() ? iteration + 1 : first_again_;
  }
  bool is_state_as_left() const;
  void join(unsigned number);

  const plan::Step& loop_;
  const plan::Block& body_;
  Frame frame_;
  RunContext context_;
  Backend& place_;
  unsigned threads_ = 1;
  std::vector<Launch> launches_; ///< in the order of steps
  std::vector<const plan::Step*> launch_steps_;
  std::size_t words_ = 0, results_ = 0; ///< of all launches
  std::vector<bool> changes_;           ///< by slot of a number: whether iterations change it
  std::vector<plan::Slot> slots_;
  std::vector<std::size_t> local_of_;
  std::vector<BufferRef> memory_;          ///< that results may lie in
  std::vector<const Buffer*> last_memory_; ///< of the array results of all launches
  std::vector<Iteration> iterations_;      ///< after the last one `first_again_` comes again
  std::size_t first_again_ = 0;
  std::size_t at_ = 0; ///< the iteration that is next
  std::vector<Member> members_;
  std::unique_ptr<Seat[]> seats_;

  // Of one run:
  std::uint64_t begin_ = 0, count_ = 0;
  Ran ran_;                                  ///< by the first member
  std::size_t stopped_at_ = 0;               ///< the launch in front of which that one stopped
  std::size_t ran_to_ = 0;                   ///< the iteration that is next
  std::atomic<std::uint32_t> roll_{0};       ///< who is there, a bit each
  std::atomic<std::uint32_t> crew_{0};       ///< who takes part, once that is known
  std::atomic<std::uint64_t> unfinished_{0}; ///< the first launch that has not come to its end
  std::atomic<bool> is_given_up_{false}; ///< somebody has left, and will not come to the next one
};

} // namespace sinter::jit
