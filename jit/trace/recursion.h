// Calls, and recursion whose calls come last, which is a loop: `while` the body ends in a call of
// the function itself, the arguments of that call are the next state.
//
// While such a body is walked, a call of the function itself gives a *step* instead of its result:
// a value that holds a sum, `#again arguments | #done result`.  Where a branch joins a step with an
// ordinary value, that value becomes a step too (`as_steps`, called when branches are joined).  So
// the walk of the body needs to know nothing of it.
#pragma once

#include "jit/trace/code.h"
#include "lang/core/core.h"

namespace sinter::jit {

class Loops;

class Recursion {
public:
  using Value = SymbolicValue;
  using Operation = primitives::Operation;

  explicit Recursion(Code& code) : code_(code) {}

  /// Counts the calls that are being walked.
  class CallDepth {
  public:
    CallDepth(Recursion& recursion, const core::Function& function);
    ~CallDepth() { --recursion_.depth_; }
    CallDepth(const CallDepth&) = delete;
    CallDepth& operator=(const CallDepth&) = delete;

  private:
    Recursion& recursion_;
  };

  class Aside;

  bool is_loop(const core::Function& function);
  /// Whether a call is the innermost recursion's of itself.
  bool is_last_call(const core::Function& function) const;
  Value next_call(std::span<const Value> arguments) const;
  Value trace(Loops& loops, const core::Function& function, std::span<Value> arguments,
              const std::function<Value()>& body);
  /// Where one of two values that are joined is a step, the other one becomes one.
  void as_steps(Value& a, Value& b) const;

private:
  /// A tail-recursive function whose body is being walked, and the depth of calls there.
  struct Open {
    const core::Function* function = nullptr;
    std::size_t depth = 0;
  };
  class Scope;

  Value make_step(std::uint32_t tag, std::span<const Value> payload) const;
  bool is_step(const Value& value) const;

  Code& code_;
  std::size_t depth_ = 0;
  std::vector<Open> open_;
  std::unordered_map<const core::Function*, bool> tail_recursive_;
  core::Function step_; ///< what steps are values of
};

/// While it lives, no call is one of an open recursion's of itself.
class Recursion::Aside {
public:
  explicit Aside(Recursion& recursion)
      : recursion_(recursion), open_(std::exchange(recursion.open_, {})) {}
  ~Aside() { recursion_.open_ = std::move(open_); }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

private:
  Recursion& recursion_;
  std::vector<Open> open_;
};

} // namespace sinter::jit
