#include "repl/kernel/kernel_spec.h"

#include "lang/values/format.h"
#include "repl/kernel/highlighting.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

constexpr std::string_view distribution = "sinter_pygments-1.dist-info";
constexpr std::string_view module_name = "sinter_pygments";

std::string text_of(std::string_view name) {
  for (const highlighting::File& file : highlighting::files())
    if (file.name == name) return std::string(file.text);
  throw std::logic_error("there is no text for highlighting of that name");
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
  write_file_bytes((folder / "futhark.tmLanguage.json").string(), text_of("futhark"));
  return folder;
}

bool remove_kernel_spec(const fs::path& jupyter_folder) {
  return fs::remove_all(jupyter_folder / "kernels" / "sinter") > 0;
}

void install_lexer(const fs::path& site_folder) {
  const fs::path package = site_folder / distribution;
  fs::create_directories(package);
  const std::pair<fs::path, std::string> files[] = {
      {std::string(module_name) + ".py", text_of(module_name)},
      {fs::path(distribution) / "METADATA",
       "Metadata-Version: 2.1\nName: sinter-pygments\nVersion: 1\n"
       "Summary: A Pygments lexer for Futhark as Sinter reads it\n"},
      {fs::path(distribution) / "INSTALLER", "sinter\n"},
      {fs::path(distribution) / "entry_points.txt",
       "[pygments.lexers]\nsinter = sinter_pygments:SinterLexer\n"}};
  std::string record; // hashes and sizes may be left out
  for (const auto& [name, text] : files) {
    write_file_bytes((site_folder / name).string(), text);
    record += name.string() + ",,\n";
  }
  record += (fs::path(distribution) / "RECORD").string() + ",,\n";
  write_file_bytes((package / "RECORD").string(), record);
}

bool remove_lexer(const fs::path& site_folder) {
  const bool was_there = fs::remove_all(site_folder / distribution) > 0;
  if (!was_there) return false;
  fs::remove(site_folder / (std::string(module_name) + ".py"));
  const fs::path compiled = site_folder / "__pycache__";
  std::vector<fs::path> of_the_module;
  if (fs::exists(compiled))
    for (const fs::directory_entry& file : fs::directory_iterator(compiled))
      if (file.path().filename().string().starts_with(std::string(module_name) + "."))
        of_the_module.push_back(file.path());
  for (const fs::path& file : of_the_module)
    fs::remove(file);
  return true;
}

} // namespace sinter::repl
