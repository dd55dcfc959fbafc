// sinter run: an entry point on values from outside.
#include "lang/values/file_writer.h"
#include "repl/session/interrupt_key.h"
#include "src/command.h"
#include "src/options.h"
#include "src/standard_output.h"

#include <iostream>

namespace sinter {

namespace {

struct RunOptions {
  std::string file;
  std::string entry = "main";
  InputOptions inputs;
  std::string output;
  bool binary = false;
  bool no_print = false;
  LimitOptions limits;
  DebugOption debug;
};

void write_results(ByteSink& out, const RunOptions& options, const core::EntryPoint& entry,
                   const std::vector<Value>& results) {
  bool npy = options.output.ends_with(".npy");
  if (npy && results.size() != 1)
    throw UsageError("a .npy file holds one array, but `" + entry.name + "` has " +
                     std::to_string(results.size()) + " results");
  for (std::size_t i = 0; i < results.size(); ++i) {
    const core::EntryType& type = entry.results[i];
    if ((npy || options.binary) && !type.is_transparent)
      throw UsageError("a result of type `" + type.text + "` has no binary form");
    if (npy)
      write_npy(out, results[i], type.representation);
    else if (options.binary)
      write_binary(out, results[i], type.representation);
    else {
      std::string text;
      if (type.is_transparent)
        write_text(text, results[i], type.representation);
      else
        text = print_value(results[i], type.representation);
      out.write(text + '\n');
    }
  }
}

void write_output(const RunOptions& options, const core::EntryPoint& entry,
                  const std::vector<Value>& results) {
  if (options.output.empty()) {
    StandardSink out;
    return write_results(out, options, entry, results);
  }
  FileWriter file(options.output);
  write_results(file, options, entry, results);
  file.finish();
}

int run(repl::Session& session, const RunOptions& options) {
  repl::Outcome outcome = session.load(options.file);
  std::cerr << outcome.messages;
  if (!outcome.ok()) return exit_code(outcome);

  core::EntryPoint entry = find_entry(session, *session.loaded(), options.entry);
  repl::InterruptKey key(session.interrupt());
  std::vector<Value> arguments;
  outcome = session.limited([&] { arguments = read_arguments(session, entry, options.inputs); });
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
      [&] { write_output(options, entry, spread_results(entry, std::move(outcome.value))); });
  std::cerr << outcome.messages;
  return exit_code(outcome);
}

} // namespace

std::function<int()> define_run(Options& command_line) {
  auto options = std::make_shared<RunOptions>();
  command_line.add_option("FILE", options->file, "The program").required();
  command_line.add_option("-e,--entry", options->entry, "The entry point").show_default();
  options->inputs.add_to(command_line);
  command_line
      .add_option("-o,--output", options->output,
                  "Write results to this file (.npy for one array) instead of standard output")
      .value_name("FILE");
  command_line.add_flag("-b,--binary", options->binary, "Write results in the binary format");
  command_line.add_flag("--no-print", options->no_print, "Only run; write no results");
  options->limits.add_to(command_line);
  options->debug.add_to(command_line);
  command_line.footer("Examples:\n"
                      "  echo '[1, 2, 3] 2' | sinter run scale.fut\n"
                      "  sinter run fit.fut --entry slope --input years.npy --input values.npy");
  return [options] {
    return in_session(options->debug.in(options->limits.session_options()),
                      [&](repl::Session& session) { return run(session, *options); });
  };
}

} // namespace sinter
