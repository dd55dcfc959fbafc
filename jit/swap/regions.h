// The regions of the sites: found and made for offers, made again, and forgotten.
//
// Must not know: how they run and what becomes of a run (runner.h).
#pragma once

#include "jit/swap/candidates.h"
#include "jit/swap/compilations.h"
#include "jit/swap/demand.h"
#include "jit/swap/offers.h"
#include "jit/swap/wanted_globals.h"

#include <cstddef>
#include <memory>

namespace sinter::jit {

class Regions {
public:
  Regions(Situation& situation, Profile& profile, Compilations& compilations,
          WantedGlobals& globals, const Candidates& candidates)
      : situation_(situation), profile_(profile), compilations_(compilations), globals_(globals),
        candidates_(candidates) {}

  /// Whether it can be worth its while to look for a region.
  bool may_have(const Site& site, const Demand& demand) const;
  /// The region that was made for such offers, whatever became of it; null: none.
  std::shared_ptr<Region> known_for(const Offer& offer) const;
  /// The region for an offer, made if it is time to; null if there is none to be used.
  std::shared_ptr<Region> usable_for(const Offer& offer, const Demand& demand,
                                     const Candidate* around);
  /// Forgets sites that were not met for long, if there are many.
  void forget_old_sites();
  /// Forgets all regions, as other code is asked for.
  void clear();

private:
  RegionKey key_of(const Offer& offer) const;
  /// In Mode::Auto a region may also be made in the background.
  bool is_at_once(const Demand& demand) const;
  /// A new one that is to be compiled.
  std::shared_ptr<Region> made_for(const Offer& offer, const Demand& demand);
  /// One that takes another's place at a site, and is to be compiled.
  std::shared_ptr<Region> renewed(Site& site, const std::shared_ptr<Region>& old,
                                  const Demand& demand);
  bool must_be_renewed(const Region& region, const Demand& demand) const;
  /// Whether it is there, and no worse than the evaluator.
  bool is_usable(Site& site, const std::shared_ptr<Region>& region);
  /// Tells later processes that a region is made for it, if that is worth a note, and that the
  /// evaluation as a whole may be worth it: even if this one ends before the code is there, the
  /// next had better have it.
  void note(Region& region, const Offer& offer, const Demand& demand) const;
  void evict_if_full();
  void compile(const std::shared_ptr<Region>& region, const Demand& demand);
  /// Asks for the second tier if what it has run so far is a reason to, and for code that its
  /// launches have asked for.
  void promote_if_worth_it(const std::shared_ptr<Region>& region);

  Situation& situation_;
  Profile& profile_;
  Compilations& compilations_;
  WantedGlobals& globals_;
  const Candidates& candidates_;
  std::size_t count_ = 0; ///< of those that sites hold
};

} // namespace sinter::jit
