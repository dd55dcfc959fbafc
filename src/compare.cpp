// sinter compare: an entry point in every way of evaluating it, and against the truth.
#include "repl/comparing/ways.h"
#include "repl/session/interrupt_key.h"
#include "src/command.h"
#include "src/options.h"

#include <iostream>

namespace sinter {

namespace {

struct CompareOptions {
  std::string file;
  std::string entry = "main";
  InputOptions inputs;
  unsigned wide_digits = 0; ///< 0: no wide evaluation
  bool json = false;
  LimitOptions limits;
};

/// Arguments whose arrays nobody else owns: a run may consume them.
std::vector<Value> fresh(const std::vector<Value>& arguments, MemoryBudget& memory) {
  std::vector<Value> copies;
  for (const Value& argument : arguments)
    copies.push_back(argument.is_array() ? Value(copy(memory, argument.array())) : argument);
  return copies;
}

int compare(repl::Session& session, const CompareOptions& options) {
  repl::Outcome outcome = session.load(options.file);
  std::cerr << outcome.messages;
  if (!outcome.ok()) return exit_code(outcome);
  core::EntryPoint entry = find_entry(session, *session.loaded(), options.entry);
  std::vector<Value> arguments;
  outcome = session.limited([&] { arguments = read_arguments(session, entry, options.inputs); });
  std::cerr << outcome.messages;
  if (!outcome.ok()) return exit_code(outcome);

  comparing::Computation computation;
  computation.evaluate = [&] {
    const auto copies = [&] { return fresh(arguments, session.memory()); };
    return spread_results(entry, session.evaluator().call(*entry.function, copies(), copies));
  };
  computation.evaluate_wide = [&](WideEvaluator& wide) {
    std::vector<const Representation*> types;
    for (const core::EntryType& parameter : entry.parameters)
      types.push_back(parameter.representation);
    return spread_results(entry, wide.call(*entry.function, arguments, types));
  };
  computation.types = [&](const std::vector<Value>&) {
    std::vector<comparing::ResultType> types;
    for (const core::EntryType& result : entry.results)
      types.push_back({"result " + std::to_string(types.size() + 1) + " of type " + result.text,
                       result.text, result.representation});
    return types;
  };

  repl::InterruptKey key(session.interrupt());
  const comparing::Compared compared =
      comparing::compare(session, computation, options.wide_digits);
  std::cerr << compared.outcome.messages;
  if (!compared.problem.empty()) {
    std::cerr << "sinter: " << compared.problem;
    return exit_failed;
  }
  if (!compared.outcome.ok()) return exit_code(compared.outcome);
  std::cout << (options.json ? compared.comparison->json(entry.name) + "\n"
                             : compared.comparison->text());
  return compared.comparison->has_real_difference() ? exit_failed : exit_success;
}

} // namespace

std::function<int()> define_compare(Options& command_line) {
  auto options = std::make_shared<CompareOptions>();
  command_line.add_option("FILE", options->file, "The program").required();
  command_line.add_option("-e,--entry", options->entry, "The entry point").show_default();
  options->inputs.add_to(command_line);
  command_line
      .add_option_with_usual_value(
          "--wide", "50", options->wide_digits,
          "Evaluate with numbers of so many digits as well, and tell how many digits of the "
          "results hold")
      .value_name("[=DIGITS]");
  command_line.add_flag("--json", options->json, "Report as JSON");
  options->limits.add_to(command_line);
  command_line.remove("--mode"); // all modes are compared
  command_line.footer(
      "Differences in floats are told; other differences are failures (exit code 1).\n"
      "Examples:\n"
      "  echo '[1e20, 1, -1e20]' | sinter compare sum.fut --wide\n"
      "  sinter compare fit.fut --entry slope --input years.npy --wide=100 --json");
  return [options] {
    if (options->wide_digits > eval::most_wide_digits)
      throw UsageError("at most " + std::to_string(eval::most_wide_digits) +
                       " digits can be computed, not " + std::to_string(options->wide_digits));
    return in_session(options->limits.session_options(),
                      [&](repl::Session& session) { return compare(session, *options); });
  };
}

} // namespace sinter
