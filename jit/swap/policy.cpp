#include "jit/swap/policy.h"

#include "jit/reasons/reasons.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace sinter::jit {

std::string milliseconds(std::int64_t nanoseconds) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(nanoseconds < 10'000'000 ? 2 : 0)
      << static_cast<double>(nanoseconds) / 1e6 << " ms";
  return out.str();
}

bool is_worth_compiling(const eval::Forecast& ahead) {
  return ahead.nanoseconds >= worth_waiting || ahead.bytes >= much_memory;
}

std::string reason(const eval::Forecast& ahead) {
  if (ahead.nanoseconds >= worth_waiting)
    return words(Reason::WorkAhead, {milliseconds(ahead.nanoseconds)});
  return words(Reason::MemoryAhead, {std::to_string(ahead.bytes >> 20)});
}

bool is_worth_optimising(const eval::Forecast& ahead) {
  // (What fills so much is read again, too, as a rule.)
  constexpr std::uint64_t very_much_memory = 32 * much_memory;
  return ahead.nanoseconds >= worth_optimising || ahead.bytes >= very_much_memory;
}

bool is_worth_finding(const Precedent& precedent) {
  return precedent.nanoseconds >= finding_cost;
}

std::optional<Decision> decide(const eval::Forecast& ahead,
                               std::span<const CandidateFacts> candidates) {
  using Code = CandidateFacts::Code;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const CandidateFacts& facts = candidates[i];
    if (!facts.may_begin_again) continue;
    // (What has run for some time will run for as long again, as far as anybody knows.)
    const bool has_no_end = facts.interpreted >= long_without_end;
    if (!is_worth_compiling(ahead) && !has_no_end) continue;
    if (facts.code == Code::None && facts.running > std::max(long_enough, ahead.nanoseconds / 10))
      continue;
    if (is_worth_compiling(ahead)) return Decision{i, reason(ahead)};
    const bool waits = facts.code == Code::There || facts.interpreted >= too_long_without_end;
    if (facts.code == Code::Coming && !waits) return std::nullopt; // what is inside waits for it
    return Decision{i, words(Reason::NoEndInSight, {milliseconds(facts.interpreted)}), waits};
  }
  return std::nullopt;
}

std::int64_t Pace::time_for(std::uint64_t other) const {
  if (runs == 0) return -1;
  if (work == 0) return nanoseconds / static_cast<std::int64_t>(runs);
  return static_cast<std::int64_t>(static_cast<double>(nanoseconds) * static_cast<double>(other) /
                                   static_cast<double>(work));
}

eval::Forecast corrected(eval::Forecast forecast, const Pace& measured, std::uint64_t work) {
  constexpr std::int64_t enough_to_tell = 1'000'000;
  if (measured.nanoseconds >= enough_to_tell && measured.work > 0)
    forecast.nanoseconds = measured.time_for(work);
  return forecast;
}

bool is_worth_launching(const Pace& interpreted, const Pace& compiled, std::uint64_t work) {
  const std::int64_t before = interpreted.time_for(work);
  if (before < 0) return true; // nothing is known yet
  // (A first run is about memory and caches too.)
  const std::int64_t now = compiled.runs > 1 ? compiled.time_for(work) : 0;
  return before >= launching_cost + now;
}

bool has_lost(const Pace& interpreted, const Pace& compiled) {
  constexpr std::int64_t enough_to_judge = 10'000'000;
  const bool is_known = interpreted.nanoseconds >= enough_to_judge && interpreted.work > 0 &&
                        compiled.nanoseconds >= enough_to_judge && compiled.work > 0;
  return is_known && compiled.time_for(interpreted.work) > interpreted.nanoseconds;
}

} // namespace sinter::jit
