// sinter ir: the compiler's intermediate code as text, and what its passes make of it.
#include "jit/gate/ir_text.h"
#include "lang/values/format.h"
#include "src/command.h"
#include "src/options.h"

#include <iostream>
#include <sstream>

namespace sinter {

namespace {

struct IrOptions {
  std::string file;
  std::vector<std::string> passes, without, print_before, print_after;
  bool lists = false, times = false;
};

/// Names one by one or with commas between them.
jit::PassNames names(const std::vector<std::string>& given) {
  jit::PassNames result;
  for (const std::string& list : given) {
    std::istringstream words(list);
    for (std::string word; std::getline(words, word, ',');)
      result.push_back(word);
  }
  if (const auto message = jit::unknown_pass(result)) throw UsageError(*message);
  return result;
}

int run(const IrOptions& options) {
  if (options.lists) {
    for (const std::string& name : jit::pass_names())
      std::cout << name << "\n";
    return exit_success;
  }
  if (options.file.empty()) throw UsageError("a file is needed, or `--list`");
  const jit::PassOptions passes{.passes = names(options.passes),
                                .without = names(options.without),
                                .print_before = names(options.print_before),
                                .print_after = names(options.print_after),
                                .verify = true};
  const jit::IrText text = jit::run_passes(read_file_bytes(options.file), passes);
  for (const jit::PassRecord& pass : text.passes) {
    if (!pass.before.empty()) std::cerr << "-- before " << pass.name << "\n" << pass.before;
    if (!pass.after.empty()) std::cerr << "-- after " << pass.name << "\n" << pass.after;
  }
  if (options.times)
    for (const jit::PassRecord& pass : text.passes)
      std::cerr << pass.name << ": " << pass.milliseconds << " ms\n";
  if (!text.error.empty()) {
    std::cerr << (options.file == "-" ? "" : options.file + ":") << text.error << "\n";
    return exit_rejected;
  }
  std::cout << text.result;
  return exit_success;
}

} // namespace

std::function<int()> define_ir(Options& command_line) {
  auto options = std::make_shared<IrOptions>();
  command_line.add_option("FILE", options->file,
                          "A function of the intermediate code, `-`: from "
                          "standard input");
  const auto pass_option = [&](const std::string& name, std::vector<std::string>& target,
                               const std::string& help) {
    command_line.add_option(name, target, help).value_name("PASS,...").one_value_each();
  };
  pass_option("--passes", options->passes, "Run these, in this order [all that `run` would]");
  pass_option("--without-pass", options->without, "Leave these out");
  pass_option("--print-before", options->print_before,
              "Show the code before these (`all`: before each)");
  pass_option("--print-after", options->print_after, "Show the code after these");
  command_line.add_flag("--times", options->times, "Show how long each pass took");
  command_line.add_flag("--list", options->lists,
                        "Name the passes, in the order of their first run");
  command_line.footer(
      "Reads a function, runs passes over it, checks it after each of them, and writes what they\n"
      "left to standard output.  `sinter explain --ir` shows a program's.  Example:\n"
      "  sinter ir f.ir --passes simplify,fuse --print-after all");
  return [options] { return run(*options); };
}

} // namespace sinter
