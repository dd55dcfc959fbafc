// Commands that show how evaluations fare: their time, what is compiled.
#include "repl/commands/command.h"
#include "repl/comparing/ways.h"
#include "repl/display/explanation.h"
#include "repl/session/interrupt_key.h"
#include "repl/text/arguments.h"
#include "repl/text/quantities.h"
#include "repl/text/time_text.h"
#include "repl/text/wrapping.h"

#include <algorithm>

namespace sinter::repl {

namespace {

/// "; 1.5 GiB of arrays, 30 GiB a second": the inputs and results of compiled code, of evaluations
/// that took `seconds` each; empty where nothing was compiled, or where it is of arrays that hardly
/// anything is read of.
std::string rate_text(const jit::Report& report, double seconds, std::size_t evaluations) {
  constexpr double most_a_second = 1e12; // more than any memory has
  std::uint64_t bytes = 0, runs = 0;
  for (const jit::RegionReport& region : report.regions) {
    bytes += region.least_bytes;
    runs = std::max(runs, region.compiled_runs);
  }
  // (The first ones may have been interpreted.)
  runs = std::min<std::uint64_t>(runs, evaluations);
  if (runs == 0) return "";
  bytes /= runs;
  const double rate = static_cast<double>(bytes) / seconds;
  if (bytes == 0 || rate > most_a_second) return "";
  return "; " + bytes_text(bytes) + " of arrays, " + bytes_text(static_cast<std::size_t>(rate)) +
         " a second";
}

void time(Console& console, const std::string& argument) {
  Session::Timing timing;
  console.session().clear_report();
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
  console.presenter().text(
      time_text(times[times.size() / 2]) + " (least " + time_text(times.front()) + ", most " +
      time_text(times.back()) + ", first " + time_text(timing.first_seconds) + "; " +
      std::to_string(times.size()) + " runs" +
      rate_text(console.session().report(), times[times.size() / 2], times.size() + 1) + ")\n");
}

/// Evaluates with all compiled that can be, for a device if one is named and can, then calls
/// `show(sources, report)`.
template <typename Show>
void evaluate_compiled(Console& console, const std::string& argument, bool with_assembly,
                       Show&& show, std::optional<jit::DeviceChoice> device = std::nullopt) {
  Session& session = console.session();
  const jit::SwapOptions before = session.options().acceleration;
  jit::SwapOptions explaining = before;
  explaining.mode = jit::Mode::Jit;
  explaining.keep_ir = true;
  if (device) explaining.device = *device;
  session.accelerate(explaining);
  session.clear_report();
  Outcome outcome = console.evaluate(argument);
  console.show(outcome);
  if (outcome.ok()) show(session.sources(), session.report({.assembly = with_assembly}));
  session.accelerate(before);
}

void explain(Console& console, const std::string& argument) {
  evaluate_compiled(console, argument, false,
                    [&](const SourceMap& sources, const jit::Report& report) {
                      console.presenter().explanation(sources, report);
                    });
}

void compare(Console& console, const std::string& argument) {
  Arguments arguments(argument);
  unsigned wide_digits = 0;
  while (const std::optional<std::string> option = arguments.option()) {
    if (*option != "wide") return console.fail("`:compare` has no option `" + *option + "`");
    wide_digits = 50;
    if (!arguments.has_attached_value()) continue;
    const std::optional<double> digits = arguments.number();
    if (!digits || !(*digits >= 1 && *digits <= eval::most_wide_digits))
      return console.fail("`--wide` takes a number of digits up to " +
                          std::to_string(eval::most_wide_digits));
    wide_digits = static_cast<unsigned>(*digits);
  }
  const std::string expression = arguments.rest();
  if (expression.empty()) return console.fail("there is no expression to compare");
  const comparing::Compared compared = [&] {
    InterruptKey key(console.session().interrupt());
    std::shared_ptr<ProgressLine> progress = console.busy("comparing");
    return comparing::compare(console.session(), expression, wide_digits);
  }();
  console.show(compared.outcome);
  if (!compared.problem.empty())
    return console.fail(compared.problem.substr(0, compared.problem.find_last_not_of('\n') + 1));
  if (!compared.comparison) return;
  constexpr std::size_t indentation = 6; // further than the lines themselves
  console.presenter().text(
      wrapped(compared.comparison->text(), console.options().display.width, indentation));
  if (compared.comparison->has_real_difference())
    console.fail("the results differ in more than the last digits of floats");
}

void why(Console& console, const std::string& argument) {
  Session& session = console.session();
  if (!argument.empty()) {
    const Outcome outcome = console.evaluate(argument);
    console.show(outcome);
    if (!outcome.ok()) return;
  }
  const jit::Report report = session.report();
  if (std::ranges::any_of(report.regions, &jit::RegionReport::is_recent))
    console.presenter().text(reasons(session.sources(), report));
  else if (session.options().acceleration.mode == jit::Mode::Interpret)
    console.presenter().text("mode interp compiles nothing\n");
  else
    console.presenter().text(
        wrapped("nothing ran that would be worth compiling: it took too little time, or has no "
                "array operations and loops\n",
                console.options().display.width, 0));
}

void ir(Console& console, const std::string& argument) {
  evaluate_compiled(console, argument, false,
                    [&](const SourceMap& sources, const jit::Report& report) {
                      console.presenter().text(intermediate_code(sources, report));
                    });
}

void assembly(Console& console, const std::string& argument) {
  evaluate_compiled(console, argument, true,
                    [&](const SourceMap& sources, const jit::Report& report) {
                      console.presenter().text(machine_code(sources, report));
                    });
}

void ptx(Console& console, const std::string& argument) {
  evaluate_compiled(
      console, argument, true,
      [&](const SourceMap& sources, const jit::Report& report) {
        console.presenter().text(device_code(sources, report));
      },
      jit::DeviceChoice::emulated());
}

constexpr Command table[] = {
    {"time", "EXPRESSION", "evaluate again and again, and show how long it takes", Completes::Names,
     time},
    {"explain", "EXPRESSION", "evaluate, and show what is compiled and why not the rest",
     Completes::Names, explain},
    {"compare", "[--wide[=DIGITS]] EXPRESSION",
     "evaluate interpreted, compiled and mixed, and with many digits; tell what differs",
     Completes::Names, compare,
     "Tells of each way whether it gives the bits of the interpreter, or how many numbers differ, "
     "by how many units in the last place (ULP) at most, and where.\n\n"
     "With --wide the floats are numbers of 50 decimal digits (100 with --wide=100) in one more "
     "evaluation: how far each result is from that one tells how many of its digits are true.\n\n"
     "A name alone stands for the expression that it was defined by.  Other values with names are "
     "computed once for the three ways; the wide evaluation computes them anew, but data that "
     "was read is what it is.\n"},
    {"why", "[EXPRESSION]", "why the last evaluation, or this one, was compiled or not",
     Completes::Names, why},
    {"ir", "EXPRESSION", "evaluate, and show the compiler's code before and after its passes",
     Completes::Names, ir},
    {"asm", "EXPRESSION", "evaluate, and show the machine code", Completes::Names, assembly},
    {"ptx", "EXPRESSION", "evaluate on a pretended device, and show the code for a GPU",
     Completes::Names, ptx},
};

} // namespace

std::span<const Command> measuring_commands() {
  return table;
}

} // namespace sinter::repl
