#include "lang/base/plugin.h"

#include "lang/base/reserve.h"

#include <dlfcn.h>
#include <filesystem>
#include <stdexcept>

namespace sinter {

void* open_plugin(const std::string& name, const char* symbol) {
  std::error_code unreadable;
  std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", unreadable);
  path.replace_filename(name + ".so");
  const Reserve memory(std::size_t{16} << 20); // for what libraries construct when they are opened
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw std::runtime_error(dlerror());
  void* function = dlsym(library, symbol);
  if (!function) throw std::runtime_error(dlerror());
  return function;
}

} // namespace sinter
