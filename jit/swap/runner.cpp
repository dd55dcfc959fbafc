#include "jit/swap/runner.h"

#include <utility>

namespace sinter::jit {

namespace {

/// Bytes that a copy handles in a nanosecond, about.
constexpr std::int64_t copied_per_nanosecond = 4;
/// What took longer is not evaluated again for the sake of an error's words; nanoseconds.
constexpr std::int64_t longest_repeated = 30'000'000'000;

} // namespace

std::optional<Value> Runner::take(Offer& offer, const Demand& demand, const Candidate* around,
                                  std::int64_t* fails_at) {
  Site& site = offer.site;
  const std::uint64_t attempt = situation_.evaluation.attempt;
  if (std::exchange(site.attempt, attempt) != attempt) site.offers = 0;
  ++site.offers;
  while (true) {
    const std::shared_ptr<Region> region = regions_.usable_for(offer, demand, around);
    if (!region) return std::nullopt;
    if (situation_.mode() == Mode::Auto && !demand.is_urgent && !demand.is_worth_launching &&
        !is_worth_launching(site.interpreted, region->pace, offer.work))
      return std::nullopt;
    Run run{region, offer, keeps_inputs(*region, site)};
    std::optional<Value> result = result_of(run, fails_at);
    if (result || !run.is_outdated) return result;
  }
}

RunContext Runner::context() {
  RunContext context;
  context.memory = situation_.session.memory;
  context.interrupt = situation_.session.interrupt;
  context.epoch = situation_.evaluation.epoch;
  context.threads = situation_.options.threads;
  context.compile_threads = &compilations_.threads();
  return context;
}

std::optional<Value> Runner::result_of(Run& run, std::int64_t* fails_at) {
  Region& region = *run.region;
  region.last_used = ++runs_;
  const AddedTime added(situation_.time.ran);
  const std::int64_t ran_before = region.run_nanoseconds;
  RegionOutcome outcome = compilations_.run(run.region, run.offer.take(!run.keeps), context());
  if (auto* value = std::get_if<Value>(&outcome)) {
    region.pace.add(region.run_nanoseconds - ran_before, run.offer.work);
    return std::move(*value);
  }
  end(run, std::get<Stopped>(outcome), fails_at);
  return std::nullopt;
}

void Runner::end(Run& run, const Stopped& stopped, std::int64_t* fails_at) {
  switch (stopped.why) {
  case Stopped::Why::Interrupted:
    throw interruption(situation_.session.interrupt->reason());
  case Stopped::Why::OutOfMemory:
    if (run.keeps) return;
    throw RuntimeError(FailureKind::OutOfMemory, stopped.words, stopped.span);
  case Stopped::Why::Declined: {
    run.offer.site.failed_in = situation_.evaluation.number; // also when all is evaluated again
    if (run.keeps) return;
    RuntimeError error(FailureKind::OutOfMemory, stopped.words, stopped.span);
    error.is_provisional = !situation_.evaluation.is_repeated;
    throw error;
  }
  case Stopped::Why::Failed:
    fail(run, stopped, fails_at);
    return;
  }
}

void Runner::fail(Run& run, const Stopped& stopped, std::int64_t* fails_at) {
  const CompiledRegion& compiled = run.region->compiled();
  const ir::FailureSite& failure = compiled.executable->function().failures[stopped.site];
  if (failure.kind == FailureKind::Deferred) {
    run.is_outdated = globals_.compute_awaited(compiled, failure);
    if (run.is_outdated) return;
  }
  if (fails_at && stopped.first_index) *fails_at = *stopped.first_index;
  Site& site = run.offer.site;
  if (run.keeps) {
    site.failed_in = situation_.evaluation.number;
    return;
  }
  failed_site_ = &site;
  failed_offer_ = site.offers;
  throw failure_of(*run.region, failure);
}

bool Runner::keeps_inputs(const Region& region, const Site& site) const {
  // What may fail is evaluated again by the interpreter, which words the error: from inputs that
  // are kept, which then cannot be overwritten.  Where copying them would take longer than the work
  // itself, they are given away; if a check fails then, all is evaluated again.
  const CompiledRegion& compiled = region.compiled();
  if (!compiled.may_fail || !compiled.consumes || compiled.asks_evaluator || region.runs == 0)
    return compiled.may_fail;
  // A repeated evaluation most likely fails at the same offer: there it keeps them in any case.
  const Evaluation& evaluation = situation_.evaluation;
  if (evaluation.is_repeated && (Accelerator::now() < evaluation.keeps_until ||
                                 (&site == failed_site_ && site.offers >= failed_offer_)))
    return true;
  const std::int64_t copying =
      static_cast<std::int64_t>(region.least_bytes / region.runs) / (copied_per_nanosecond * 2);
  return copying <= region.run_nanoseconds / static_cast<std::int64_t>(region.runs) / 4;
}

RuntimeError Runner::failure_of(const Region& region, const ir::FailureSite& site) const {
  RuntimeError error(site.kind, site.message, site.span);
  if (!site.id.empty()) error.id = site.id;
  error.frames = site.frames;
  error.lacks_callers = true;
  // The outermost frame is the target's: as the evaluator sees it, a part of the one around it, or
  // (a call) the one that it has entered already.
  if (!error.frames.empty() && !std::holds_alternative<OperationTarget>(region.key.target))
    error.frames.back().function = {};
  // Whether a size is too much only the evaluator can tell, however long it takes.
  const Evaluation& evaluation = situation_.evaluation;
  const bool is_open = site.kind == FailureKind::OutOfMemory;
  error.is_provisional = !evaluation.is_repeated &&
                         (is_open || Accelerator::now() - evaluation.began <= longest_repeated);
  return error;
}

} // namespace sinter::jit
