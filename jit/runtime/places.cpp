#include "jit/runtime/places.h"

#include <cassert>

namespace sinter::jit {

Places::Places(Backend& host) : Places({&host}, std::make_shared<const PlaceChooser>()) {}

Places::Places(std::vector<Backend*> backends, std::shared_ptr<const PlaceChooser> chooser)
    : backends_(std::move(backends)), chooser_(std::move(chooser)) {
  assert(!backends_.empty() && chooser_);
  assert(!host().memory() && !host().returns_early());
  for (PlaceId place = 0; place < size(); ++place) {
    all_.push_back(place);
    may_return_early_ = may_return_early_ || backends_[place]->returns_early();
  }
}

PlaceId Places::find_holder(const Leaf& array) const {
  const Elsewhere* const holder = array.buffer ? array.buffer->elsewhere() : nullptr;
  for (PlaceId place = 0; holder && place < host_id(); ++place)
    if (backends_[place]->memory() == holder) return place;
  return host_id();
}

PlaceId Places::place_for(std::uint64_t bytes, const RunContext& context) const {
  if (is_host_alone()) return host_id();
  const std::vector<std::uint64_t> nothing(size(), 0);
  return chooser_->choose({.possible = all_,
                           .bytes = bytes,
                           .bytes_there = nothing,
                           .is_repeated = context.is_repeated});
}

std::optional<Stopped> Places::finish(const RunContext& context, std::optional<PlaceId> but) const {
  std::optional<Stopped> first;
  for (PlaceId place = 0; may_return_early_ && place < size(); ++place)
    if (place != but)
      if (std::optional<Stopped> stopped = backends_[place]->finish(context); stopped && !first)
        first = std::move(stopped);
  return first;
}

} // namespace sinter::jit
