#include "jit/runtime/loop_team.h"

#include "lang/base/runtime_error.h"
#include "lang/base/spin_wait.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace sinter::jit {

using namespace plan;

namespace {

/// With more, each waits for the others longer than it has to do.
constexpr unsigned most_members = 8;
/// Without all members it is of no use: soon they will be there.
constexpr std::uint64_t iterations_without_all = 4;

/// Another thread's word comes within so many looks at it, mostly.
constexpr unsigned looks_at_once = 200;

} // namespace

bool LoopTeam::is_view(const Action& action) {
  return std::holds_alternative<Reshaped>(action) || std::holds_alternative<TransposeView>(action);
}

bool LoopTeam::may_go_through(const Block& body) {
  bool has_launch = false;
  for (const Step& step : body.steps) {
    if (std::holds_alternative<plan::Launch>(step.action))
      has_launch = true;
    else if (!is_scalar_code(step.action) && !is_view(step.action))
      return false;
  }
  return has_launch;
}

LoopTeam::LoopTeam(const Step& loop, Frame frame, const RunContext& context, Backend& place)
    : loop_(loop), body_(loop.blocks[0]), frame_(frame), context_(context), place_(place) {}

std::unique_ptr<LoopTeam> LoopTeam::of(const Step& loop, Frame frame, const Standing& standing,
                                       const RunContext& context, Backend& place) {
  std::unique_ptr<LoopTeam> team(new LoopTeam(loop, frame, context, place));
  try {
    if (!team->decode(standing) || !team->do_sizes_stay()) return nullptr;
    team->own_state();
    if (!team->foresee()) return nullptr;
  } catch (const RuntimeError&) {
    return nullptr; // (there is no memory beside what the loop has)
  }
  return team;
}

// ---- what is going to be done ------------------------------------------------------------------

bool LoopTeam::decode(const Standing& standing) {
  local_of_.assign(frame_.arrays.size(), SIZE_MAX);
  const auto note = [&](const auto& item) {
    if (!item.is_array || local_of_[item.slot] != SIZE_MAX) return;
    local_of_[item.slot] = slots_.size();
    slots_.push_back(item.slot);
  };
  std::ranges::for_each(body_.parameters, note);
  const unsigned threads = std::min(place_.thread_limit(context_), most_members);
  std::int64_t most_parts = 1;
  for (const Step& step : body_.steps) {
    std::ranges::for_each(step.uses, note);
    std::ranges::for_each(step.targets, note);
    const auto* const launch = std::get_if<plan::Launch>(&step.action);
    if (!launch) continue;
    LoopTeam::Launch& decoded = launches_.emplace_back();
    decoded.standing = standing(launch->number);
    decoded.parts = decoded.standing ? decoded.standing->parts(threads) : nullptr;
    if (!decoded.parts) return false;
    most_parts = std::max(most_parts, decoded.parts->count());
    decoded.has_numbers = decoded.parts->has_numbers();
    decoded.first_word = words_;
    decoded.first_result = results_;
    for (std::size_t i = 0; i < step.uses.size(); ++i) {
      decoded.word_of.push_back(words_ - decoded.first_word);
      words_ += 1 + (step.uses[i].is_array ? decoded.parts->strides(i).size() : 0);
    }
    results_ += step.targets.size();
    launch_steps_.push_back(&step);
    for (const Target& target : step.targets)
      if (target.is_array) {
        decoded.makes_arrays = true;
        last_memory_.push_back(nullptr);
      }
  }
  std::ranges::for_each(body_.results, note);
  threads_ = static_cast<unsigned>(std::min<std::int64_t>(threads, most_parts));
  members_ = std::vector<Member>(threads_);
  for (Member& member : members_) {
    member.scalars.resize(frame_.scalars.size());
    member.before.resize(frame_.scalars.size());
    member.state.resize(body_.results.size());
    member.arguments.resize(words_);
    member.results.resize(results_);
  }
  seats_ = std::make_unique<Seat[]>(threads_);
  return true;
}

