#include "jit/marks/objections.h"

namespace sinter::jit {

std::optional<MarkObjection> objection_to(const Untraceable& untraceable) {
  if (untraceable.is_failure) return std::nullopt;
  return MarkObjection{untraceable.id, "this cannot be accelerated: " + untraceable.reason,
                       untraceable.span};
}

std::optional<MarkObjection> objection_to(const Executable& executable,
                                          const syntax::AccelerateMark& mark) {
  const bool is_for_device = mark.device == syntax::AccelerateMark::Device::Gpu;
  for (const Executable::Obstacle& obstacle : executable.obstacles()) {
    if (obstacle.place.empty())
      return MarkObjection{walked_id,
                           "this would be interpreted, element by element: " + obstacle.why,
                           obstacle.span};
    if (is_for_device)
      return MarkObjection{backend_id,
                           "this has no kernel on `" + obstacle.place + "`: " + obstacle.why,
                           obstacle.span};
  }
  return std::nullopt;
}

std::string text(const CarriedState& state) {
  return (state.name.empty() ? "the state" : "`" + state.name + "`") + " is carried: " + state.why;
}

} // namespace sinter::jit
