// Where variables live while a function is being translated: slots of its frame, captured values,
// and what is known about its size variables.
#pragma once

#include "lang/core/core.h"
#include "lang/types/type.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::core {

/// What a size is needed for: as a number of the program, or only to describe an empty array.
enum class SizeUse { Value, Extent };

/// One function's frame; `outer` is the frame of the function around it, null at the top.
/// Each variable gets a slot of its own, so a slot is never bound by two variables.
class Frame {
public:
  explicit Frame(Frame* outer = nullptr) : outer_(outer) {}

  Slot new_slot() { return next_slot_++; }
  Slot bind(const types::Variable* variable, const Representation* type);
  std::uint32_t size() const { return next_slot_; }

  /// Bindings made after `mark` are forgotten by `release(mark)`: what is bound in a branch or a
  /// loop's body is unknown after it.
  std::size_t mark() const { return log_.size(); }
  void release(std::size_t mark);

  struct Place {
    bool is_captured = false;
    std::uint32_t index = 0; ///< slot, or position among the captures
    const Representation* type = nullptr;
  };
  /// Where a variable's value is; a variable of an enclosing function becomes captured.
  std::optional<Place> find(const types::Variable* variable, SizeUse use = SizeUse::Value);
  /// Whether `find` would succeed.
  bool reaches(const types::Variable* variable) const;

  /// All variables that `find` would find, those of this function first, inner bindings first.
  std::vector<const types::Variable*> in_reach() const;

  /// Reserves the next capture for a value that is no variable (an operator section's operand).
  std::uint32_t capture_anonymous(const Representation* type);
  /// The captured variables in order; null for anonymous ones.
  const std::vector<const types::Variable*>& captures() const { return captures_; }
  const std::vector<const Representation*>& capture_types() const { return capture_types_; }

  /// How a variable bound here has been used so far, also by inner functions.
  std::optional<SizeUse> use_of(const types::Variable* variable) const;

private:
  Frame* outer_;
  Slot next_slot_ = 0;
  struct Binding {
    Slot slot = 0;
    const Representation* type = nullptr;
  };
  std::unordered_map<const types::Variable*, Binding> slots_;
  std::vector<std::pair<const types::Variable*, std::optional<Binding>>> log_;
  std::vector<const types::Variable*> captures_;
  std::vector<const Representation*> capture_types_;
  std::unordered_map<const types::Variable*, std::uint32_t> captured_;
  std::unordered_map<const types::Variable*, SizeUse> uses_;
};

} // namespace sinter::core
