#include "lang/core/frame.h"

#include <algorithm>

namespace sinter::core {

Slot Frame::bind(const types::Variable* variable, const Representation* type) {
  const Binding binding{new_slot(), type};
  auto [at, is_new] = slots_.try_emplace(variable, binding);
  log_.emplace_back(variable, is_new ? std::nullopt : std::optional(at->second));
  at->second = binding;
  return binding.slot;
}

void Frame::release(std::size_t mark) {
  for (; log_.size() > mark; log_.pop_back()) {
    const auto& [variable, previous] = log_.back();
    if (previous)
      slots_[variable] = *previous;
    else
      slots_.erase(variable);
  }
}

std::optional<Frame::Place> Frame::find(const types::Variable* variable, SizeUse use) {
  if (auto slot = slots_.find(variable); slot != slots_.end()) {
    auto [at, is_new] = uses_.try_emplace(variable, use);
    if (use == SizeUse::Value) at->second = use;
    return Place{false, slot->second.slot, slot->second.type};
  }
  const std::optional<Place> outside = outer_ ? outer_->find(variable, use) : std::nullopt;
  if (!outside) return std::nullopt;
  auto [at, is_new] = captured_.try_emplace(variable, static_cast<std::uint32_t>(captures_.size()));
  if (is_new) {
    captures_.push_back(variable);
    capture_types_.push_back(outside->type);
  }
  return Place{true, at->second, outside->type};
}

bool Frame::reaches(const types::Variable* variable) const {
  return slots_.contains(variable) || (outer_ && outer_->reaches(variable));
}

std::vector<const types::Variable*> Frame::in_reach() const {
  std::vector<const types::Variable*> found;
  for (const Frame* frame = this; frame; frame = frame->outer_)
    for (auto bound = frame->log_.rbegin(); bound != frame->log_.rend(); ++bound)
      if (std::ranges::find(found, bound->first) == found.end()) found.push_back(bound->first);
  return found;
}

std::uint32_t Frame::capture_anonymous(const Representation* type) {
  captures_.push_back(nullptr);
  capture_types_.push_back(type);
  return static_cast<std::uint32_t>(captures_.size() - 1);
}

std::optional<SizeUse> Frame::use_of(const types::Variable* variable) const {
  auto use = uses_.find(variable);
  return use == uses_.end() ? std::nullopt : std::optional(use->second);
}

} // namespace sinter::core
