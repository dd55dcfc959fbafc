// The frames of the running functions: one contiguous stack of values, without allocation.
#pragma once

#include "lang/eval/reserved_memory.h"
#include "lang/values/value.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <sys/mman.h>

namespace sinter::eval {

template <typename Values>
class ValueStack {
public:
  using Value = BasicValue<Values>;

  ValueStack()
      : memory_(wanted_bytes, least_bytes), top_(reinterpret_cast<Value*>(memory_.begin())),
        highest_(top_), end_(top_ + memory_.bytes() / sizeof(Value)) {}

  /// What is in use.
  std::size_t bytes() const {
    return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(top_) - memory_.begin());
  }
  bool has_room(std::size_t count) const { return static_cast<std::size_t>(end_ - top_) >= count; }
  /// Gives back to the system what lies far above the beginning of the stack, which is empty.
  void forget_heights() noexcept {
    assert(bytes() == 0);
    constexpr std::ptrdiff_t kept = 256 * 1024;
    const std::ptrdiff_t height = reinterpret_cast<std::byte*>(highest_) - memory_.begin();
    if (height > kept)
      (void)madvise(memory_.begin() + kept, static_cast<std::size_t>(height - kept), MADV_DONTNEED);
    highest_ = top_;
  }

  /// Values on top of the stack for as long as this object lives; they begin as Nothing.  There
  /// must be room.
  class Slots {
  public:
    Slots(ValueStack& stack, std::size_t count) : stack_(stack), first_(stack.top_) {
      assert(stack.has_room(count));
      std::uninitialized_default_construct_n(first_, count);
      stack.top_ = first_ + count;
      stack.highest_ = std::max(stack.highest_, stack.top_);
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
  Value* highest_; ///< that the top has been since heights were forgotten
  Value* end_;
};

/// Stacks for whoever walks often.  (To make one, and to touch its first page, takes some
/// microseconds.)  Thread-safe.
template <typename Values>
class ValueStacks {
public:
  /// A stack that nobody else has, for as long as this object lives.
  class Loan {
  public:
    explicit Loan(ValueStacks& stacks) : stacks_(stacks), stack_(stacks.take()) {}
    ~Loan() {
      stack_->forget_heights();
      std::lock_guard lock(stacks_.mutex_);
      stacks_.idle_.push_back(std::move(stack_));
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ValueStack<Values>& stack() const { return *stack_; }

  private:
    ValueStacks& stacks_;
    std::unique_ptr<ValueStack<Values>> stack_;
  };

private:
  std::unique_ptr<ValueStack<Values>> take() {
    {
      std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<ValueStack<Values>> stack = std::move(idle_.back());
        idle_.pop_back();
        return stack;
      }
      idle_.reserve(++made_);
    }
    return std::make_unique<ValueStack<Values>>();
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<ValueStack<Values>>> idle_;
  std::size_t made_ = 0; ///< stacks, for which there is always room among the idle ones
};

} // namespace sinter::eval