/// Whether the numbers that decide what launches and views are come from outside of the loop.
bool LoopTeam::do_sizes_stay() {
  changes_.assign(frame_.scalars.size(), false);
  std::vector<bool>& changes = changes_;
  for (const Target& parameter : body_.parameters)
    if (!parameter.is_array) changes[parameter.slot] = true;
  std::size_t number = 0;
  for (const Step& step : body_.steps) {
    if (const auto* apply = std::get_if<Apply>(&step.action)) {
      changes[apply->result] = std::ranges::any_of(
          apply->arguments, [&](Slot argument) { return bool(changes[argument]); });
    } else if (const auto* choose = std::get_if<Choose>(&step.action)) {
      changes[choose->result] =
          changes[choose->condition] || changes[choose->then_value] || changes[choose->else_value];
    } else if (const auto* reshaped = std::get_if<Reshaped>(&step.action)) {
      for (const Slot extent : reshaped->shape.extents)
        if (changes[extent]) return false;
    } else if (std::holds_alternative<plan::Launch>(step.action)) {
      for (const std::uint32_t parameter : launches_[number++].parts->size_parameters())
        if (changes[step.uses[parameter].slot]) return false;
      for (const Target& target : step.targets)
        if (!target.is_array) changes[target.slot] = true;
    }
  }
  return true;
}

// ---- doing it ----------------------------------------------------------------------------------

/// One thread's way through the iterations of a run.
class LoopTeam::Walk {
public:
  Walk(LoopTeam& team, unsigned rank, unsigned size)
      : team_(team), rank_(rank), size_(size), member_(team.members_[rank]), at_(team.at_) {
    std::ranges::copy(team.frame_.scalars, member_.scalars.data());
    // Strides are the same for all launches.
    for (std::size_t l = 0; l < team.launches_.size(); ++l) {
      const LoopTeam::Launch& launch = team.launches_[l];
      const std::vector<Use>& uses = team.launch_steps_[l]->uses;
      for (std::size_t i = 0; i < uses.size(); ++i)
        if (uses[i].is_array)
          std::ranges::copy(launch.parts->strides(i),
                            member_.arguments.data() + launch.first_word + launch.word_of[i] + 1);
    }
  }

  /// What there was, and where it stopped.
  Ran run(std::uint64_t begin, std::uint64_t count) {
    const std::vector<Step>& steps = team_.body_.steps;
    for (std::uint64_t done = 0; done < count; ++done) {
      begin_iteration(begin + done);
      is_last_ = done + 1 == count;
      turn_ = static_cast<unsigned>(done % 2);
      launch_ = 0;
      for (std::size_t i = 0; i < steps.size(); ++i)
        if (!do_step(steps[i])) return stopped(done, i);
      keep_numbers();
      pass_state();
      before_ = at_;
      at_ = team_.after(at_);
    }
    return {.iterations = count};
  }
  std::size_t iteration() const { return at_; }
  std::size_t launch() const { return launch_; }

private:
  void begin_iteration(std::uint64_t index) {
    member_.scalars[team_.body_.parameters[0].slot] = Scalar{index};
  }
  std::size_t count_of_numbers() const { return team_.frame_.scalars.size(); }
  /// Of an iteration that it may have to come back to.
  void keep_numbers() {
    if (has_gone_on_)
      std::copy_n(member_.scalars.data(), count_of_numbers(), member_.before.data());
  }

  /// In front of this step; or, if the launch that has not come to its end is the one before that
  /// nobody had waited for, in front of that.
  Ran stopped(std::uint64_t done, std::size_t step) {
    const std::uint64_t unfinished =
        std::min(team_.unfinished_.load(std::memory_order_relaxed), never_met_);
    const std::uint64_t here = done * team_.launches_.size() + launch_;
    if (unfinished >= here) return {.iterations = done, .step = step};
    const std::uint64_t back = here - unfinished;
    if (back > launch_) {
      // It was one of the iteration before, which had other numbers.
      at_ = before_;
      --done;
      std::copy_n(member_.before.data(), count_of_numbers(), member_.scalars.data());
      launch_ += team_.launches_.size();
    }
    launch_ -= back;
    const Step* const at = team_.launch_steps_[launch_];
    return {.iterations = done, .step = static_cast<std::size_t>(at - team_.body_.steps.data())};
  }

  bool do_step(const Step& step) {
    Scalar* const scalars = member_.scalars.data();
    if (const auto* apply = std::get_if<Apply>(&step.action))
      scalars[apply->result] = apply->apply(
          scalars[apply->arguments[0]], scalars[apply->arguments[1]], scalars[apply->arguments[2]]);
    else if (const auto* choose = std::get_if<Choose>(&step.action))
      scalars[choose->result] =
          scalars[scalars[choose->condition].bits ? choose->then_value : choose->else_value];
    else if (const auto* check = std::get_if<CheckCondition>(&step.action))
      return holds(scalars[check->condition]);
    else if (std::holds_alternative<plan::Launch>(step.action))
      return do_launch(step);
    return true; // (where views lie has been foreseen)
  }

