// The values of a program's globals.
#pragma once

#include "lang/core/core.h"
#include "lang/values/concrete.h"

#include <deque>
#include <mutex>
#include <optional>

namespace sinter::eval {

/// Filled by the thread that evaluates; others may look while it does.
class Globals {
public:
  /// The value, or null if it has not been computed.  On the evaluating thread only.
  const Value* find(const core::Global& global) const {
    if (global.index >= values_.size() || !values_[global.index]) return nullptr;
    return &*values_[global.index];
  }
  /// On the evaluating thread only.
  const Value& set(const core::Global& global, Value value) {
    std::lock_guard lock(mutex_);
    while (values_.size() <= global.index)
      values_.emplace_back();
    return values_[global.index].emplace(std::move(value));
  }
  /// On the evaluating thread only.
  void reset(const core::Global& global) {
    std::lock_guard lock(mutex_);
    if (global.index < values_.size()) values_[global.index].reset();
  }
  /// Like `find`, on any thread.  The value stays where it is for as long as this object lives.
  const Value* find_shared(const core::Global& global) const {
    std::lock_guard lock(mutex_);
    return find(global);
  }

private:
  mutable std::mutex mutex_; ///< between `set` and `find_shared`
  std::deque<std::optional<Value>> values_;
};

} // namespace sinter::eval
