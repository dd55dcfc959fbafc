// sinter FILE: a script, whose entries are obeyed as at a prompt.
#include "repl/scripts/script.h"
#include "repl/prompt/terminal_presenter.h"
#include "src/command.h"
#include "src/options.h"

#include <iostream>

namespace sinter {

namespace {

struct ScriptOptions {
  std::string file;
  LimitOptions limits;
  DebugOption debug;
};

/// Values as one writes them, whole: for who reads them on.  Definitions are not worth a word.
class ScriptPresenter final : public repl::Presenter {
public:
  void value(const repl::Outcome& outcome, const repl::DisplayOptions&) override {
    std::cout << print_value(outcome.value, outcome.representation, SIZE_MAX, outcome.order)
              << std::endl;
  }
  void definition(std::string_view, bool) override {}
  void text(std::string_view text) override { inner_->text(text); }
  void message(std::string_view text) override { std::cerr << text << std::flush; }
  void media(const repl::Media& media) override { inner_->media(media); }
  repl::DrawingForm drawing_form() const override { return inner_->drawing_form(); }

private:
  std::unique_ptr<repl::Presenter> inner_ = repl::presenter_for_output(std::cout, std::cerr);
};

int run_file(const ScriptOptions& options) {
  ScriptPresenter presenter;
  repl::ConsoleOptions console_options;
  console_options.session = options.debug.in(options.limits.session_options());
  repl::Console console(std::move(console_options), presenter);
  bool any = false;
  repl::Outcome outcome =
      repl::run_script(console, options.file, [&](const repl::Entry&) { any = true; });
  if (outcome.ok() && !any)
    std::cerr << "note: " << options.file
              << " has nothing to show (directives `-- > expression`); `sinter run " << options.file
              << "` calls its entry point\n";
  return end_of(console.session(), exit_code(outcome));
}

} // namespace

std::function<int()> define_script(Options& command_line) {
  auto options = std::make_shared<ScriptOptions>();
  command_line.add_option("FILE", options->file, "The script").required();
  options->limits.add_to(command_line);
  options->debug.add_to(command_line);
  command_line.footer(
      "A script is obeyed as it would be at a prompt, and the values of its expressions are "
      "printed.  In a program of the language, expressions and commands stand in comments: "
      "`-- > e`, `-- > :read t = \"t.csv\"`, `-- > :time e`, `-- > :img e`.  A file that is "
      "nothing but a program and such directives that define nothing is loaded as a whole "
      "first.\n`sinter literate` makes a document of a script.  After an entry that fails, the "
      "others still run.");
  return [options] { return run_file(*options); };
}

} // namespace sinter