  /// (A launch that nobody has waited for may have failed before.)
  bool holds(Scalar condition) {
    if (condition.bits != 0) return true;
    if (has_gone_on_) (void)meet();
    return false;
  }

  bool do_launch(const Step& step) {
    const LoopTeam::Launch& launch = team_.launches_[launch_];
    const Foreseen& foreseen = team_.iterations_[at_].launches[launch_];
    std::uint64_t* const words = member_.arguments.data() + launch.first_word;
    std::uint64_t* const results = member_.results.data() + launch.first_result;
    for (std::size_t i = 0; i < step.uses.size(); ++i) {
      const Use& use = step.uses[i];
      words[launch.word_of[i]] =
          use.is_array ? foreseen.arguments[i] : member_.scalars[use.slot].bits;
    }
    std::ranges::copy(foreseen.results, results);
    const LaunchParts::Call call{rank_, turn_, words, results};
    if (!runs_own(launch, call)) {
      note_unfinished();
      is_pointless_ = true;
    }
    const bool is_end = is_last_ && launch_ + 1 == team_.launches_.size();
    const Link link = is_end ? Link::Meeting : foreseen.to_next;
    ends_ = link == Link::InsideFirst ? foreseen.ends : Ends{};
    if (link != Link::Meeting) {
      if (link == Link::InsideFirst) say_done();
      has_gone_on_ = true;
      ++number_;
      ++launch_;
      return true;
    }
    if (!meet()) return false;
    has_gone_on_ = false;
    first_unmet_ = number_;
    if (launch.has_numbers) {
      // (Who is interrupted there does not come to the next one.)
      if (!launch.parts->combine(call)) {
        team_.is_given_up_.store(true, std::memory_order_release);
        return false;
      }
      for (std::size_t i = 0; i < step.targets.size(); ++i)
        if (!step.targets[i].is_array) member_.scalars[step.targets[i].slot].bits = results[i];
    }
    ++launch_;
    return true;
  }

  /// Runs the parts that are this thread's; whether all went to their ends.  Once one has not,
  /// those after it would read what was never made.
  bool runs_own(const LoopTeam::Launch& launch, const LaunchParts::Call& call) {
    LaunchParts& parts = *launch.parts;
    const std::int64_t first = parts.count() * rank_ / size_;
    const std::int64_t last = parts.count() * (rank_ + 1) / size_;
    if (is_pointless_ || first == last) return true;
    const std::int64_t begin = parts.begin(first), end = parts.begin(last);
    const std::int64_t inside = first == 0 ? begin : std::min(begin + ends_.before, end);
    const std::int64_t inside_end =
        last == parts.count() ? end : std::max(end - ends_.behind, inside);
    if (inside == begin && inside_end == end) {
      for (std::int64_t part = first; part < last; ++part)
        if (!parts.run(call, part)) return false;
      return true;
    }
    if (inside < inside_end && !parts.run_range(call, inside, inside_end)) return false;
    if (!wait_for(number_ - 1)) {
      is_pointless_ = true;
      return true;
    }
    return (begin == inside || parts.run_range(call, begin, inside)) &&
           (inside_end == end || parts.run_range(call, inside_end, end));
  }

  void note_unfinished() {
    std::uint64_t least = team_.unfinished_.load(std::memory_order_relaxed);
    while (number_ < least && !team_.unfinished_.compare_exchange_weak(least, number_))
      ;
  }

  void say_done() {
    if (size_ > 1) team_.seats_[rank_].arrived.store(number_ + 1, std::memory_order_release);
  }
  /// Until all are through with a launch; whether that has come to its end, and those before.
  bool wait_for(std::uint64_t number) {
    for (unsigned other = 0; other < size_; ++other) {
      if (other == rank_) continue;
      for (SpinWait waiting(looks_at_once);
           team_.seats_[other].arrived.load(std::memory_order_acquire) <= number; waiting.wait())
        if (team_.is_given_up_.load(std::memory_order_acquire)) {
          never_met_ = first_unmet_;
          return false;
        }
    }
    return team_.unfinished_.load(std::memory_order_relaxed) > number;
  }
  /// (Whether all have come to their ends is known before anybody begins the next one: all see the
  /// same.)
  bool meet() {
    say_done();
    return wait_for(number_++);
  }

