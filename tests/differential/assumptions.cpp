#include "tests/differential/assumptions.h"

#include "tests/differential/arguments.h"

#include <cstdio>
#include <string>
#include <utility>

namespace sinter::differential {

namespace {

bool is_alarm(const repl::Outcome& outcome) {
  for (const auto& row : generate::violations)
    if (outcome.messages.find("[" + std::string(row.second) + "]") != std::string::npos)
      return true;
  return false;
}

/// The text without signs of zeros, which break no law.
std::string without_signs_of_zeros(std::string text) {
  for (std::size_t at = text.find("-0.0f"); at != std::string::npos; at = text.find("-0.0f", at))
    text.erase(at, 1);
  return text;
}

bool has_no_room(const repl::Outcome& outcome) {
  return outcome.failure == FailureKind::TimedOut || outcome.failure == FailureKind::OutOfMemory ||
         outcome.failure == FailureKind::StackLimit;
}

} // namespace

AssumptionJudge::Ended AssumptionJudge::evaluated(const generate::Program& program,
                                                  Debugging debugging, jit::Mode mode) {
  repl::Session& session = session_.for_next_program();
  Diagnostics diagnostics;
  const check::CheckedFile* file =
      session.checker().check_text("generated.fut", program.text, diagnostics);
  if (!file) {
    Ended ended;
    ended.outcome.kind = repl::Outcome::Kind::CheckFailed;
    ended.outcome.messages = render(session.sources(), diagnostics);
    return ended;
  }
  const core::EntryPoint entry = session.specialiser().entry_point(*file, "main");
  jit::SwapOptions acceleration;
  acceleration.mode = mode;
  acceleration.threads = 1;
  acceleration.tier = jit::Tier::First;
  session.accelerate(acceleration);
  session.debug(debugging);
  Ended ended;
  ended.outcome = session.guarded([&] {
    const auto arguments = [&] { return arguments_of(session, entry, program.input); };
    return session.evaluator().call(*entry.function, arguments(), arguments);
  });
  session.debug(Debugging::Off);
  if (!ended.outcome.ok()) return ended;
  const Value value = std::move(ended.outcome.value);
  for (std::size_t i = 0; i < entry.results.size(); ++i)
    ended.text += print_value(entry.results.size() == 1 ? value : value.fields()[i],
                              entry.results[i].representation) +
                  "\n";
  return ended;
}

std::optional<std::string> AssumptionJudge::fault_of_sound(const generate::Program& program) {
  const Ended debugged = evaluated(program, Debugging::On);
  if (is_alarm(debugged.outcome)) return "an alarm:\n" + debugged.outcome.messages;
  if (debugged.outcome.kind == repl::Outcome::Kind::CheckFailed)
    return "it is rejected:\n" + debugged.outcome.messages;
  std::vector<std::pair<std::string_view, jit::Mode>> modes = {{"interp", jit::Mode::Interpret}};
  if (options_.compiles) modes.emplace_back("jit", jit::Mode::Jit);
  for (const auto& [name, mode] : modes) {
    const Ended other = evaluated(program, Debugging::Off, mode);
    if (has_no_room(debugged.outcome) || has_no_room(other.outcome)) continue;
    if (debugged.text != other.text || debugged.outcome.messages != other.outcome.messages)
      return "debugged:\n" + debugged.text + debugged.outcome.messages + std::string(name) + ":\n" +
             other.text + other.outcome.messages;
  }
  return std::nullopt;
}

void AssumptionJudge::count_violation(const generate::PlantedViolation& planted, std::uint64_t seed,
                                      Found& found) {
  const Ended one = evaluated(planted.program, Debugging::Off);
  const Ended other = evaluated(planted.reordered, Debugging::Off);
  if (one.outcome.kind == repl::Outcome::Kind::CheckFailed) {
    std::fputs(one.outcome.messages.c_str(), stderr);
    return;
  }
  ++found.planted;
  if (!one.outcome.ok() || !other.outcome.ok()) return;
  if (without_signs_of_zeros(one.text) == without_signs_of_zeros(other.text)) return;
  ++found.matter;
  if (is_alarm(evaluated(planted.program, Debugging::On).outcome))
    ++found.found;
  else
    found.missed.push_back(seed);
}

} // namespace sinter::differential
