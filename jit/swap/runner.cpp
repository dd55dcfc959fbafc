// Regions for offers: made when it is time, run, and what becomes of a run.
#include "jit/swap/swapper.h"

#include <algorithm>
#include <utility>

namespace sinter::jit {

namespace {

/// Regions that are kept; beyond that the least recently used one goes.
constexpr std::size_t most_regions = 1000;
/// Bytes that a copy handles in a nanosecond, about.
constexpr std::int64_t copied_per_nanosecond = 4;
/// What has run for so long in the first tier, the making of its kernels included, gets the second
/// while it goes on: by then that has cost as much as making it will; nanoseconds.
constexpr std::int64_t patience = 3 * compiling_cost;
/// What takes less on average is not watched for it.
constexpr std::int64_t enough_to_watch = compiling_cost / 10;
/// What took longer is not evaluated again for the sake of an error's words; nanoseconds.
constexpr std::int64_t longest_repeated = 30'000'000'000;

/// Adds the time until its end to a sum of nanoseconds.
class Stopwatch {
public:
  explicit Stopwatch(std::int64_t& sum) : sum_(sum), began_(Accelerator::now()) {}
  ~Stopwatch() { sum_ += Accelerator::now() - began_; }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

private:
  std::int64_t& sum_;
  std::int64_t began_;
};

} // namespace

RegionKey Swapper::key_of(const Offer& offer) const {
  return {offer.target(), offer.layouts(*session_.representations), offer.is_unsafe};
}

void Swapper::note(Region& region, const Offer& offer, const Demand& demand) const {
  if (!session_.precedents) return;
  const std::int64_t nanoseconds =
      demand.interpreted > 0 ? demand.interpreted : offer.site.interpreted.time_for(offer.work);
  if (nanoseconds < worth_noting) return;
  region.occasion = offer.occasion();
  if (region.occasion.is_known()) session_.precedents->note(region.occasion, nanoseconds);
  const Occasion& evaluation = session_.precedents->evaluation();
  if (evaluation.is_known() && evaluation != region.occasion)
    session_.precedents->note(evaluation, nanoseconds);
}

std::shared_ptr<Region> Swapper::region_of(const Offer& offer) const {
  const RegionKey key = key_of(offer);
  std::shared_ptr<Region> region;
  for (const std::shared_ptr<Region>& known : offer.site.regions)
    if (known->key == key) region = known;
  return region;
}

std::shared_ptr<Region> Swapper::region_for(const Offer& offer, const Demand& demand,
                                            const Candidate* around) {
  Site& site = offer.site;
  // What failed is evaluated again to word the error: to offer the rest of it again is no use.
  if (site.failed_in == evaluation_ && evaluation_ > 0) return nullptr;
  if (site.offers_to_skip > 0) {
    --site.offers_to_skip;
    return nullptr;
  }
  const bool is_automatic = mode() == Mode::Auto;
  const bool is_at_once = !is_automatic || demand.is_urgent;
  const bool may_make =
      is_at_once || demand.is_wanted || (site.is_hot() && !belongs_to_call(around));
  if (!may_make && site.regions.empty()) return nullptr;
  std::shared_ptr<Region> region = region_of(offer);
  if (!region) {
    if (!may_make) return nullptr;
    evict_if_full();
    RegionKey key = key_of(offer);
    std::string why = reason_to_compile(site, key, demand);
    region = std::make_shared<Region>(std::move(key), site.name, site.span, std::move(why));
    if (is_automatic) note(*region, offer, demand);
    site.regions.push_back(region);
    ++region_count_;
    compile(region, is_at_once, demand);
  } else if (is_outdated(*region) ||
             (is_automatic && is_at_once && region->state() == Region::State::Waiting)) {
    // (What is waiting in the background comes too late for who needs it now.)
    region = renewed(site, region);
    compile(region, is_at_once, demand);
  }
  while (region->state() == Region::State::Stalled) {
    compute(region->wanted());
    region = renewed(site, region);
    compile(region, is_at_once, demand);
  }
  switch (region->state()) {
  case Region::State::Compiled:
    promote_if_worth_it(region);
    if (region->has_new_code()) region->pace = {};
    if (is_automatic && has_lost(site.interpreted, region->pace)) return nullptr;
    return region;
  case Region::State::Waiting:
  case Region::State::Stalled: // since a moment ago, in the background: the next offer sees to it
    return nullptr;
  case Region::State::Rejected:
    // To find that out again for every offer would cost more than it is worth.
    site.skipped_last = std::min<std::uint32_t>(site.skipped_last * 2 + 1, 1023);
    // (Where everything is to be compiled, a site gets some chances with other inputs.)
    if (is_automatic || site.skipped_last > 15) site.offers_to_skip = site.skipped_last;
    return nullptr;
  }
  __builtin_unreachable();
}

void Swapper::compile(const std::shared_ptr<Region>& region, bool is_at_once,
                      const Demand& demand) {
  SwapOptions options = options_;
  if (demand.is_worth_optimising && options.tier == Tier::Automatic) options.tier = Tier::Second;
  if (!is_at_once) {
    queue_.add(region, options);
    return;
  }
  const Stopwatch watch(waited_);
  wait_for([&compiler = compiler_, region, options](const std::byte* stack_limit) {
    compiler.compile(*region, options, stack_limit);
  });
}

void Swapper::promote_if_worth_it(const std::shared_ptr<Region>& region) {
  if (!region->compiled().may_be_promoted || region->is_promoted) return;
  const bool is_mixed = mode() == Mode::Mixed;
  const bool is_hot = is_mixed ? chance(4) : region->run_nanoseconds >= compiling_cost;
  if (!is_hot) return;
  region->is_promoted = true;
  if (is_mixed)
    wait_for([&compiler = compiler_, region](const std::byte*) { compiler.promote(*region); });
  else
    queue_.promote(region);
}

void Swapper::wait_for(CompileThreads::Work work) {
  if (!compile_threads_.run(std::move(work), session_.interrupt, epoch_))
    throw interruption(session_.interrupt->reason());
}

void Swapper::evict_if_full() {
  if (region_count_ < most_regions) return;
  Site* oldest_site = nullptr;
  std::shared_ptr<Region> oldest;
  profile_.for_each([&](Site& site) {
    for (const std::shared_ptr<Region>& region : site.regions)
      if (region->state() != Region::State::Waiting &&
          (!oldest || region->last_used < oldest->last_used)) {
        oldest_site = &site;
        oldest = region;
      }
  });
  if (!oldest) return;
  std::erase(oldest_site->regions, oldest);
  ++oldest_site->evicted;
  --region_count_;
}

std::optional<Value> Swapper::take(Offer& offer, const Demand& demand, const Candidate* around,
                                   std::int64_t* fails_at) {
  if (std::exchange(offer.site.attempt, attempt_) != attempt_) offer.site.offers = 0;
  ++offer.site.offers;
  while (true) {
    const std::shared_ptr<Region> region = region_for(offer, demand, around);
    if (!region) return std::nullopt;
    if (mode() == Mode::Auto && !demand.is_urgent && !demand.is_worth_launching &&
        !is_worth_launching(offer.site.interpreted, region->pace, offer.work))
      return std::nullopt;
    bool is_outdated = false;
    std::optional<Value> result = run_region(region, offer, fails_at, is_outdated);
    if (result || !is_outdated) return result;
  }
}

RegionOutcome Swapper::run_watched(const std::shared_ptr<Region>& region, std::vector<Value> inputs,
                                   const RunContext& context) {
  const auto runs = static_cast<std::int64_t>(region->runs);
  const bool may_be_long = region->run_nanoseconds >= runs * enough_to_watch;
  const bool is_watched = mode() == Mode::Auto && region->compiled().may_be_promoted &&
                          !region->is_promoted && may_be_long;
  if (!is_watched) return run(*region, std::move(inputs), session_, context);
  late_promotion_.run_begins(region, std::chrono::nanoseconds(patience));
  RegionOutcome outcome = run(*region, std::move(inputs), session_, context);
  if (late_promotion_.run_ended()) region->is_promoted = true;
  return outcome;
}

std::optional<Value> Swapper::run_region(const std::shared_ptr<Region>& run_of, Offer& offer,
                                         std::int64_t* fails_at, bool& is_outdated) {
  Region& region = *run_of;
  const CompiledRegion& compiled = region.compiled();
  const bool keeps = keeps_inputs(region, offer.site);
  RunContext context;
  context.memory = session_.memory;
  context.interrupt = session_.interrupt;
  context.epoch = epoch_;
  context.threads = options_.threads;
  context.compile_threads = &compile_threads_;
  region.last_used = ++runs_;
  const Stopwatch watch(ran_);
  const std::int64_t ran_before = region.run_nanoseconds;
  RegionOutcome outcome = run_watched(run_of, offer.take(!keeps), context);
  if (auto* value = std::get_if<Value>(&outcome)) {
    region.pace.add(region.run_nanoseconds - ran_before, offer.work);
    return std::move(*value);
  }
  const Stopped& stopped = std::get<Stopped>(outcome);
  switch (stopped.why) {
  case Stopped::Why::Interrupted:
    throw interruption(session_.interrupt->reason());
  case Stopped::Why::OutOfMemory:
    if (keeps) return std::nullopt;
    throw RuntimeError(FailureKind::OutOfMemory, stopped.words, stopped.span);
  case Stopped::Why::Declined: {
    offer.site.failed_in = evaluation_; // also when all is evaluated again
    if (keeps) return std::nullopt;
    RuntimeError error(FailureKind::OutOfMemory, stopped.words, stopped.span);
    error.is_provisional = !is_repeated_;
    throw error;
  }
  case Stopped::Why::Failed:
    break;
  }
  const ir::FailureSite& site = compiled.executable->function().failures[stopped.site];
  if (site.kind == FailureKind::Deferred) {
    is_outdated = compute_awaited(compiled, site);
    if (is_outdated) return std::nullopt;
  }
  if (fails_at && stopped.first_index) *fails_at = *stopped.first_index;
  if (keeps) {
    offer.site.failed_in = evaluation_;
    return std::nullopt;
  }
  failed_site_ = &offer.site;
  failed_offer_ = offer.site.offers;
  throw failure_of(region, site);
}

bool Swapper::keeps_inputs(const Region& region, const Site& site) const {
  // What may fail is evaluated again by the interpreter, which words the error: from inputs that
  // are kept, which then cannot be overwritten.  Where copying them would take longer than the work
  // itself, they are given away; if a check fails then, all is evaluated again.
  const CompiledRegion& compiled = region.compiled();
  if (!compiled.may_fail || !compiled.consumes || compiled.asks_evaluator || region.runs == 0)
    return compiled.may_fail;
  // A repeated evaluation most likely fails at the same offer: there it keeps them in any case.
  if (is_repeated_ &&
      (now() < keeps_until_ || (&site == failed_site_ && site.offers >= failed_offer_)))
    return true;
  const std::int64_t copying =
      static_cast<std::int64_t>(region.least_bytes / region.runs) / (copied_per_nanosecond * 2);
  return copying <= region.run_nanoseconds / static_cast<std::int64_t>(region.runs) / 4;
}

RuntimeError Swapper::failure_of(const Region& region, const ir::FailureSite& site) const {
  RuntimeError error(site.kind, site.message, site.span);
  if (!site.id.empty()) error.id = site.id;
  error.frames = site.frames;
  error.lacks_callers = true;
  // The outermost frame is the target's: as the evaluator sees it, a part of the one around it, or
  // (a call) the one that it has entered already.
  if (!error.frames.empty() && !std::holds_alternative<OperationTarget>(region.key.target))
    error.frames.back().function = {};
  // Whether a size is too much only the evaluator can tell, however long it takes.
  const bool is_open = site.kind == FailureKind::OutOfMemory;
  error.is_provisional = !is_repeated_ && (is_open || now() - began_ <= longest_repeated);
  return error;
}

} // namespace sinter::jit
