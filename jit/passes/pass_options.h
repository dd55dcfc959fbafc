// What is asked for about the passes over the IR, besides running them.  Knows their names, not the
// IR: commands include it.
#pragma once

#include "jit/passes/vector_registers.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::jit {

/// Names as in jit/passes/passes.def; "all" stands for every one.
using PassNames = std::vector<std::string>;

struct PassOptions {
  PassNames passes;        ///< these, in this order; empty, and where "all" stands: the pipeline
  PassNames without;       ///< these are left out
  PassNames print_before;  ///< the IR is kept as text before these
  PassNames print_after;   ///< … and after these
  bool verify = false;     ///< the rules of the IR are checked after every pass
  VectorRegisters vectors; ///< of the processor that the code is for
  friend bool operator==(const PassOptions&, const PassOptions&) = default;
};

/// What a pass did.
struct PassRecord {
  std::string name;
  double milliseconds = 0;
  std::string before, after; ///< the IR's text, where it was asked for
};

/// Every pass's name, once, in the pipeline's order.
inline PassNames pass_names() {
  PassNames names;
  for (const std::string_view name : {
#define SINTER_PASS(name, function) std::string_view(name),
#define SINTER_CPU_PASS(name, function) std::string_view(name),
#define SINTER_CPU_VECTOR_PASS(name, function) std::string_view(name),
#define SINTER_DEVICE_PASS(name, function) std::string_view(name),
#include "jit/passes/passes.def"
#undef SINTER_PASS
#undef SINTER_CPU_PASS
#undef SINTER_CPU_VECTOR_PASS
#undef SINTER_DEVICE_PASS
       })
    if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
  return names;
}

/// What to say of the first name that no pass has, if any ("all" is fine).
inline std::optional<std::string> unknown_pass(const PassNames& names) {
  const PassNames known = pass_names();
  for (const std::string& name : names) {
    if (name == "all" || std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string message = "there is no pass `" + name + "`; there are";
    for (const std::string& each : known)
      message += (&each == &known.front() ? " `" : ", `") + each + "`";
    return message;
  }
  return std::nullopt;
}

} // namespace sinter::jit
