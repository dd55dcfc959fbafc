#include "repl/kernel/kernel_spec.h"

#include "lang/values/format.h"

#include <nlohmann/json.hpp>

#include <cstdlib>

namespace sinter::repl {

namespace fs = std::filesystem;

fs::path jupyter_user_folder() {
  if (const char* folder = std::getenv("JUPYTER_DATA_DIR"); folder && *folder) return folder;
  if (const char* data = std::getenv("XDG_DATA_HOME"); data && *data == '/')
    return fs::path(data) / "jupyter";
  if (const char* home = std::getenv("HOME"); home && *home)
    return fs::path(home) / ".local" / "share" / "jupyter";
  return {};
}

fs::path jupyter_folder_under(const fs::path& prefix) {
  return fs::absolute(prefix) / "share" / "jupyter";
}

fs::path install_kernel_spec(const fs::path& jupyter_folder, const fs::path& executable) {
  const fs::path folder = jupyter_folder / "kernels" / "sinter";
  fs::create_directories(folder);
  const nlohmann::ordered_json spec = {
      {"argv", {executable.string(), "kernel", "run", "{connection_file}"}},
      {"display_name", "Sinter"},
      {"language", "futhark"},
      {"interrupt_mode", "signal"}};
  write_file_bytes((folder / "kernel.json").string(), spec.dump(2) + "\n");
  return folder;
}

} // namespace sinter::repl
