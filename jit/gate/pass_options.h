// What is asked for about the passes over the IR, besides running them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::jit {

/// Names as in jit/passes/passes.def; "all" stands for every one.
using PassNames = std::vector<std::string>;

struct PassOptions {
  PassNames passes;       ///< these, in this order; empty: the pipeline
  PassNames without;      ///< these are left out
  PassNames print_before; ///< the IR is kept as text before these
  PassNames print_after;  ///< … and after these
  bool verify = false;    ///< the rules of the IR are checked after every pass
};

/// What a pass did.
struct PassRecord {
  std::string name;
  double milliseconds = 0;
  std::string before, after; ///< the IR's text, where it was asked for
};

/// The first name that no pass has, if any ("all" is fine); the message for it lists them.
std::optional<std::string> unknown_pass(const PassNames& names);
/// Every pass's name, once, in the pipeline's order.
PassNames pass_names();

} // namespace sinter::jit
