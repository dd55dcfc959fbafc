// sinter kernel: for Jupyter notebooks.
#include "lang/base/plugin.h"
#include "repl/kernel/kernel_spec.h"
#include "repl/kernel/wire/serve.h"
#include "src/command.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <filesystem>
#include <iostream>
#include <sys/prctl.h>
#include <system_error>
#include <unistd.h>

namespace sinter {

namespace {

struct KernelOptions {
  std::string prefix;
  bool for_user = false;
  std::string connection_file;
  LimitOptions limits;
};

int install(const KernelOptions& options) {
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

int serve(const KernelOptions& options) {
  // A notebook server that was killed can't ask its kernels to end.
  if (std::getenv("JPY_PARENT_PID")) prctl(PR_SET_PDEATHSIG, SIGTERM);
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

std::function<int()> define_kernel(CLI::App& app) {
  auto options = std::make_shared<KernelOptions>();
  auto action = std::make_shared<int (*)(const KernelOptions&)>(install);
  app.require_subcommand(1);
  CLI::App* installing = app.add_subcommand("install", "Make Jupyter know Sinter");
  installing->add_flag("--user", options->for_user, "For this user (the default)");
  installing
      ->add_option("--prefix", options->prefix,
                   "For the Jupyter that is installed under this folder")
      ->type_name("FOLDER")
      ->excludes("--user");
  installing->callback([action] { *action = install; });
  CLI::App* running = app.add_subcommand("run", "What Jupyter calls");
  running->add_option("CONNECTION", options->connection_file, "Jupyter's connection file")
      ->required();
  options->limits.add_to(*running);
  running->callback([action] { *action = serve; });
  app.footer("After `sinter kernel install`, `jupyter notebook` offers notebooks in Sinter.");
  return [action, options] { return (*action)(*options); };
}

} // namespace sinter
