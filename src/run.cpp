// sinter run: an entry point on values from outside.
#include "repl/session/interrupt_key.h"
#include "src/command.h"
#include "src/options.h"

#include <iostream>

namespace sinter {

namespace {

struct RunOptions {
  std::string file;
  std::string entry = "main";
  InputOptions inputs;
  OutputOptions output;
  bool no_print = false;
  PieceOptions piece;
  LimitOptions limits;
  DebugOption debug;
};

int run(repl::Session& session, const RunOptions& options) {
  repl::Outcome outcome = session.load(options.file);
  std::cerr << outcome.messages;
  if (!outcome.ok()) return exit_code(outcome);

  core::EntryPoint entry = find_entry(session, *session.loaded(), options.entry);
  repl::InterruptKey key(session.interrupt());
  std::vector<Value> arguments;
  outcome = session.limited([&] { arguments = read_arguments(session, entry, options.inputs); });
  if (outcome.ok() && options.piece.is_given())
    return run_piece(session, entry, arguments, options.piece);
  const MemoryBudget::Spilling spilling(session.memory(), options.output.spill_path());
  if (outcome.ok()) {
    // Arguments are kept for the sake of an error's words, but not at the price of the memory.
    const bool has_room = session.memory().in_use() <= session.memory().limit() / 4;
    outcome = session.guarded([&] {
      return has_room ? session.evaluator().call(*entry.function, arguments)
                      : session.evaluator().call(*entry.function, std::move(arguments));
    });
  }
  std::cerr << outcome.messages;
  if (!outcome.ok()) return exit_code(outcome);
  if (options.no_print) return exit_success;
  outcome = session.limited(
      [&] { options.output.write(entry, spread_results(entry, std::move(outcome.value))); });
  std::cerr << outcome.messages;
  return exit_code(outcome);
}

} // namespace

std::function<int()> define_run(Options& command_line) {
  auto options = std::make_shared<RunOptions>();
  command_line.add_option("FILE", options->file, "The program").required();
  command_line.add_option("-e,--entry", options->entry, "The entry point").show_default();
  options->inputs.add_to(command_line);
  options->output.add_to(command_line);
  command_line.add_flag("--no-print", options->no_print, "Only run; write no results");
  options->piece.add_to(command_line);
  options->limits.add_to(command_line);
  options->debug.add_to(command_line);
  command_line.footer("Examples:\n"
                      "  echo '[1, 2, 3] 2' | sinter run scale.fut\n"
                      "  sinter run fit.fut --entry slope --input years.npy --input values.npy\n"
                      "  sinter run dot.fut -i a.npy -i b.npy --piece 1/4 --partial 1.part");
  return [options] {
    options->piece.require_sense();
    if (options->piece.is_given()) {
      if (options->output.is_given() || options->no_print)
        throw UsageError("a piece has no results, which -o, -b and --no-print are about");
      if (options->debug.is_given())
        throw UsageError("--debug and --chunks look at runs of the whole, not at a piece");
    }
    return in_session(options->debug.in(options->limits.session_options()),
                      [&](repl::Session& session) { return run(session, *options); });
  };
}

} // namespace sinter
