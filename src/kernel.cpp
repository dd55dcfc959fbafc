// sinter kernel: for Jupyter notebooks.
#include "lang/base/plugin.h"
#include "repl/kernel/kernel_spec.h"
#include "repl/kernel/wire/serve.h"
#include "src/command.h"
#include "src/options.h"
#include "src/process.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace sinter {

namespace {

struct KernelOptions {
  std::string action;
  std::string prefix;
  bool for_user = false;
  std::string connection_file;
  LimitOptions limits;
};

std::filesystem::path jupyter_folder(const KernelOptions& options) {
  if (options.for_user && !options.prefix.empty())
    throw UsageError("`--user` and `--prefix` exclude each other");
  const std::filesystem::path folder = options.prefix.empty()
                                           ? repl::jupyter_user_folder()
                                           : repl::jupyter_folder_under(options.prefix);
  if (folder.empty()) throw UsageError("there is no home folder; give one with `--prefix`");
  return folder;
}

/// Where Python looks for what this user, or who uses what is under a folder, has installed; empty,
/// and a note is written, where no Python tells.
std::filesystem::path python_folder(const KernelOptions& options) {
  constexpr const char* for_user =
      "import site, sysconfig\n"
      "print(site.getusersitepackages() if site.ENABLE_USER_SITE\n"
      "      else sysconfig.get_path('purelib'))"; // a virtual environment has its own
  constexpr const char* under_prefix =
      "import os, site, sys, sysconfig\n"
      "prefix = os.path.abspath(sys.argv[1])\n"
      "own = [path for path in site.getsitepackages() if path.startswith(prefix + os.sep)]\n"
      "print(own[0] if own else\n"
      "      sysconfig.get_path('purelib', 'posix_prefix', vars={'base': prefix}))";
  std::vector<std::string> words = {"python3", "-c", for_user};
  if (!options.prefix.empty()) {
    const std::filesystem::path own = std::filesystem::absolute(options.prefix) / "bin" / "python3";
    if (std::filesystem::exists(own)) words[0] = own.string();
    words[2] = under_prefix;
    words.push_back(options.prefix);
  }
  const ProcessResult result = run_process(words);
  if (!result.succeeded) {
    std::cerr << "note: "
              << (result.was_found ? "python3 does not tell where it looks for modules"
                                   : "there is no python3")
              << ", so the lexer for Pygments is left out\n";
    return {};
  }
  return result.output.substr(0, result.output.find('\n'));
}

int install(const KernelOptions& options) {
  const std::filesystem::path jupyter = jupyter_folder(options);
  const std::filesystem::path python = python_folder(options);
  try {
    const std::filesystem::path written =
        repl::install_kernel_spec(jupyter, std::filesystem::read_symlink("/proc/self/exe"));
    std::cout << "installed " << written.string() << "\n";
    if (!python.empty()) {
      repl::install_lexer(python);
      std::cout << "installed the lexer `sinter` for Pygments in " << python.string() << "\n";
    }
  } catch (const std::system_error& error) {
    throw UsageError(error.what());
  }
  return exit_success;
}

int uninstall(const KernelOptions& options) {
  const std::filesystem::path jupyter = jupyter_folder(options);
  const std::filesystem::path python = python_folder(options);
  try {
    const bool had_kernel = repl::remove_kernel_spec(jupyter);
    const bool had_lexer = !python.empty() && repl::remove_lexer(python);
    if (!had_kernel && !had_lexer) throw UsageError("there is no kernel under " + jupyter.string());
    std::cout << "removed the " << (had_kernel ? "kernel" : "")
              << (had_kernel && had_lexer ? " and the " : "") << (had_lexer ? "lexer" : "") << "\n";
  } catch (const std::system_error& error) {
    throw UsageError(error.what());
  }
  return exit_success;
}

/// A notebook server that was killed can't ask its kernels to end: they look whether it is there.
void end_with_parent() {
  std::thread([parent = getppid()] {
    while (getppid() == parent)
      std::this_thread::sleep_for(std::chrono::seconds(1));
    std::_Exit(exit_failed);
  }).detach();
}

int serve(const KernelOptions& options) {
  if (options.connection_file.empty()) throw UsageError("`run` needs a connection file");
  if (std::getenv("JPY_PARENT_PID")) end_with_parent();
  repl::ConsoleOptions console;
  console.session = options.limits.session_options();
  console.session.color = true;
  console.display.width = 100;
  console.display.max_elements = 100;
  console.display.max_rows = 20;
  repl::Kernel kernel(std::move(console));
  try {
    auto* run = reinterpret_cast<repl::ServeKernel*>(
        open_plugin(repl::serve_kernel_library, repl::serve_kernel_symbol));
    run(kernel, options.connection_file);
  } catch (const std::runtime_error& error) {
    throw UsageError(std::string("the kernel can't be started: ") + error.what());
  }
  return exit_success;
}

} // namespace

std::function<int()> define_kernel(Options& command_line) {
  auto options = std::make_shared<KernelOptions>();
  command_line
      .add_option(
          "ACTION", options->action,
          "`install` makes Jupyter know Sinter, and Pygments its language; `uninstall` undoes that")
      .required()
      .one_of({"install", "uninstall", "run"});
  command_line.add_option("CONNECTION", options->connection_file,
                          "Of `run`, which Jupyter calls: its connection file");
  command_line.add_flag("--user", options->for_user, "Install for this user (the default)");
  command_line
      .add_option("--prefix", options->prefix, "Install for the Jupyter that is under this folder")
      .value_name("FOLDER");
  options->limits.add_to(command_line);
  command_line.footer("After `sinter kernel install`, Jupyter offers notebooks in Sinter.");
  return [options] {
    return options->action == "install"     ? install(*options)
           : options->action == "uninstall" ? uninstall(*options)
                                            : serve(*options);
  };
}

} // namespace sinter
