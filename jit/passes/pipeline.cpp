#include "jit/passes/pipeline.h"

#include "jit/ir/print.h"
#include "jit/ir/verify.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <stdexcept>

namespace sinter::jit {

namespace {

bool names(const PassNames& asked, std::string_view pass) {
  return std::ranges::any_of(
      asked, [&](const std::string& name) { return name == "all" || name == pass; });
}

std::vector<Pass> chosen_passes(const PassOptions& options) {
  std::vector<Pass> chosen;
  const auto add = [&](const Pass& pass) {
    if (!names(options.without, pass.name)) chosen.push_back(pass);
  };
  const std::span<const Pass> all = all_passes();
  if (options.passes.empty()) std::ranges::for_each(all, add);
  for (const std::string& name : options.passes) {
    if (name == "all") {
      std::ranges::for_each(all, add);
      continue;
    }
    const auto pass = std::ranges::find(all, name, &Pass::name);
    assert(pass != all.end() && "names are checked where they are read");
    add(*pass);
  }
  return chosen;
}

} // namespace

std::span<const Pass> all_passes() {
  static constexpr std::array passes = {
#define SINTER_PASS(name, function) Pass{name, function},
#include "jit/passes/passes.def"
#undef SINTER_PASS
  };
  return passes;
}

void require_rules(const ir::Function& function, std::string_view after,
                   const ir::Function* before) {
  const std::optional<std::string> violation = ir::verify(function);
  if (!violation) return;
  std::string message = "the code after " + std::string(after) + " is wrong: " + *violation;
  if (before) message += "\nbefore it, the code was:\n" + ir::print(*before);
  throw std::logic_error(message);
}

PassScope::PassScope(const PassOptions& options, std::string_view name,
                     const ir::Function& function)
    : options_(options), function_(function) {
  record_.name = name;
  if (names(options.print_before, name)) record_.before = ir::print(function);
  if (options.verify) before_ = function;
  began_ = std::chrono::steady_clock::now();
}

PassRecord PassScope::finish() {
  record_.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began_).count();
  if (options_.verify) require_rules(function_, record_.name, &*before_);
  if (names(options_.print_after, record_.name)) record_.after = ir::print(function_);
  return std::move(record_);
}

std::vector<PassRecord> optimise(ir::Function& function, const PassOptions& options,
                                 const std::function<void()>& between) {
  std::vector<PassRecord> records;
  for (const Pass& pass : chosen_passes(options)) {
    if (between) between();
    PassScope scope(options, pass.name, function);
    pass.run(function);
    records.push_back(scope.finish());
  }
  return records;
}

} // namespace sinter::jit
