// sinter combine: results of a run from the states of its pieces.
#include "lang/core/digest.h"
#include "lang/values/file_writer.h"
#include "repl/pieces/partial_file.h"
#include "repl/session/interrupt_key.h"
#include "src/command.h"
#include "src/options.h"

#include <algorithm>
#include <iostream>

namespace sinter {

namespace {

struct CombineOptions {
  std::string file;
  std::vector<std::string> partials;
  std::string partial;
  OutputOptions output;
  LimitOptions limits;
};

/// Throws UsageError unless the partial is of this program, as this version of Sinter cuts it.
void require_program(const repl::Partial& partial, const core::EntryPoint& entry,
                     const std::vector<jit::StateComponent>& state) {
  repl::Partial here = partial;
  here.source = "the program";
  here.work.version = SINTER_VERSION;
  here.work.program = core::digest(*entry.function);
  here.work.state = state;
  if (const auto wrong = repl::difference(partial, here)) throw UsageError(*wrong);
}

int combine(repl::Session& session, const CombineOptions& options) {
  repl::Outcome outcome = session.load(options.file);
  std::cerr << outcome.messages;
  if (!outcome.ok()) return exit_code(outcome);
  repl::InterruptKey key(session.interrupt());
  std::unique_ptr<jit::PieceProgram> program;
  const MemoryBudget::Spilling spilling(session.memory(), options.output.spill_path());
  outcome = session.limited([&] {
    std::vector<repl::Partial> partials;
    for (const std::string& path : options.partials)
      partials.push_back(repl::read_partial(path, session.memory(), session.representations()));
    const core::EntryPoint entry = find_entry(session, *session.loaded(), partials[0].work.entry);
    program = require_pieces(session, entry);
    if (!program) return;
    repl::Partial all =
        repl::combined(std::move(partials), session.memory(), session.representations());
    require_program(all, entry, program->report().state);
    if (!options.partial.empty()) {
      FileWriter file(options.partial);
      repl::write_partial(file, all, session.representations());
      return file.finish();
    }
    if (all.first != 0 || all.count != all.work.extent)
      throw UsageError("pieces are missing: these are of the indices " + std::to_string(all.first) +
                       " to " + std::to_string(all.first + all.count) + " of " +
                       std::to_string(all.work.extent));
    options.output.write(entry, spread_results(entry, program->finish(std::move(all.state))));
  });
  std::cerr << outcome.messages;
  return outcome.ok() && !program ? exit_rejected : exit_code(outcome);
}

} // namespace

std::function<int()> define_combine(Options& command_line) {
  auto options = std::make_shared<CombineOptions>();
  command_line.add_option("FILE", options->file, "The program").required();
  command_line.add_option("PARTIAL", options->partials, "What pieces left, in any order")
      .required();
  options->output.add_to(command_line);
  command_line
      .add_option("--partial", options->partial,
                  "Write the state of these pieces, which are neighbours, instead of results")
      .value_name("FILE");
  options->limits.add_to(command_line);
  command_line.footer("The pieces are of one run (`sinter run --piece`), of this program, and "
                      "complete; the results\n"
                      "are those of a run of the whole, to the last bit.  Example:\n"
                      "  for i in 1 2 3 4; do\n"
                      "    sinter run dot.fut -i a.npy -i b.npy --piece $i/4 --partial $i.part &\n"
                      "  done; wait\n"
                      "  sinter combine dot.fut *.part");
  return [options] {
    return in_session(options->limits.session_options(),
                      [&](repl::Session& session) { return combine(session, *options); });
  };
}

} // namespace sinter
