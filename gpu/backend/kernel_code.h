// A kernel's entry points as code of a device, made when launches first want them.
#pragma once

#include "gpu/device/device.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sinter::gpu {

/// Code takes long to make, and a kernel may have entry points for sizes that never come.  So there
/// is code of those that launches have wanted; those that were wanted together are one module.
/// Thread-safe.
class KernelCode {
public:
  /// Gives a module of the entry points with such names, whenever it is asked.
  using Emission = std::function<GpuModule(const std::vector<std::string>& names)>;

  KernelCode(std::shared_ptr<Device> device, std::vector<EntryPoint> entries, Emission emission)
      : device_(std::move(device)), entries_(std::move(entries)), emission_(std::move(emission)) {}

  /// Of all entry points, none of which need have code.
  const std::vector<EntryPoint>& entries() const { return entries_; }
  bool has(std::span<const std::string> names) const;
  std::vector<std::string> made() const; ///< that have code
  /// Sees to it that there is code of these.  Throws DeviceError: if there cannot be any (NoCode),
  /// at once from then on.
  void make(std::span<const std::string> names);
  /// Of an entry point that has some.
  std::shared_ptr<DeviceCode> of(const std::string& name) const;

  /// What there is so far: the most that an entry point takes; its text, which may be empty; the
  /// time that it took.
  CodeFacts facts() const;
  std::string text() const;
  double milliseconds() const;

private:
  std::vector<std::string> without_code(std::span<const std::string> names) const;

  const std::shared_ptr<Device> device_;
  const std::vector<EntryPoint> entries_;
  const Emission emission_;
  std::mutex making_;                                       ///< one at a time
  mutable std::mutex mutex_;                                ///< of what follows
  std::map<std::string, std::shared_ptr<DeviceCode>> code_; ///< by entry point
  std::map<std::string, std::string> refusals_;             ///< likewise
  double milliseconds_ = 0;
};

} // namespace sinter::gpu
