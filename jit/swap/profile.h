// How long interpreted work took, site by site, and whether it is worth compiling.
//
// A site is a function, an array operation with given functions and representations, or a loop. The
// policy is by work, not by calls: a site is hot when the time that the evaluator spent on it would
// have paid for compiling it; what takes less time than a launch is never compiled.
#pragma once

#include "jit/swap/region.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace sinter::jit {

/// Monotonic, in nanoseconds.
std::int64_t now_in_nanoseconds();

/// About what it costs to compile a region, in nanoseconds of interpreted time.
inline constexpr std::int64_t compiling_cost = 5'000'000;
/// About what it costs to launch one.
inline constexpr std::int64_t launching_cost = 5'000;

struct SiteKey {
  const void* place = nullptr;            ///< function, loop, or the operation's first function
  const Representation* result = nullptr; ///< of an operation
  primitives::ArrayOperation operation{}; ///< of an operation
  friend bool operator==(const SiteKey&, const SiteKey&) = default;
};

/// What is known of a site.
struct Site {
  std::string name;
  Span span;
  bool is_operation = false;
  bool is_met = false;          ///< since the report was cleared
  std::uint64_t runs = 0;       ///< interpreted to the end
  std::int64_t nanoseconds = 0; ///< that they took
  std::uint64_t work = 0;       ///< elements that they handled
  std::int64_t began = 0;       ///< when the last one did, for what is projected in its middle
  std::int64_t longest = 0;     ///< of a loop: the longest time that one was seen to run
  std::uint32_t offers_to_skip = 0, skipped_last = 0; ///< after nothing could be compiled
  std::vector<std::shared_ptr<Region>> regions;       ///< one for each input layouts

  bool is_hot() const {
    return nanoseconds >= compiling_cost &&
           nanoseconds >= static_cast<std::int64_t>(runs) * launching_cost;
  }
  /// What the evaluator would need for so many elements, by what it has needed so far; -1: unknown.
  std::int64_t interpreted_time(std::uint64_t elements) const;
};

class Profile {
public:
  /// The site, made on first sight; its address stays.
  Site& site(const SiteKey& key);
  template <typename Visit>
  void for_each(Visit&& visit) {
    for (const std::unique_ptr<Site>& site : order_)
      visit(*site);
  }
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const std::unique_ptr<Site>& site : order_)
      visit(std::as_const(*site));
  }

private:
  struct Hash {
    std::size_t operator()(const SiteKey& key) const {
      std::size_t hash = std::hash<const void*>()(key.place);
      hash = hash * 31 + std::hash<const void*>()(key.result);
      return hash * 31 + static_cast<std::size_t>(key.operation);
    }
  };
  std::unordered_map<SiteKey, Site*, Hash> sites_;
  std::vector<std::unique_ptr<Site>> order_; ///< as they were first met
};

} // namespace sinter::jit
