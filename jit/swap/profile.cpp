#include "jit/swap/profile.h"

namespace sinter::jit {

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

const Site* Profile::find(const SiteKey& key) const {
  const auto found = sites_.find(key);
  return found != sites_.end() ? found->second : nullptr;
}

} // namespace sinter::jit
