// Commands that show how evaluations fare: their time, what is compiled.
#include "repl/commands/command.h"
#include "repl/interrupt_key.h"
#include "repl/time_text.h"

namespace sinter::repl {

namespace {

void time(Console& console, const std::string& argument) {
  Session::Timing timing;
  {
    InterruptKey key(console.session().interrupt());
    std::shared_ptr<ProgressLine> progress = console.busy("timing");
    timing = console.session().time(argument, std::chrono::seconds(1));
  }
  Outcome shown = timing.outcome;
  if (shown.ok()) shown.kind = Outcome::Kind::Done; // the value isn't asked for
  console.show(shown);
  if (!timing.outcome.ok()) return;
  const std::vector<double>& times = timing.seconds;
  console.presenter().text(time_text(times[times.size() / 2]) + " (least " +
                           time_text(times.front()) + ", most " + time_text(times.back()) +
                           ", first " + time_text(timing.first_seconds) + "; " +
                           std::to_string(times.size()) + " runs)\n");
}

void explain(Console& console, const std::string& argument) {
  Session& session = console.session();
  const jit::SwapOptions before = session.options().acceleration;
  jit::SwapOptions explaining = before;
  explaining.mode = jit::Mode::Jit;
  explaining.keep_ir = true;
  session.accelerate(explaining);
  session.clear_report();
  Outcome outcome = console.evaluate(argument);
  console.show(outcome);
  if (outcome.ok()) console.presenter().explanation(session.sources(), session.report());
  session.accelerate(before);
}

constexpr Command table[] = {
    {"time", "EXPRESSION", "evaluate again and again, and show how long it takes", Completes::Names,
     time},
    {"explain", "EXPRESSION", "evaluate, and show what is compiled and why not the rest",
     Completes::Names, explain},
};

} // namespace

std::span<const Command> measuring_commands() {
  return table;
}

} // namespace sinter::repl
