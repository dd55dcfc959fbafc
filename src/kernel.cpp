// sinter kernel: for Jupyter notebooks.
#include "lang/base/plugin.h"
#include "repl/kernel/kernel_spec.h"
#include "repl/kernel/wire/serve.h"
#include "src/command.h"
#include "src/options.h"

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

int install(const KernelOptions& options) {
  if (options.for_user && !options.prefix.empty())
    throw UsageError("`--user` and `--prefix` exclude each other");
  const std::filesystem::path folder = options.prefix.empty()
                                           ? repl::jupyter_user_folder()
                                           : repl::jupyter_folder_under(options.prefix);
  if (folder.empty()) throw UsageError("there is no home folder; give one with `--prefix`");
  try {
    const std::filesystem::path written =
        repl::install_kernel_spec(folder, std::filesystem::read_symlink("/proc/self/exe"));
    std::cout << "installed " << written.string() << "\n";
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
  command_line.add_option("ACTION", options->action, "`install` makes Jupyter know Sinter")
      .required()
      .one_of({"install", "run"});
  command_line.add_option("CONNECTION", options->connection_file,
                          "Of `run`, which Jupyter calls: its connection file");
  command_line.add_flag("--user", options->for_user, "Install for this user (the default)");
  command_line
      .add_option("--prefix", options->prefix, "Install for the Jupyter that is under this folder")
      .value_name("FOLDER");
  options->limits.add_to(command_line);
  command_line.footer("After `sinter kernel install`, Jupyter offers notebooks in Sinter.");
  return [options] { return options->action == "install" ? install(*options) : serve(*options); };
}

} // namespace sinter
