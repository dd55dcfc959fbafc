// sinter eval: one expression.
#include "repl/session/interrupt_key.h"
#include "src/command.h"
#include "src/options.h"

#include <iostream>

namespace sinter {

namespace {

struct EvalOptions {
  std::string expression;
  std::string file;
  LimitOptions limits;
  DebugOption debug;
};

int evaluate(repl::Session& session, const EvalOptions& options) {
  repl::InterruptKey key(session.interrupt());
  if (!options.file.empty()) {
    repl::Outcome loaded = session.load(options.file);
    std::cerr << loaded.messages;
    if (!loaded.ok()) return exit_code(loaded);
  }
  repl::Outcome outcome = session.submit(options.expression, "<expression>");
  if (outcome.kind == repl::Outcome::Kind::Incomplete && outcome.messages.empty())
    throw UsageError("the expression ends too early");
  std::cerr << outcome.messages;
  if (outcome.kind != repl::Outcome::Kind::Value) return exit_code(outcome);
  outcome = session.limited([&] {
    std::cout << print_value(outcome.value, outcome.representation, SIZE_MAX, outcome.order)
              << "\n";
  });
  std::cerr << outcome.messages;
  return exit_code(outcome);
}

} // namespace

std::function<int()> define_eval(Options& command_line) {
  auto options = std::make_shared<EvalOptions>();
  command_line.add_option("EXPRESSION", options->expression, "What to evaluate").required();
  command_line.add_option("FILE", options->file, "A program whose names the expression may use");
  options->limits.add_to(command_line);
  options->debug.add_to(command_line);
  command_line.footer("Examples:\n"
                      "  sinter eval '1 + 1'\n"
                      "  sinter eval 'reduce (+) 0 (iota 10)'\n"
                      "  sinter eval 'mean [1, 2, 4]' statistics.fut");
  return [options] {
    return in_session(options->debug.in(options->limits.session_options()),
                      [&](repl::Session& session) { return evaluate(session, *options); });
  };
}

} // namespace sinter
