// How long work takes, as measured: whether more threads pay is known only then.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <optional>

namespace sinter::jit {

/// Of one kernel's launches that are large enough to be shared, or of a loop's iterations.  Times
/// are by size: small arrays come from the caches.  Thread-safe.
class WorkMeter {
public:
  /// Whether one thread does the work, or all do.
  enum class Way : std::uint8_t { Alone, Together };

  /// To tell another thread and wait for it, in nanoseconds.
  static constexpr double least_worth_sharing = 1'200;

  /// What is known of a launch before it runs.
  struct Question {
    std::int64_t count = 0;
    double expected_nanoseconds = 1e9; ///< alone, roughly
    double longest_trial = 60'000;     ///< of alone, in nanoseconds
    /// Whether the one before has just ended, so that other threads stand by.
    bool follows = true;
  };

  /// The way that took less time at about that size.  Together comes first where the work may be
  /// long; alone is tried where it cannot be: what takes much longer than to wake others takes less
  /// time with them.  Together is tried again soon, as its first time is others' too (threads
  /// begin, memory is touched first).  The slower way is tried again and again as long as that
  /// costs little, and otherwise from time to time: somebody else may have had the processors.
  /// Little work is shared only with threads that stand by.
  Way choose(const Question& question) {
    /// To wake it before.
    constexpr double least_worth_waking = 40'000;
    /// What a trial may cost, in nanoseconds or as a share of the launch, whichever is more.
    constexpr double cheap = 20'000, cheap_share = 0.25;
    const std::int64_t count = question.count;
    Times& times = by_size_[size_class(count)];
    const double alone = estimate(times.alone, count), together = estimate(times.together, count);
    const double work = alone > 0 ? alone : question.expected_nanoseconds;
    if (work < least_worth_sharing) return Way::Alone;
    if (work < least_worth_waking && (alone == 0 || !question.follows)) return Way::Alone;
    if (together == 0) return Way::Together;
    if (alone == 0) return together < question.longest_trial ? Way::Alone : Way::Together;
    const Way better = alone < together ? Way::Alone : Way::Together;
    const Way other = better == Way::Alone ? Way::Together : Way::Alone;
    const bool may_try = other == Way::Together || alone < question.longest_trial;
    const std::uint32_t launch = times.launches.fetch_add(1, std::memory_order_relaxed) + 1;
    const double shortest = std::min(alone, together), lost = std::max(alone, together) - shortest;
    const bool is_cheap = lost < std::max(cheap, cheap_share * shortest);
    const bool is_first = other == Way::Together && launch == first_trial;
    if (!may_try) return better;
    if (is_first || is_trial(launch, is_cheap)) return other;
    // Of little work the first one wakes a thread, and those after it find it there.
    constexpr std::uint32_t in_a_row = 4;
    if (other == Way::Together && alone < least_worth_waking)
      for (std::uint32_t back = 1; back < std::min(in_a_row, launch); ++back)
        if (is_trial(launch - back, is_cheap)) return other;
    return better;
  }
  void add(std::int64_t count, Way way, double nanoseconds) {
    if (count <= 0) return;
    Times& times = by_size_[size_class(count)];
    std::atomic<float>& known = way == Way::Alone ? times.alone : times.together;
    const auto measured = static_cast<float>(nanoseconds / static_cast<double>(count));
    const float before = known.load(std::memory_order_relaxed);
    if (way == Way::Alone) times.times_alone.fetch_add(1, std::memory_order_relaxed);
    // What was slow may have been in others' way, or the first to touch its memory.  What was very
    // slow had no processor for some time.
    constexpr float most_slower = 2;
    const bool is_slower = before > 0 && measured > before;
    const float slower = std::min(measured, most_slower * before);
    known.store(is_slower ? before + (slower - before) / 8 : measured, std::memory_order_relaxed);
  }

  /// Of about so many indices; 0: not known.
  double nanoseconds_alone(std::int64_t count) const {
    return count <= 0 ? 0 : estimate(by_size_[size_class(count)].alone, count);
  }
  /// The way that took less time at about that size; nothing if one of them is not known.
  std::optional<Way> better(std::int64_t count) const {
    if (count <= 0) return std::nullopt;
    const Times& times = by_size_[size_class(count)];
    const double alone = estimate(times.alone, count), together = estimate(times.together, count);
    if (alone == 0 || together == 0) return std::nullopt;
    return alone < together ? Way::Alone : Way::Together;
  }
  /// Whether that has been measured often enough that the first times, which are others' too, are
  /// forgotten.
  bool is_settled(std::int64_t count) const {
    constexpr std::uint32_t enough = 4;
    return count <= 0 ||
           by_size_[size_class(count)].times_alone.load(std::memory_order_relaxed) >= enough;
  }

private:
  struct Times { ///< nanoseconds for an index; 0: not known
    std::atomic<float> alone = 0, together = 0;
    std::atomic<std::uint32_t> times_alone = 0; ///< that it was measured
    std::atomic<std::uint32_t> launches = 0;    ///< since both have been known
  };
  static constexpr std::uint32_t first_trial = 4, interval = 256;
  static bool is_trial(std::uint32_t launch, bool is_cheap) {
    return launch % interval == 0 ||
           (is_cheap && launch >= first_trial && std::has_single_bit(launch));
  }
  static double estimate(const std::atomic<float>& time, std::int64_t count) {
    return time.load(std::memory_order_relaxed) * static_cast<double>(count);
  }
  static std::size_t size_class(std::int64_t count) {
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(count)));
  }
  std::array<Times, 65> by_size_{};
};

} // namespace sinter::jit
