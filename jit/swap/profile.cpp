#include "jit/swap/profile.h"

#include <chrono>

namespace sinter::jit {

std::int64_t now_in_nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::int64_t Site::interpreted_time(std::uint64_t elements) const {
  if (runs == 0) return -1;
  if (work == 0) return nanoseconds / static_cast<std::int64_t>(runs);
  return static_cast<std::int64_t>(static_cast<double>(nanoseconds) *
                                   static_cast<double>(elements) / static_cast<double>(work));
}

Site& Profile::site(const SiteKey& key, std::uint64_t evaluation) {
  Site*& found = sites_[key];
  if (!found && spare_.empty()) spare_.push_back(std::make_unique<Site>());
  if (!found) {
    found = order_.emplace_back(key, std::move(spare_.back())).site.get();
    spare_.pop_back();
  }
  found->is_met = true;
  found->last_met = evaluation;
  return *found;
}

} // namespace sinter::jit
