#include "jit/swap/region.h"

#include <chrono>

namespace sinter::jit {

namespace {

std::uint64_t bytes_of(const Datum& datum) {
  const auto* leaf = std::get_if<Leaf>(&datum);
  if (!leaf) return 0;
  std::uint64_t count = 1;
  for (std::int64_t extent : leaf->extents)
    count *= static_cast<std::uint64_t>(extent);
  return count * byte_size(leaf->element);
}

} // namespace

void Region::publish(CompiledRegion compiled, CompileTimes times) {
  compiled_ = std::move(compiled);
  times_ = times;
  state_.store(State::Compiled, std::memory_order_release);
}

void Region::reject(Untraceable reason, CompileTimes times) {
  rejection_ = std::move(reason);
  times_ = times;
  state_.store(State::Rejected, std::memory_order_release);
}

void Region::stall(const core::Global& wanted, CompileTimes times) {
  wanted_ = &wanted;
  times_ = times;
  state_.store(State::Stalled, std::memory_order_release);
}

void Region::stay_in_first_tier(std::string why) {
  std::lock_guard lock(promotion_mutex_);
  not_promoted_ = std::move(why);
}

std::string Region::not_promoted() const {
  std::lock_guard lock(promotion_mutex_);
  return not_promoted_;
}

RegionOutcome run(Region& region, std::vector<Value> inputs, const SwapContext& session,
                  const RunContext& context) {
  const CompiledRegion& compiled = region.compiled();
  const auto began = std::chrono::steady_clock::now();
  std::vector<Datum> places;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    take_apart(std::move(inputs[i]), region.key.inputs[i], places);
  inputs.clear();
  for (const auto& [global, layout] : compiled.globals)
    take_apart(session.global(*global).value(), layout, places);
  for (const Datum& place : places) {
    region.least_bytes += bytes_of(place);
  }
  if (region.first_scalars.empty())
    for (const Datum& place : places) {
      const auto* scalar = std::get_if<Scalar>(&place);
      region.first_scalars.push_back(scalar ? std::optional(*scalar) : std::nullopt);
    }
  Outcome outcome = compiled.executable->run(std::move(places), context);
  ++region.runs;
  RegionOutcome result = Stopped{};
  if (auto* stopped = std::get_if<Stopped>(&outcome)) {
    result = *stopped;
    if (stopped->why == Stopped::Why::Failed) ++region.failures;
  } else {
    std::vector<Datum>& data = std::get<std::vector<Datum>>(outcome);
    for (const Datum& place : data)
      region.least_bytes += bytes_of(place);
    std::size_t next = 0;
    result = put_together(compiled.result, data, next);
    assert(next == data.size());
  }
  region.run_nanoseconds +=
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - began)
          .count();
  return result;
}

} // namespace sinter::jit
