// sinter repl: the prompt.
#include "repl/prompt.h"
#include "repl/terminal_presenter.h"
#include "src/command.h"
#include "src/options.h"

#include <cstdlib>
#include <iostream>
#include <unistd.h>

namespace sinter {

namespace {

struct ReplOptions {
  std::string file;
  bool echo = false;
  LimitOptions limits;
};

int converse(const ReplOptions& options) {
  bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
  repl::PromptOptions prompt_options;
  prompt_options.console.session = options.limits.session_options();
  if (terminal) {
    prompt_options.banner = "Sinter " SINTER_VERSION ".  :help lists the commands, Ctrl-D leaves.";
    prompt_options.console.display = repl::for_terminal({});
  }
  std::unique_ptr<repl::Presenter> presenter;
  if (terminal)
    presenter =
        std::make_unique<repl::TerminalPresenter>(std::cout, std::cerr, !std::getenv("NO_COLOR"));
  else
    presenter = std::make_unique<repl::StreamPresenter>(std::cout, std::cerr);
  repl::Prompt prompt(std::move(prompt_options), *presenter);
  repl::Console& console = prompt.console();
  if (!options.file.empty() && !console.load(options.file) && !terminal) return exit_rejected;
  std::unique_ptr<repl::LineEditor> editor;
  if (terminal)
    editor = repl::make_terminal_editor(
        repl::history_path(), [&](std::string_view line) { return console.complete(line); });
  else
    editor = repl::make_stream_editor(std::cin, options.echo ? &std::cout : nullptr);
  prompt.run(*editor);
  return exit_success;
}

} // namespace

std::function<int()> define_repl(Options& command_line) {
  auto options = std::make_shared<ReplOptions>();
  command_line.add_option("FILE", options->file, "A program to load first");
  command_line.add_flag(
      "--echo", options->echo,
      "Write prompts and inputs too when standard input is no terminal, so that the "
      "output reads like a session");
  options->limits.add_to(command_line);
  command_line.footer(
      "Errors never end the session.  The history is kept in $XDG_STATE_HOME/sinter.");
  return [options] { return converse(*options); };
}

} // namespace sinter
