// Words about regions and sites, for people.
#pragma once

#include "jit/swap/profile.h"
#include "jit/swap/region.h"
#include "jit/swap/situation.h"

#include <string>

namespace sinter::jit {

/// What values of the layout are: "i64", "[][]f32", "(i64, bool)", "constructor 1 of a sum, with
/// i64", "function f".
std::string describe(const Layout& layout);

/// A region's name, state, inputs and why it was made.
std::string describe(const Region& region);
/// To standard error, for a debugger (`call sinter::jit::dump(region)`).
void dump(const Region& region);

/// In which way the second key, of the same site, is another than the first: "input 2 was …, and
/// now is …".
std::string difference(const RegionKey& first, const RegionKey& second);

/// Why a region with that key is made at a site; `asked`: why the offer asks for it, if it says so.
std::string reason_to_compile(const Situation& situation, const Site& site, const RegionKey& key,
                              const std::string& asked);
/// Why nothing was made for a site.
std::string reason_to_interpret(const Situation& situation, const Site& site);

} // namespace sinter::jit
