#include "jit/swap/compilations.h"

#include <chrono>
#include <utility>

namespace sinter::jit {

namespace {

/// What has run for so long in the first tier, the making of its kernels included, gets the second
/// while it goes on: by then that has cost as much as making it will; nanoseconds.
constexpr std::int64_t patience = 3 * compiling_cost;
/// What takes less on average is not watched for it.
constexpr std::int64_t enough_to_watch = compiling_cost / 10;

} // namespace

void Compilations::compile(const std::shared_ptr<Region>& region, bool is_at_once,
                           bool is_for_long) {
  SwapOptions options = situation_.options;
  if (is_for_long && options.tier == Tier::Automatic) options.tier = Tier::Second;
  if (!is_at_once) {
    queue_.add(region, options);
    return;
  }
  const AddedTime added(situation_.time.waited);
  wait_for([&compiler = compiler_, region, options](const std::byte* stack_limit) {
    compiler.compile(*region, options, stack_limit);
  });
}

void Compilations::promote(const std::shared_ptr<Region>& region, bool is_at_once) {
  if (is_at_once)
    wait_for([&compiler = compiler_, region](const std::byte*) { compiler.promote(*region); });
  else
    queue_.promote(region);
}

RegionOutcome Compilations::run(const std::shared_ptr<Region>& region, std::vector<Value> inputs,
                                const RunContext& context) {
  const SwapContext& session = situation_.session;
  const auto runs = static_cast<std::int64_t>(region->runs);
  const bool may_be_long = region->run_nanoseconds >= runs * enough_to_watch;
  const bool is_watched = situation_.mode() == Mode::Auto && region->compiled().may_be_promoted &&
                          !region->is_promoted && may_be_long;
  RunContext own = context;
  if (situation_.mode() == Mode::Auto) own.wants_code = &region->wants_code;
  if (!is_watched) return jit::run(*region, std::move(inputs), session, own);
  late_promotion_.run_begins(region, std::chrono::nanoseconds(patience));
  RegionOutcome outcome = jit::run(*region, std::move(inputs), session, own);
  if (late_promotion_.run_ended()) region->is_promoted = true;
  return outcome;
}

void Compilations::wait_for(CompileThreads::Work work) {
  InterruptSource* interrupt = situation_.session.interrupt;
  if (!threads_.run(std::move(work), interrupt, situation_.evaluation.epoch))
    throw interruption(interrupt->reason());
}

void Compilations::wait() {
  queue_.wait(situation_.session.interrupt);
  late_promotion_.wait();
}

bool Compilations::is_busy() {
  return queue_.is_busy() || late_promotion_.is_busy() || threads_.left_behind() > 0;
}

} // namespace sinter::jit
