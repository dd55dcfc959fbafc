#include "jit/trace/globals.h"

#include "jit/trace/places.h"

namespace sinter::jit {

std::optional<SymbolicValue> Globals::known(const core::Global& global) {
  if (auto input = values_.find(&global); input != values_.end()) return input->second;
  std::optional<sinter::Value> computed;
  if (code_.options().global) computed = code_.options().global(global);
  if (!computed) return assumed(global);
  if (!has_layout(*computed)) code_.refuse(Reason::HugeConstant);
  if (std::optional<Value> constant = constant_value(code_, *computed, global.type))
    return constant;
  const Code::AtBegin begin(code_);
  if (std::optional<Value> table = table_value(code_, *computed, global.type))
    return values_[&global] = std::move(*table);
  inputs_.push_back({&global, layout_of(*computed, global.type, code_.representations())});
  return values_[&global] = parameters(code_, inputs_.back().layout, &*computed);
}

std::optional<SymbolicValue> Globals::assumed(const core::Global& global) {
  const TraceOptions& options = code_.options();
  std::optional<Layout> layout;
  if (options.assumed_global) layout = options.assumed_global(global);
  if (!layout) return std::nullopt;
  const Code::AtBegin begin(code_);
  inputs_.push_back({&global, std::move(*layout)});
  return values_[&global] = parameters(code_, inputs_.back().layout);
}

bool Globals::can_await(const core::Global& global) const {
  const TraceOptions& options = code_.options();
  return options.can_await && !in_place_.contains(&global) && options.can_await(global);
}

void Globals::await(const core::Global& global) {
  if (!code_.is_conditional()) throw WantedGlobal{&global};
  awaited_.push_back({&global, "the constant `" + global.name + "` has not been computed yet"});
  throw RuntimeError(FailureKind::Deferred, awaited_.back().message, code_.span());
}

} // namespace sinter::jit
