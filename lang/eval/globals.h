// The values of a program's globals.
#pragma once

#include "lang/core/core.h"
#include "lang/values/concrete.h"

#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <tuple>

namespace sinter::eval {

/// Filled by the thread that evaluates; others may look while it does.
class Globals {
public:
  /// The value, or null if it has not been computed.  On the evaluating thread only.
  const Value* find(const core::Global& global) {
    if (global.index < slots_.size() && slots_[global.index].value)
      return &*slots_[global.index].value;
    const Value* found = inherited(global);
    return found ? &set(global, *found) : nullptr;
  }
  /// On the evaluating thread only.
  const Value& set(const core::Global& global, Value value) {
    std::lock_guard lock(mutex_);
    while (slots_.size() <= global.index)
      slots_.emplace_back();
    slots_[global.index].global = &global;
    return slots_[global.index].value.emplace(std::move(value));
  }
  /// On the evaluating thread only.
  void reset(const core::Global& global) {
    std::lock_guard lock(mutex_);
    if (global.index < slots_.size()) slots_[global.index].value.reset();
    inherited_.erase(place_of(global));
  }
  /// Like `find`, but changes nothing.  On the evaluating thread only.
  const Value* peek(const core::Global& global) const {
    if (global.index < slots_.size() && slots_[global.index].value)
      return &*slots_[global.index].value;
    return inherited(global);
  }
  /// The value, if it has been computed, on any thread: the caller's own, so that it does not
  /// matter when it is reset.
  std::optional<Value> shared(const core::Global& global) const {
    std::lock_guard lock(mutex_);
    const Value* found = peek(global);
    return found ? std::optional(*found) : std::nullopt;
  }
  /// Takes over those values that `is_taken` chooses from globals of a former program, for those in
  /// this one with the same type at the same place, which is one of `names`.  Before anything is
  /// computed here.
  template <typename IsTaken>
  void inherit(const Globals& former, std::span<const Span> names, IsTaken&& is_taken) {
    std::lock_guard lock(mutex_);
    std::set<std::tuple<std::uint32_t, std::uint32_t>> wanted;
    for (Span name : names)
      wanted.emplace(name.file.index, name.begin);
    auto add = [&](const Place& place, const Value& value) {
      const auto& [file, begin, type] = place;
      if (wanted.contains({file, begin}) && is_taken(value)) inherited_.emplace(place, value);
    };
    for (const Slot& slot : former.slots_)
      if (slot.value) add(place_of(*slot.global), *slot.value);
    for (const auto& [place, value] : former.inherited_)
      add(place, value);
  }

private:
  struct Slot {
    const core::Global* global = nullptr; ///< of the value
    std::optional<Value> value;
  };
  /// Where a global is defined, and its type.
  using Place = std::tuple<std::uint32_t, std::uint32_t, const Representation*>;

  static Place place_of(const core::Global& global) {
    return {global.span.file.index, global.span.begin, global.type};
  }
  const Value* inherited(const core::Global& global) const {
    if (inherited_.empty()) return nullptr;
    auto found = inherited_.find(place_of(global));
    return found == inherited_.end() ? nullptr : &found->second;
  }

  mutable std::mutex mutex_; ///< between what changes values and `shared`
  std::deque<Slot> slots_;   ///< by the index of the global
  std::map<Place, Value> inherited_;
};

} // namespace sinter::eval
