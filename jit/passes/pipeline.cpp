#include "jit/passes/pipeline.h"

#include "jit/ir/print.h"
#include "jit/ir/verify.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>
#include <stdexcept>

namespace sinter::jit {

namespace {

bool names(const PassNames& asked, std::string_view pass) {
  return std::ranges::any_of(
      asked, [&](const std::string& name) { return name == "all" || name == pass; });
}

std::vector<Pass> chosen_passes(const PassOptions& options, std::span<const Pass> pipeline) {
  std::vector<Pass> chosen;
  const auto add = [&](const Pass& pass) {
    if (!names(options.without, pass.name)) chosen.push_back(pass);
  };
  const std::span<const Pass> all = all_passes();
  if (options.passes.empty()) std::ranges::for_each(pipeline, add);
  for (const std::string& name : options.passes) {
    if (name == "all") {
      std::ranges::for_each(pipeline, add);
      continue;
    }
    const auto pass = std::ranges::find(all, name, &Pass::name);
    assert(pass != all.end() && "names are checked where they are read");
    add(*pass);
  }
  return chosen;
}

template <void (*run)(ir::Function&)>
void without_vectors(ir::Function& function, const VectorRegisters&) {
  run(function);
}

} // namespace

std::span<const Pass> all_passes() {
  static constexpr std::array passes = {
#define SINTER_PASS(name, function) Pass{name, without_vectors<function>},
#define SINTER_CPU_PASS(name, function) Pass{name, without_vectors<function>},
#define SINTER_CPU_VECTOR_PASS(name, function) Pass{name, function},
#define SINTER_DEVICE_PASS(name, function) Pass{name, without_vectors<function>},
#include "jit/passes/passes.def"
#undef SINTER_PASS
#undef SINTER_CPU_PASS
#undef SINTER_CPU_VECTOR_PASS
#undef SINTER_DEVICE_PASS
  };
  return passes;
}

namespace {
#define SINTER_PASS(name, function) +1
#define SINTER_CPU_PASS(name, function)
#define SINTER_CPU_VECTOR_PASS(name, function)
#define SINTER_DEVICE_PASS(name, function)
constexpr std::size_t common_count = 0
#include "jit/passes/passes.def"
    ;
#undef SINTER_CPU_PASS
#undef SINTER_CPU_VECTOR_PASS
#define SINTER_CPU_PASS(name, function) +1
#define SINTER_CPU_VECTOR_PASS(name, function) +1
constexpr std::size_t host_count = 0
#include "jit/passes/passes.def"
    ;
#undef SINTER_PASS
#undef SINTER_CPU_PASS
#undef SINTER_CPU_VECTOR_PASS
#undef SINTER_DEVICE_PASS
} // namespace

std::span<const Pass> host_passes() {
  return all_passes().first(host_count);
}

std::span<const Pass> common_passes() {
  return all_passes().first(common_count);
}

std::span<const Pass> cpu_passes() {
  return host_passes().subspan(common_count);
}

std::span<const Pass> device_passes() {
  return all_passes().subspan(host_count);
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
                                 const std::function<void()>& between,
                                 std::span<const Pass> pipeline) {
  std::vector<PassRecord> records;
  for (const Pass& pass : chosen_passes(options, pipeline)) {
    if (between) between();
    PassScope scope(options, pass.name, function);
    pass.run(function, options.vectors);
    records.push_back(scope.finish());
  }
  return records;
}

namespace {

std::vector<PassRecord> prepare_kernel(ir::Function& kernel, const PassOptions& options,
                                       std::span<const Pass> passes) {
  // What the place's own leave alone, the common passes have seen already.
  const std::size_t values = kernel.values.size();
  const auto is_common = [](const Pass& pass) {
    return std::ranges::find(common_passes(), pass.name, &Pass::name) != common_passes().end();
  };
  const auto own =
      static_cast<std::size_t>(std::ranges::find_if(passes, is_common) - passes.begin());
  std::vector<PassRecord> records = optimise(kernel, options, {}, passes.first(own));
  if (kernel.values.size() == values) {
    std::erase_if(records, [](const PassRecord& record) {
      return record.before.empty() && record.after.empty();
    });
    return records;
  }
  std::vector<PassRecord> more = optimise(kernel, options, {}, passes.subspan(own));
  std::ranges::move(more, std::back_inserter(records));
  return records;
}

} // namespace

std::vector<PassRecord> prepare_for_cpu(ir::Function& kernel, const PassOptions& options) {
  return prepare_kernel(kernel, options, cpu_passes());
}

std::vector<PassRecord> prepare_for_device(ir::Function& kernel, const PassOptions& options) {
  return prepare_kernel(kernel, options, device_passes());
}

} // namespace sinter::jit