  /// The numbers of the state for the next iteration.
  void pass_state() {
    const std::vector<Use>& results = team_.body_.results;
    for (std::size_t i = 0; i < results.size(); ++i)
      if (!results[i].is_array) member_.state[i] = member_.scalars[results[i].slot];
    for (std::size_t i = 0; i < results.size(); ++i)
      if (!results[i].is_array) member_.scalars[team_.loop_.targets[i].slot] = member_.state[i];
  }

  LoopTeam& team_;
  const unsigned rank_, size_;
  Member& member_;
  std::size_t at_, before_ = 0;          ///< iteration, of those foreseen, and the one before it
  std::size_t launch_ = 0;               ///< of the iteration
  std::uint64_t number_ = 0;             ///< of the launch in this run
  bool is_last_ = false;                 ///< iteration
  bool has_gone_on_ = false;             ///< since a launch that nobody has waited for
  bool is_pointless_ = false;            ///< a launch since then has not come to its end
  std::uint64_t first_unmet_ = 0;        ///< launch since then
  std::uint64_t never_met_ = UINT64_MAX; ///< that one, if somebody has given up
  Ends ends_;                            ///< of the next launch, before which others are waited for
  unsigned turn_ = 0;
};

void LoopTeam::join(unsigned number) {
  const std::uint32_t mine = 1u << number;
  std::uint32_t crew = roll_.fetch_or(mine, std::memory_order_acq_rel) | mine;
  if (number == 0) {
    constexpr int patience = 64;
    const std::uint32_t all = (1u << threads_) - 1;
    for (int turn = 0; turn < patience && crew != all; ++turn) {
      __builtin_ia32_pause();
      crew = roll_.load(std::memory_order_acquire);
    }
    if (crew != all) count_ = std::min(count_, iterations_without_all);
    crew_.store(crew, std::memory_order_release);
  } else {
    SpinWait waiting(looks_at_once);
    while ((crew = crew_.load(std::memory_order_acquire)) == 0)
      waiting.wait();
    if ((crew & mine) == 0) return; // it has come too late
  }
  const auto rank = static_cast<unsigned>(std::popcount(crew & (mine - 1)));
  Walk walk(*this, rank, static_cast<unsigned>(std::popcount(crew)));
  const Ran ran = walk.run(begin_, count_);
  if (rank != 0) return;
  ran_ = ran;
  stopped_at_ = walk.launch();
  ran_to_ = walk.iteration();
}

bool LoopTeam::is_state_as_left() const {
  const Arrays& before = iterations_[at_].before;
  return std::ranges::all_of(loop_.targets, [&](const Target& target) {
    return !target.is_array ||
           frame_.arrays[target.slot].buffer.get() == before[local(target.slot)].buffer.get();
  });
}

std::optional<LoopTeam::Ran> LoopTeam::run(std::uint64_t begin, std::uint64_t count,
                                           const RunContext& context) {
  for (const Launch& launch : launches_)
    if (!launch.parts->stands(context)) return std::nullopt;
  assert(is_state_as_left());
  begin_ = begin;
  count_ = count;
  roll_ = 0;
  crew_ = 0;
  unfinished_ = UINT64_MAX;
  is_given_up_ = false;
  for (unsigned rank = 0; rank < threads_; ++rank)
    seats_[rank].arrived = 0;
  if (threads_ == 1)
    join(0);
  else
    place_.on_threads(threads_, [this](unsigned number) { join(number); });
  std::copy_n(members_[0].scalars.data(), frame_.scalars.size(), frame_.scalars.begin());
  at_ = ran_to_;
  const Iteration& next = iterations_[at_];
  const bool stopped_at_launch =
      ran_.step && std::holds_alternative<plan::Launch>(body_.steps[*ran_.step].action);
  const Arrays& arrays = stopped_at_launch ? next.launches[stopped_at_].before : next.before;
  for (std::size_t i = 0; i < slots_.size(); ++i)
    frame_.arrays[slots_[i]] = arrays[i];
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    const std::uint64_t runs = ran_.iterations + (ran_.step && i < stopped_at_ ? 1 : 0);
    launches_[i].parts->rest();
    launches_[i].standing->note_runs(runs);
    ran_.launches += runs;
  }
  return ran_;
}

} // namespace sinter::jit
