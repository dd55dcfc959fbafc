#include "repl/kernel/kernel_spec.h"

#include "lang/values/format.h"
#include "repl/kernel/highlighting.h"

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

namespace {

/// A grammar for editors, and a lexer with what lets Pygments find it where this folder is on
/// Python's path.
void install_highlighting(const fs::path& folder) {
  for (const highlighting::File& file : highlighting::files()) {
    const bool is_grammar = file.name == "futhark";
    const std::string name = std::string(file.name) + (is_grammar ? ".tmLanguage.json" : ".py");
    write_file_bytes((folder / name).string(), std::string(file.text));
  }
  const fs::path package = folder / "sinter_pygments-1.dist-info";
  fs::create_directories(package);
  write_file_bytes((package / "METADATA").string(),
                   "Metadata-Version: 2.1\nName: sinter-pygments\nVersion: 1\n");
  write_file_bytes((package / "entry_points.txt").string(),
                   "[pygments.lexers]\nsinter = sinter_pygments:SinterLexer\n");
}

} // namespace

fs::path install_kernel_spec(const fs::path& jupyter_folder, const fs::path& executable) {
  const fs::path folder = jupyter_folder / "kernels" / "sinter";
  fs::create_directories(folder);
  const nlohmann::ordered_json spec = {
      {"argv", {executable.string(), "kernel", "run", "{connection_file}"}},
      {"display_name", "Sinter"},
      {"language", "futhark"},
      {"interrupt_mode", "signal"}};
  write_file_bytes((folder / "kernel.json").string(), spec.dump(2) + "\n");
  install_highlighting(folder);
  return folder;
}

} // namespace sinter::repl
