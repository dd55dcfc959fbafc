// The frames of the running functions: one contiguous stack of values, without allocation.
#pragma once

#include "lang/eval/reserved_memory.h"
#include "lang/values/value.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace sinter::eval {

template <typename Values>
class ValueStack {
public:
  using Value = BasicValue<Values>;

  ValueStack()
      : memory_(wanted_bytes, least_bytes), top_(reinterpret_cast<Value*>(memory_.begin())),
        end_(top_ + memory_.bytes() / sizeof(Value)) {}

  /// What is in use.
  std::size_t bytes() const {
    return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(top_) - memory_.begin());
  }
  bool has_room(std::size_t count) const { return static_cast<std::size_t>(end_ - top_) >= count; }

  /// Values on top of the stack for as long as this object lives; they begin as Nothing.  There
  /// must be room.
  class Slots {
  public:
    Slots(ValueStack& stack, std::size_t count) : stack_(stack), first_(stack.top_) {
      assert(stack.has_room(count));
      std::uninitialized_default_construct_n(first_, count);
      stack.top_ = first_ + count;
    }
    ~Slots() {
      std::destroy(first_, stack_.top_);
      stack_.top_ = first_;
    }
    Slots(const Slots&) = delete;
    Slots& operator=(const Slots&) = delete;
    Value* data() const { return first_; }
    Value& operator[](std::size_t i) const { return first_[i]; }

  private:
    ValueStack& stack_;
    Value* first_;
  };

private:
  static constexpr std::size_t wanted_bytes = std::size_t{2} << 30;
  static constexpr std::size_t least_bytes = std::size_t{1} << 20;
  ReservedMemory memory_;
  Value* top_;
  Value* end_;
};

} // namespace sinter::eval
