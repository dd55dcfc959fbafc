// The `sinter` executable: finds the subcommand in a table and runs it.
#include "lang/base/address_space.h"
#include "src/command.h"
#include "src/options.h"
#include "src/standard_output.h"

#include "lang/base/heap.h"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <string_view>
#include <system_error>

#include <execinfo.h>
#include <unistd.h>

namespace {

using namespace sinter;

constexpr Command commands[] = {
    {"run", "Call an entry point on values from standard input or files", define_run},
    {"stream", "Call an entry point on chunk after chunk of a pipe or of files", define_stream},
    {"check", "Check programs without running them", define_check},
    {"eval", "Evaluate one expression", define_eval},
    {"repl", "Open the prompt (so does `sinter` alone)", define_repl},
    {"script", "Run a file's directives (so does `sinter FILE`)", define_script},
    {"literate", "Make a document of a script and what it shows", define_literate},
    {"test", "Run the test blocks of programs", define_test},
    {"bench", "Time the test blocks of programs", define_bench},
    {"explain", "Show what is compiled of an entry point, and why not the rest", define_explain},
    {"ir", "Run passes over the compiler's intermediate code, as text", define_ir},
    {"compare", "Compare the ways of evaluating a program, and their accuracy", define_compare},
    {"pieces", "Tell how an entry point's work may be cut into pieces", define_pieces},
    {"combine", "Make the results of a run from its pieces", define_combine},
    {"devices", "List where compiled code may run", define_devices},
    {"pkg", "Fetch the packages that a project needs", define_pkg},
    {"kernel", "Serve Jupyter notebooks", define_kernel},
    {"help", "Explain a diagnostic by its id", define_help},
    {"test-worker", "", define_test_worker, true},
};

constexpr const char* description = "Sinter runs programs written in the Futhark language.";
constexpr const char* footer =
    "Examples:\n"
    "  sinter                            open the prompt\n"
    "  sinter eval 'map (*2) [1, 2, 3]'  evaluate an expression\n"
    "  echo '[1, 2]' | sinter run f.fut  call `main` of a program\n"
    "  sinter notes.fut                  run the directives (`-- > expression`) of a script\n"
    "`sinter COMMAND --help` tells more.\n\n"
    "Results go to standard output, everything else to standard error.  Exit codes:\n"
    "  0    all went well\n"
    "  1    the program failed while running, or a test failed\n"
    "  2    bad options, a file that cannot be read or written, malformed data, or a program\n"
    "       with errors\n"
    "  124  stopped by --timeout\n"
    "  130  stopped by Ctrl-C";

/// `sinter` alone is the prompt, `sinter FILE` a script.
std::vector<std::string> with_command(std::vector<std::string> arguments) {
  if (arguments.empty()) return {"repl"};
  const std::string& first = arguments.front();
  for (const Command& command : commands)
    if (first == command.name) return arguments;
  std::error_code error;
  if (first.starts_with('-')) return arguments;
  if (!first.ends_with(".fut") && !std::filesystem::is_regular_file(first, error))
    throw UsageError("`" + first + "` is neither a command nor a file; see `sinter --help`");
  arguments.insert(arguments.begin(), "script");
  return arguments;
}

int run_command(std::vector<std::string> arguments) {
  CLI::App app(description, "sinter");
  app.footer(footer);
  app.set_version_flag("--version", "sinter " SINTER_VERSION);
  app.require_subcommand(1);
  std::function<int()> action;
  // Only the command that is called defines its options: that keeps the start quick.
  bool all = arguments.empty() || arguments.front().starts_with('-');
  for (const Command& command : commands) {
    if (command.hidden && (arguments.empty() || arguments.front() != command.name)) continue;
    CLI::App* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
    if (all || arguments.front() != command.name) continue;
    Options options(*sub);
    action = command.define(options);
  }
  std::string help = all ? "sinter --help" : "sinter " + arguments.front() + " --help";
  try {
    std::reverse(arguments.begin(), arguments.end()); // as CLI11 wants them
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error); // --help, --version
    std::cerr << "sinter: error: " << error.what() << "; see `" << help << "`\n";
    return exit_rejected;
  }
  return action();
}

constexpr std::string_view out_of_memory = "sinter: error: out of memory\n";

/// Libraries have functions that let no exception out and allocate nevertheless: where there is no
/// memory for them, nobody can go on.
[[noreturn]] void terminate() {
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    (void)!write(STDERR_FILENO, out_of_memory.data(), out_of_memory.size());
    _exit(exit_failed);
  } catch (...) {
    // Our own mistake.
  }
  std::abort();
}

} // namespace

int main(int argc, char** argv) {
  std::set_terminate(terminate);
  void* frame = nullptr;
  backtrace(&frame, 1); // the C library loads what it unwinds with now, not when memory is short
  occupy_standard_descriptors();
  sinter::keep_heap();
  sinter::share_heaps();
  try {
    StandardOutput output;
    const int code = run_command(with_command({argv + 1, argv + argc}));
    output.finish();
    return code;
  } catch (const UsageError& error) {
    std::cerr << "sinter: error: " << error.message << "\n";
  } catch (const OutputError& error) {
    std::cerr << "sinter: error: " << error.message << "\n";
  } catch (const sinter::FormatError& error) {
    std::cerr << "sinter: error: " << error.message << "\n";
  } catch (const sinter::RuntimeError& error) {
    std::cerr << "sinter: error: " << error.message << "\n";
    return exit_failed;
  } catch (const std::bad_alloc&) {
    std::cerr << out_of_memory;
    return exit_failed;
  } catch (const std::system_error& error) { // there is no thread to be had
    std::cerr << "sinter: error: " << error.what() << "\n";
    return exit_failed;
  }
  return exit_rejected;
}
