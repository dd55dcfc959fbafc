#include "jit/swap/regions.h"

#include "jit/reasons/reasons.h"
#include "jit/swap/words.h"
#include "lang/base/runtime_error.h"

#include <algorithm>
#include <utility>

namespace sinter::jit {

namespace {

/// Regions that are kept; beyond that the least recently used one goes.
constexpr std::size_t most_regions = 1000;

/// To find out again for every offer that nothing can be compiled would cost more than it is worth.
void skip_some_offers(Site& site, bool is_automatic) {
  site.skipped_last = std::min<std::uint32_t>(site.skipped_last * 2 + 1, 1023);
  // (Where everything is to be compiled, a site gets some chances with other inputs.)
  if (is_automatic || site.skipped_last > 15) site.offers_to_skip = site.skipped_last;
}

} // namespace

bool Regions::may_have(const Site& site, const Demand& demand) const {
  return situation_.mode() != Mode::Auto || demand.is_urgent || demand.is_wanted ||
         !site.regions.empty() || site.is_hot();
}

bool Regions::is_at_once(const Demand& demand) const {
  return situation_.mode() != Mode::Auto || demand.is_urgent;
}

RegionKey Regions::key_of(const Offer& offer) const {
  return {offer.target(), offer.layouts(*situation_.session.representations), offer.is_unsafe,
          situation_.attributes.mark() != nullptr, situation_.device()};
}

std::shared_ptr<Region> Regions::known_for(const Offer& offer) const {
  const RegionKey key = key_of(offer);
  std::shared_ptr<Region> region;
  for (const std::shared_ptr<Region>& known : offer.site.regions)
    if (known->key == key) region = known;
  return region;
}

std::shared_ptr<Region> Regions::usable_for(const Offer& offer, const Demand& demand,
                                            const Candidate* around) {
  Site& site = offer.site;
  // What failed is evaluated again to word the error: to offer the rest of it again is no use.
  const std::uint64_t evaluation = situation_.evaluation.number;
  if (site.failed_in == evaluation && evaluation > 0) return nullptr;
  if (site.offers_to_skip > 0) {
    --site.offers_to_skip;
    return nullptr;
  }
  const bool may_make = is_at_once(demand) || demand.is_wanted ||
                        (site.is_hot() && !candidates_.has_call_around(around));
  if (!may_make && site.regions.empty()) return nullptr;
  std::shared_ptr<Region> region = known_for(offer);
  if (!region && !may_make) return nullptr;
  if (!region)
    region = made_for(offer, demand);
  else if (must_be_renewed(*region, demand))
    region = renewed(site, region, demand);
  while (region->state() == Region::State::Stalled) {
    globals_.compute(region->wanted());
    region = renewed(site, region, demand);
  }
  return is_usable(site, region) ? region : nullptr;
}

std::shared_ptr<Region> Regions::made_for(const Offer& offer, const Demand& demand) {
  Site& site = offer.site;
  evict_if_full();
  RegionKey key = key_of(offer);
  std::string why = reason_to_compile(situation_, site, key, demand.why);
  auto region = std::make_shared<Region>(std::move(key), site.name, site.span, std::move(why));
  if (situation_.mode() == Mode::Auto) note(*region, offer, demand);
  site.regions.push_back(region);
  ++count_;
  compile(region, demand);
  return region;
}

bool Regions::must_be_renewed(const Region& region, const Demand& demand) const {
  // (What is waiting in the background comes too late for who needs it now.)
  return globals_.has_come_for(region) || (situation_.mode() == Mode::Auto && demand.is_urgent &&
                                           region.state() == Region::State::Waiting);
}

std::shared_ptr<Region> Regions::renewed(Site& site, const std::shared_ptr<Region>& old,
                                         const Demand& demand) {
  std::string why = old->why;
  if (old->state() == Region::State::Compiled) why = words(Reason::ConstantComputed) + why;
  auto region = std::make_shared<Region>(old->key, old->name, old->span, std::move(why),
                                         globals_.uncomputable());
  region->occasion = old->occasion;
  const auto place = std::ranges::find(site.regions, old);
  if (place != site.regions.end()) {
    *place = region;
  } else { // it had to make room meanwhile
    site.regions.push_back(region);
    ++count_;
  }
  compile(region, demand);
  return region;
}

bool Regions::is_usable(Site& site, const std::shared_ptr<Region>& region) {
  const bool is_automatic = situation_.mode() == Mode::Auto;
  switch (region->state()) {
  case Region::State::Compiled:
    promote_if_worth_it(region);
    if (region->has_new_code()) region->pace = {};
    return !(is_automatic && has_lost(site.interpreted, region->pace));
  case Region::State::Waiting:
  case Region::State::Stalled: // since a moment ago, in the background: the next offer sees to it
    return false;
  case Region::State::Rejected:
    if (region->breaks_rules)
      throw RuntimeError(FailureKind::Unsupported, region->rejection().reason, region->span);
    skip_some_offers(site, is_automatic);
    return false;
  }
  __builtin_unreachable();
}

void Regions::note(Region& region, const Offer& offer, const Demand& demand) const {
  Precedents* precedents = situation_.session.precedents;
  if (!precedents) return;
  const std::int64_t nanoseconds =
      demand.interpreted > 0 ? demand.interpreted : offer.site.interpreted.time_for(offer.work);
  if (nanoseconds < worth_noting) return;
  region.occasion = offer.occasion();
  if (region.occasion.is_known()) precedents->note(region.occasion, nanoseconds);
  const Occasion& evaluation = precedents->evaluation();
  if (evaluation.is_known() && evaluation != region.occasion)
    precedents->note(evaluation, nanoseconds);
}

void Regions::compile(const std::shared_ptr<Region>& region, const Demand& demand) {
  compilations_.compile(region, is_at_once(demand), demand.is_worth_optimising);
}

void Regions::promote_if_worth_it(const std::shared_ptr<Region>& region) {
  const bool wants_code = region->wants_code.exchange(false, std::memory_order_relaxed);
  const bool may_be_promoted = region->compiled().may_be_promoted && !region->is_promoted;
  if (!may_be_promoted && !wants_code) return;
  const bool is_mixed = situation_.mode() == Mode::Mixed;
  const bool is_hot = is_mixed ? situation_.chance(4) : region->run_nanoseconds >= compiling_cost;
  if (!is_hot && !wants_code) return;
  region->is_promoted = true;
  compilations_.promote(region, is_mixed);
}

void Regions::evict_if_full() {
  if (count_ < most_regions) return;
  Site* oldest_site = nullptr;
  std::shared_ptr<Region> oldest;
  profile_.for_each([&](Site& site) {
    for (const std::shared_ptr<Region>& region : site.regions)
      if (region->state() != Region::State::Waiting &&
          (!oldest || region->last_used < oldest->last_used)) {
        oldest_site = &site;
        oldest = region;
      }
  });
  if (!oldest) return;
  std::erase(oldest_site->regions, oldest);
  ++oldest_site->evicted;
  --count_;
}

void Regions::forget_old_sites() {
  if (profile_.size() > Profile::most_sites)
    profile_.forget([&](const Site& site) { count_ -= site.regions.size(); });
}

void Regions::clear() {
  profile_.for_each([](Site& site) { site.regions.clear(); });
  count_ = 0;
}

} // namespace sinter::jit
