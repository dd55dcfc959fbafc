// sinter FILE: a script, whose directives (`-- > expression`) are executed.
#include "repl/script.h"
#include "repl/interrupt_key.h"
#include "repl/literate/directives.h"
#include "repl/terminal_presenter.h"
#include "src/command.h"
#include "src/options.h"

#include <iostream>

namespace sinter {

namespace {

struct ScriptOptions {
  std::string file;
  LimitOptions limits;
};

int run_file(const ScriptOptions& options) {
  repl::Session session(options.limits.session_options());
  repl::InterruptKey key(session.interrupt());
  std::unique_ptr<repl::Presenter> presenter = repl::presenter_for_output(std::cout, std::cerr);
  bool any = false;
  repl::Outcome outcome = repl::run_script(
      session, options.file,
      [&](const repl::Directive&, const repl::Performed& result) {
        any = true;
        if (result.media)
          presenter->media(*result.media);
        else if (result.outcome.kind == repl::Outcome::Kind::Value)
          std::cout << print_value(result.outcome.value, result.outcome.representation, SIZE_MAX,
                                   result.outcome.order)
                    << std::endl;
      },
      [&](const std::string& message) {
        any = true;
        std::cerr << message << std::flush;
      });
  if (outcome.ok() && !any)
    std::cerr << "note: " << options.file << " has no directives (`-- > expression`); `sinter run "
              << options.file << "` calls its entry point\n";
  return exit_code(outcome);
}

} // namespace

std::function<int()> define_script(Options& command_line) {
  auto options = std::make_shared<ScriptOptions>();
  command_line.add_option("FILE", options->file, "The script").required();
  options->limits.add_to(command_line);
  command_line.footer(
      "The file's declarations are loaded; then each `-- > expression` is evaluated in order "
      "and its value printed; pictures (`-- > :img e`, `:plot2d`, `:video`, `:audio`, `:gnuplot`) "
      "are shown if the terminal can.\n`sinter literate` makes a document of all.  After one that "
      "fails, the others still run.");
  return [options] { return run_file(*options); };
}

} // namespace sinter
