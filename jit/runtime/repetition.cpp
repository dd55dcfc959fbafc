// Loops that repeat one launch: found in plans, and run several launches at a time.
#include "jit/runtime/leaf_operations.h"
#include "jit/runtime/machine.h"
#include "jit/runtime/versioned_kernel.h"

#include <algorithm>

namespace sinter::jit {

using namespace plan;

namespace {

/// So many launches are run together, fewer of large arrays: that is long enough to begin it, and
/// short enough to see what it is worth.
std::uint64_t count_together(std::uint64_t array_bytes) {
  constexpr std::uint64_t fewest = 8, most = 128, all_bytes = 64 << 20;
  return std::clamp(all_bytes / std::max<std::uint64_t>(array_bytes, 1), fewest, most);
}

} // namespace

std::optional<RepeatedLaunch> repeated_launch(const Block& body) {
  RepeatedLaunch result;
  const Step* launch = nullptr;
  for (const Step& step : body.steps) {
    if (is_scalar_code(step.action)) continue;
    if (launch || !std::holds_alternative<Launch>(step.action)) return std::nullopt;
    launch = &step;
    result.step = static_cast<std::uint32_t>(&step - body.steps.data());
  }
  if (!launch) return std::nullopt;
  for (const Target& target : launch->targets) {
    const auto at = std::find_if(body.results.begin(), body.results.end(), [&](const Use& use) {
      return use.is_array && use.slot == target.slot;
    });
    if (!target.is_array || at == body.results.end()) return std::nullopt;
    const Slot state =
        body.parameters[static_cast<std::size_t>(at - body.results.begin()) + 1].slot;
    result.state.push_back(state);
    result.fed.emplace_back();
    for (std::uint32_t i = 0; i < launch->uses.size(); ++i)
      if (launch->uses[i].is_array && launch->uses[i].slot == state) result.fed.back() = i;
  }
  const auto arrays = std::count_if(body.results.begin(), body.results.end(),
                                    [](const Use& use) { return use.is_array; });
  if (static_cast<std::size_t>(arrays) != launch->targets.size()) return std::nullopt;
  return result;
}

bool Machine::gather(const RepeatedLaunch& repeated, const Step& loop, Repetition& repetition) {
  const Block& body = loop.blocks[0];
  const Step& launch = body.steps[repeated.step];
  for (const Step& step : body.steps) {
    if (const auto* apply = std::get_if<Apply>(&step.action))
      this->step(*apply, step);
    else if (const auto* choose = std::get_if<Choose>(&step.action))
      this->step(*choose, step);
    else if (const auto* check = std::get_if<CheckCondition>(&step.action);
             check && !scalars_[check->condition].bits)
      return false;
  }
  for (const Use& use : launch.uses)
    if (!use.is_array) repetition.scalars.push_back(scalars_[use.slot]);
  ++repetition.count;
  std::vector<Scalar> next;
  for (const Use& use : body.results)
    if (!use.is_array) next.push_back(scalars_[use.slot]);
  auto value = next.begin();
  for (std::size_t i = 0; i < body.results.size(); ++i)
    if (!body.results[i].is_array) scalars_[loop.targets[i].slot] = *value++;
  return true;
}

std::optional<std::uint64_t> Machine::repeat(const CountedLoop& loop, const Step& step,
                                             std::uint64_t begin, std::uint64_t end) {
  const RepeatedLaunch& repeated = *loop.repeated;
  const plan::Step& launch = step.blocks[0].steps[repeated.step];
  const Slot index = step.blocks[0].parameters[0].slot;
  for (const Use& use : launch.uses)
    if (!use.is_array && !resolve(use.slot)) return std::nullopt;
  std::vector<Scalar> before;
  for (const Target& target : step.targets)
    if (!target.is_array) before.push_back(scalars_[target.slot]);
  Repetition repetition;
  repetition.fed = repeated.fed;
  std::uint64_t bytes = 0;
  for (const Slot state : repeated.state)
    bytes += content_bytes(arrays_[state]);
  const std::uint64_t most = count_together(bytes);
  for (std::uint64_t i = begin; i < end && repetition.count < most; ++i) {
    scalars_[index] = Scalar{i};
    if (!gather(repeated, step, repetition)) break;
  }
  const auto is_state = [&](const Use& use) {
    return std::find(repeated.state.begin(), repeated.state.end(), use.slot) !=
           repeated.state.end();
  };
  auto scalar = repetition.scalars.begin();
  std::optional<Outcome> outcome;
  if (repetition.count > 1) {
    for (const Use& use : launch.uses)
      if (!use.is_array)
        repetition.arguments.emplace_back(*scalar++);
      else
        repetition.arguments.emplace_back(is_state(use) ? std::move(arrays_[use.slot])
                                                        : arrays_[use.slot]);
    step_ = &launch;
    outcome = std::get<Launch>(launch.action).kernel->repeat(repetition, context_);
  }
  if (!outcome) {
    for (std::size_t i = 0; i < repetition.arguments.size(); ++i)
      if (launch.uses[i].is_array)
        arrays_[launch.uses[i].slot] = std::move(std::get<Leaf>(repetition.arguments[i]));
    auto value = before.begin();
    for (const Target& target : step.targets)
      if (!target.is_array) scalars_[target.slot] = *value++;
    return 0;
  }
  launches_ += repetition.count;
  if (auto* stopped = std::get_if<Stopped>(&*outcome)) {
    stopped_ = *stopped;
    if (!stopped_.span.is_known()) stopped_.span = launch.span;
    return std::nullopt;
  }
  std::vector<Datum>& results = std::get<std::vector<Datum>>(*outcome);
  for (std::size_t i = 0; i < results.size(); ++i)
    arrays_[repeated.state[i]] = std::move(std::get<Leaf>(results[i]));
  return repetition.count;
}

} // namespace sinter::jit
