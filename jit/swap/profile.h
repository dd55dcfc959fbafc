// How long interpreted work took, site by site, and whether it is worth compiling.
//
// A site is a place of the program: a function, an application of an array operation, a loop or an
// expression.  It is by work, not by calls: a site is hot when the time that the evaluator spent on
// it would have paid for compiling it; what takes less time than a launch is never compiled.
#pragma once

#include "jit/swap/policy.h"
#include "jit/swap/region.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace sinter::jit {

struct SiteKey {
  /// (An expression may be a loop, and is then two sites.)
  enum class Kind : std::uint8_t { Function, Operation, Loop, Expression };
  Kind kind{};
  const void* place = nullptr; ///< the node of the program; see eval::Site::place for operations
  friend bool operator==(const SiteKey&, const SiteKey&) = default;
};

/// What is known of a site.
struct Site {
  std::string name;
  Span span;
  Span source; ///< all of its text
  bool is_operation = false;
  bool is_met = false;                                ///< since the report was cleared
  std::uint64_t last_met = 0;                         ///< in which evaluation
  Pace interpreted;                                   ///< to the end, with what is compiled inside
  std::uint32_t offers_to_skip = 0, skipped_last = 0; ///< after nothing could be compiled
  std::vector<std::shared_ptr<Region>> regions;       ///< one for each input layouts
  std::uint64_t failed_in = 0; ///< the evaluation in which compiled code failed last
  std::uint64_t offers = 0;    ///< that compiled code might have taken, in the attempt
  std::uint64_t attempt = 0;   ///< at an evaluation
  std::size_t evicted = 0;     ///< regions that had to make room
  Occasion sought;             ///< the last that earlier processes were asked about

  bool is_hot() const {
    return interpreted.nanoseconds >= compiling_cost &&
           interpreted.nanoseconds >= static_cast<std::int64_t>(interpreted.runs) * launching_cost;
  }
};

class Profile {
public:
  /// Sites that are kept; beyond that `forget` should be called.
  static constexpr std::size_t most_sites = 8192;

  /// The site, made on first sight and met in the evaluation of that number.  Its address stays
  /// until it is forgotten.
  Site& site(const SiteKey& key, std::uint64_t evaluation);
  /// Null if it was not met yet.
  const Site* find(const SiteKey& key) const;
  std::size_t size() const { return order_.size(); }
  /// Forgets those half of the sites that were not met for longest, as a long session has had many
  /// that never come back; `gone` is called for each.  Their memory serves new sites: where work is
  /// still being timed for a forgotten one, a new one gets that sample.
  template <typename Gone>
  void forget(Gone&& gone) {
    std::vector<std::uint64_t> ages;
    for (const auto& entry : order_)
      ages.push_back(entry.site->last_met);
    auto middle = ages.begin() + static_cast<std::ptrdiff_t>(ages.size() / 2);
    std::nth_element(ages.begin(), middle, ages.end());
    std::erase_if(order_, [&](Entry& entry) {
      if (entry.site->last_met >= *middle) return false;
      gone(*entry.site);
      sites_.erase(entry.key);
      *entry.site = Site();
      spare_.push_back(std::move(entry.site));
      return true;
    });
  }
  template <typename Visit>
  void for_each(Visit&& visit) {
    for (const Entry& entry : order_)
      visit(*entry.site);
  }
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const Entry& entry : order_)
      visit(std::as_const(*entry.site));
  }

private:
  struct Entry {
    SiteKey key;
    std::unique_ptr<Site> site;
  };
  struct Hash {
    std::size_t operator()(const SiteKey& key) const {
      return std::hash<const void*>()(key.place) * 4 + static_cast<std::size_t>(key.kind);
    }
  };
  std::unordered_map<SiteKey, Site*, Hash> sites_;
  std::vector<Entry> order_; ///< as they were first met
  std::vector<std::unique_ptr<Site>> spare_;
};

} // namespace sinter::jit
