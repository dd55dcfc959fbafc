// Places: where kernels run and arrays lie, and who chooses among them.
//
// An executable has a list of places, each with a backend, the preferred ones first; the last one
// is the host's, which takes what all others refuse.  Each launch chooses, so that a loop may
// change place between its iterations.
#pragma once

#include "jit/runtime/backend.h"
#include "lang/values/array.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace sinter::jit {

/// A place by its number among those of an executable.
using PlaceId = std::uint32_t;

/// What is known of a piece of work when its place is chosen: a launch, or an array to be made.
struct WorkFacts {
  std::span<const PlaceId>
      possible;            ///< the places that take it, the preferred ones first; not none
  std::uint64_t bytes = 0; ///< of the arrays that it reads, or makes if it reads none
  /// By place: how many of the bytes that it reads that place need not fetch.
  std::span<const std::uint64_t> bytes_there;
  std::uint64_t launches = 0; ///< of the same kernel, before
  bool is_repeated = false;   ///< RunContext::is_repeated
};

/// A policy: facts in, place out.  Thread-safe.
class PlaceChooser {
public:
  virtual ~PlaceChooser() = default;
  /// One of those possible.
  virtual PlaceId choose(const WorkFacts& work) const { return work.possible.front(); }
};

/// A device that is asked for is not there; the words say why.
struct AbsentDevice : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Places {
public:
  /// The host alone.
  Places(Backend& host);
  /// Names differ, and so does what Backend::memory gives; the last one keeps arrays in the host's
  /// memory and never returns early.  `chooser` is not null.
  Places(std::vector<Backend*> backends, std::shared_ptr<const PlaceChooser> chooser);

  PlaceId size() const { return static_cast<PlaceId>(backends_.size()); }
  bool is_host_alone() const { return backends_.size() == 1; }
  PlaceId host_id() const { return size() - 1; }
  Backend& host() const { return *backends_.back(); }
  Backend& operator[](PlaceId place) const { return *backends_[place]; }
  /// These places without those before that one.
  Places from(PlaceId first) const {
    return {{backends_.begin() + first, backends_.end()}, chooser_};
  }
  /// Whether launches somewhere may return before they have ended.
  bool may_return_early() const { return may_return_early_; }
  const PlaceChooser& chooser() const { return *chooser_; }
  /// The place whose memory has the contents, too or only; the host if none other has.
  PlaceId holder(const Leaf& array) const {
    return is_host_alone() ? host_id() : find_holder(array);
  }
  /// Where an array that reads nothing is to be made.
  PlaceId place_for(std::uint64_t bytes, const RunContext& context) const;
  /// Waits for what the run has launched anywhere, but at that place (none: everywhere); why the
  /// first launch that failed did.
  std::optional<Stopped> finish(const RunContext& context,
                                std::optional<PlaceId> but = std::nullopt) const;

private:
  PlaceId find_holder(const Leaf& array) const;

  std::vector<Backend*> backends_;
  std::shared_ptr<const PlaceChooser> chooser_;
  std::vector<PlaceId> all_;
  bool may_return_early_ = false;
};

} // namespace sinter::jit
