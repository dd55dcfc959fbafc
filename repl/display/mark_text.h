// What compiled code takes out of a program for each mark `#[accelerate]`, in words.
#pragma once

#include "jit/gate/hot_swap.h"
#include "lang/base/source_map.h"

#include <span>
#include <string>
#include <vector>

namespace sinter::repl {

/// What the runs of a mark's code moved; of code that ran by itself, not as a part of other code.
struct MarkTraffic {
  std::uint64_t runs = 0;
  std::uint64_t least_bytes = 0;       ///< of inputs and results, in all runs
  std::uint64_t transferred_bytes = 0; ///< between the host and a device, in all runs
};
MarkTraffic traffic(const jit::MarkReport& mark, const jit::Report& report);

/// "xs" as the program has it; "" if it has no name.
std::string name_of(const SourceMap& sources, const jit::MarkedValue& value);

/// A paragraph for each mark: functions, inputs and results with their bytes, what is copied where.
std::string dependencies(const SourceMap& sources, std::span<const jit::MarkReport> marks,
                         const jit::Report& report);

} // namespace sinter::repl
