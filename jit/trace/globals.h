// Values of globals that a piece of the program looks at: constants, inputs, or computed in place.
#pragma once

#include "jit/trace/code.h"
#include "jit/trace/recursion.h"

#include <unordered_set>

namespace sinter::jit {

class Globals {
public:
  using Value = SymbolicValue;

  Globals(Code& code, Recursion& recursion) : code_(code), recursion_(recursion) {}

  /// The value of a global; `compute` walks its definition, if nothing better is known.
  template <typename Compute>
  Value value(const core::Global& global, Compute&& compute) {
    if (std::optional<Value> known = this->known(global)) return std::move(*known);
    if (can_await(global)) await(global);
    if (!code_.is_repeated()) return compute();
    // Once, not again for each element that looks at it.
    const Code::AtBegin begin(code_);
    const Recursion::Aside aside(recursion_);
    return values_.try_emplace(&global, compute()).first->second;
  }

  /// A global that is not awaited, whatever the options say.
  void trace_in_place(const core::Global& global) { in_place_.insert(&global); }
  /// What checks wait for, and perhaps more.
  const std::vector<AwaitedGlobal>& awaited() const { return awaited_; }
  /// Globals whose values are parameters of the function, in their order.
  const std::vector<GlobalInput>& inputs() const { return inputs_; }

private:
  std::optional<Value> known(const core::Global& global);
  /// As an input, if the options say how it will lie.
  std::optional<Value> assumed(const core::Global& global);
  bool can_await(const core::Global& global) const;
  /// Ends the trace where the region evaluates the global in any case; elsewhere ends the path.
  [[noreturn]] void await(const core::Global& global);

  Code& code_;
  Recursion& recursion_;
  std::unordered_map<const core::Global*, Value> values_; ///< inputs, and what is computed first
  std::vector<GlobalInput> inputs_;
  std::unordered_set<const core::Global*> in_place_;
  std::vector<AwaitedGlobal> awaited_;
};

} // namespace sinter::jit
