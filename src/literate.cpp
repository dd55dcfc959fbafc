// sinter literate FILE: a document of a script and what its directives show.
#include "repl/literate/writer.h"
#include "src/command.h"
#include "src/options.h"

#include <filesystem>
#include <iostream>

namespace sinter {

namespace {

struct LiterateCommand {
  std::string file;
  std::string output;
  bool html = false;
  bool stop_on_error = false;
  LimitOptions limits;
};

int write(const LiterateCommand& command) {
  std::string output = command.output;
  if (output.empty())
    output = std::filesystem::path(command.file)
                 .replace_extension(command.html ? ".html" : ".md")
                 .string();
  if (command.html && !output.ends_with(".html"))
    throw UsageError("with `--html` the output's name must end with .html");
  repl::ConsoleOptions options;
  options.session = command.limits.session_options();
  repl::DocumentConsole console(
      std::move(options), [](const std::string& message) { std::cerr << message << std::flush; });
  const repl::Outcome outcome =
      repl::write_document(console, command.file, {output, command.stop_on_error});
  return end_of(console.session(), exit_code(outcome));
}

} // namespace

std::function<int()> define_literate(Options& command_line) {
  auto command = std::make_shared<LiterateCommand>();
  command_line.add_option("FILE", command->file, "The script").required();
  command_line
      .add_option("-o,--output", command->output,
                  "The document (default: the script's name with .md or .html)")
      .value_name("OUT");
  command_line.add_flag("--html", command->html,
                        "Write one HTML page with everything in it; so does an OUT that ends with "
                        ".html");
  command_line.add_flag("--stop-on-error", command->stop_on_error,
                        "Write nothing if a directive fails");
  command->limits.add_to(command_line);
  command_line.footer(
      "Comments become text (Markdown), definitions code, and directives and expressions what "
      "they show:\n"
      "  -- > e             the value of an expression\n"
      "  -- > :img e        an image; `:video e`, `:audio e`, `:plot2d e`, `:gnuplot e; script`\n"
      "  -- > :COMMAND …    what a command of the prompt answers\n"
      "  -- > :brief …      without the directive's parameters\n"
      "  -- > :covert …     without the directive\n"
      "Pictures lie in OUT-img beside a Markdown document.  A script may read files and, with "
      ":gnuplot, run programs: look at it before you run what others wrote.");
  return [command] { return write(*command); };
}

} // namespace sinter
