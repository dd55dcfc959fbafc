// sinter repl: the prompt.
#include "jit/gate/early_opening.h"
#include "repl/console/settings.h"
#include "repl/editor/input_text.h"
#include "repl/editor/terminal.h"
#include "repl/editor/terminal_editor.h"
#include "repl/prompt/prompt.h"
#include "repl/prompt/terminal_presenter.h"
#include "src/command.h"
#include "src/options.h"

#include <cstdlib>
#include <iostream>
#include <optional>
#include <unistd.h>

namespace sinter {

namespace {

struct ReplOptions {
  std::string file;
  bool echo = false;
  bool no_startup = false;
  LimitOptions limits;
  DebugOption debug;
};

/// `given`: settings that the command line made, which go before those that are kept.
int converse(const ReplOptions& options, const std::vector<std::string>& given) {
  bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
  repl::PromptOptions prompt_options;
  prompt_options.console.session = options.debug.in(options.limits.session_options());
  if (terminal) {
    prompt_options.banner = "Sinter " SINTER_VERSION ".  :help lists the commands, Ctrl-D leaves.";
    prompt_options.console.display = repl::for_terminal({});
    prompt_options.console.shows_progress = true;
  }
  std::unique_ptr<repl::Presenter> presenter =
      terminal ? repl::make_terminal_presenter(std::cout, std::cerr,
                                               prompt_options.console.session.color)
               : std::make_unique<repl::StreamPresenter>(std::cout, std::cerr);
  repl::Prompt prompt(std::move(prompt_options), *presenter);
  repl::Console& console = prompt.console();
  if (!options.no_startup) console.start_up(given);
  if (!options.file.empty() && !console.load(options.file) && !terminal) return exit_rejected;
  std::unique_ptr<repl::LineEditor> editor;
  if (repl::Terminal::is_capable(STDIN_FILENO, STDOUT_FILENO)) {
    repl::EditorHooks hooks;
    hooks.highlight = repl::highlighted;
    hooks.complete = [&](std::string_view text) { return console.complete(text); };
    hooks.is_whole = repl::is_whole_input;
    hooks.indentation = repl::indentation_after;
    hooks.color = [&] { return console.session().options().color; };
    editor = repl::make_terminal_editor(repl::history_path(), std::move(hooks));
  } else {
    repl::Echo echo = terminal       ? repl::Echo::Prompts
                      : options.echo ? repl::Echo::All
                                     : repl::Echo::Nothing;
    editor = repl::make_stream_editor(std::cin, std::cout, echo);
  }
  // While somebody reads and types.
  std::optional<jit::EarlyOpening> opening;
  if (terminal) opening.emplace(console.session().options().acceleration);
  prompt.run(*editor);
  editor.reset(); // keeps its history
  return end_of(console.session(), exit_success);
}

} // namespace

std::function<int()> define_repl(Options& command_line) {
  auto options = std::make_shared<ReplOptions>();
  command_line.add_option("FILE", options->file, "A program to load first");
  command_line.add_flag(
      "--echo", options->echo,
      "Write prompts and inputs too when standard input is no terminal, so that the "
      "output reads like a session");
  command_line.add_flag("--no-startup", options->no_startup,
                        "Neither the settings that were kept nor the start-up file are read");
  options->limits.add_to(command_line);
  options->debug.add_to(command_line);
  command_line.footer(
      "Errors never end the session.  $XDG_CONFIG_HOME/sinter (or ~/.config/sinter) has the "
      "settings that `:set --save` keeps, and the start-up file startup.fut: declarations, "
      "expressions and commands as one types them.  The history is kept in "
      "$XDG_STATE_HOME/sinter.");
  return [options, command_line] {
    std::vector<std::string> given;
    for (const repl::Setting& setting : repl::settings())
      if (command_line.is_given("--" + std::string(setting.name))) given.emplace_back(setting.name);
    return converse(*options, given);
  };
}

} // namespace sinter
