#include "gpu/backend/kernel_code.h"

#include "jit/cpu/compiler_memory.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <set>
#include <utility>

namespace sinter::gpu {

std::vector<std::string> KernelCode::without_code(std::span<const std::string> names) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> result;
  for (const std::string& name : names) {
    if (const auto refusal = refusals_.find(name); refusal != refusals_.end())
      throw DeviceError(DeviceError::Kind::NoCode, refusal->second);
    if (!code_.contains(name) && std::ranges::find(result, name) == result.end())
      result.push_back(name);
  }
  return result;
}

bool KernelCode::has(std::span<const std::string> names) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::all_of(names, [&](const std::string& name) { return code_.contains(name); });
}

std::vector<std::string> KernelCode::made() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, code] : code_)
    names.push_back(name);
  return names;
}

void KernelCode::make(std::span<const std::string> names) {
  const std::lock_guard lock(making_);
  const std::vector<std::string> missing = without_code(names);
  if (missing.empty()) return;
  const jit::CompilerMemory memory;
  const auto begin = std::chrono::steady_clock::now();
  try {
    const std::shared_ptr<DeviceCode> code = device_->load(emission_(missing));
    const std::lock_guard made(mutex_);
    for (const std::string& name : missing)
      code_.emplace(name, code);
    milliseconds_ +=
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  } catch (const DeviceError& error) {
    if (error.kind != DeviceError::Kind::NoCode) throw;
    const std::lock_guard refused(mutex_);
    for (const std::string& name : missing)
      refusals_.emplace(name, error.what());
    throw;
  }
}

std::shared_ptr<DeviceCode> KernelCode::of(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = code_.find(name);
  assert(found != code_.end());
  return found->second;
}

CodeFacts KernelCode::facts() const {
  const std::lock_guard lock(mutex_);
  CodeFacts most;
  for (const auto& [name, code] : code_) {
    const CodeFacts facts = code->facts(name);
    most.registers = std::max(most.registers, facts.registers);
    most.local_bytes = std::max(most.local_bytes, facts.local_bytes);
    most.shared_bytes = std::max(most.shared_bytes, facts.shared_bytes);
    most.constant_bytes = std::max(most.constant_bytes, facts.constant_bytes);
  }
  return most;
}

std::string KernelCode::text() const {
  const std::lock_guard lock(mutex_);
  std::string result;
  std::set<const DeviceCode*> told;
  for (const auto& [name, code] : code_)
    if (told.insert(code.get()).second) result += code->text();
  return result;
}

double KernelCode::milliseconds() const {
  const std::lock_guard lock(mutex_);
  return milliseconds_;
}

} // namespace sinter::gpu
