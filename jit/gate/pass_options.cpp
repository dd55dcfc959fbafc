#include "jit/gate/pass_options.h"

#include <algorithm>

namespace sinter::jit {

PassNames pass_names() {
  PassNames names;
  for (const std::string_view name : {
#define SINTER_PASS(name, function) std::string_view(name),
#include "jit/passes/passes.def"
#undef SINTER_PASS
       })
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  return names;
}

std::optional<std::string> unknown_pass(const PassNames& names) {
  const PassNames known = pass_names();
  for (const std::string& name : names) {
    if (name == "all" || std::ranges::find(known, name) != known.end()) continue;
    std::string message = "there is no pass `" + name + "`; there are";
    for (const std::string& each : known)
      message += (&each == &known.front() ? " `" : ", `") + each + "`";
    return message;
  }
  return std::nullopt;
}

} // namespace sinter::jit
