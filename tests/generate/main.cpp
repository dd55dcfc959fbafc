// sinter_generate: prints random programs, each as the printer of syntax trees lays it out; or a
// given one with other names.
#include "lang/check/checker.h"
#include "lang/syntax/parser.h"
#include "lang/syntax/print.h"
#include "tests/generate/program_generator.h"
#include "tests/generate/renaming.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace {

constexpr const char* usage =
    "usage: sinter_generate [--seed N] [--count N] [--size N] [--run-time-errors]\n"
    "       [--computes] [--marks] [--length N] [--folder PATH]\n"
    "       sinter_generate --names apart|shadowing FILE\n"
    "Prints COUNT random programs, of the seeds SEED, SEED + 1, …; with --folder each becomes a\n"
    "file SEED.fut there.  With --names it prints FILE with its names chosen anew.\n";

struct Arguments {
  sinter::generate::Options options;
  std::uint64_t count = 1;
  std::string folder;
};

/// False if the command line is none.
bool parse(int argc, char** argv, Arguments& arguments) {
  for (int i = 1; i < argc; ++i) {
    std::string_view name = argv[i];
    if (name == "--run-time-errors") {
      arguments.options.run_time_errors = true;
      continue;
    }
    if (name == "--computes") {
      arguments.options.computes = true;
      continue;
    }
    if (name == "--marks") {
      arguments.options.marks = true;
      continue;
    }
    if (++i == argc) return false;
    if (name == "--folder") {
      arguments.folder = argv[i];
      continue;
    }
    char* end = nullptr;
    std::uint64_t number = std::strtoull(argv[i], &end, 10);
    if (*end != '\0' || end == argv[i]) return false;
    if (name == "--seed")
      arguments.options.seed = number;
    else if (name == "--count")
      arguments.count = number;
    else if (name == "--size")
      arguments.options.size = static_cast<unsigned>(number);
    else if (name == "--length")
      arguments.options.length = number;
    else
      return false;
  }
  return true;
}

/// The program over several lines; as it is if it does not parse, which the tests would tell.
std::string laid_out(const std::string& text) {
  using namespace sinter;
  SourceMap sources;
  syntax::Ast ast;
  Diagnostics diagnostics;
  syntax::File file = syntax::parse_file(sources, sources.add("generated", text), ast, diagnostics);
  return diagnostics.has_errors() ? text : syntax::print(file);
}

int print_renamed(std::string_view naming, const char* path) {
  using namespace sinter;
  SourceMap sources;
  check::Checker checker(sources);
  Diagnostics diagnostics;
  const check::CheckedFile* file = checker.check_file(path, diagnostics);
  if (!file) {
    std::fputs(render(sources, diagnostics).c_str(), stderr);
    return 1;
  }
  using generate::Naming;
  const Naming names = naming == "apart" ? Naming::Apart : Naming::Shadowing;
  std::fputs(generate::renamed(sources, checker, *file, names).c_str(), stdout);
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  if (argc == 4 && argv[1] == std::string_view("--names") &&
      (argv[2] == std::string_view("apart") || argv[2] == std::string_view("shadowing")))
    return print_renamed(argv[2], argv[3]);
  Arguments arguments;
  if (!parse(argc, argv, arguments)) {
    std::fputs(usage, stderr);
    return 2;
  }
  for (std::uint64_t i = 0; i < arguments.count; ++i, ++arguments.options.seed) {
    sinter::generate::Program program = sinter::generate::generate_program(arguments.options);
    std::size_t block_end = program.input.empty() ? 0 : program.text.find("\n\n") + 2;
    std::string text = program.text.substr(0, block_end) + laid_out(program.text.substr(block_end));
    if (arguments.folder.empty()) {
      std::fputs(text.c_str(), stdout);
      continue;
    }
    std::string path = arguments.folder + "/" + std::to_string(arguments.options.seed) + ".fut";
    std::ofstream file(path);
    file << text;
    if (!file.flush()) {
      std::fprintf(stderr, "sinter_generate: cannot write %s\n", path.c_str());
      return 1;
    }
  }
  return 0;
}
