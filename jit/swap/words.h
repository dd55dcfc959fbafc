// Words about regions, for people.
#pragma once

#include "jit/swap/region.h"

#include <string>

namespace sinter::jit {

/// What values of the layout are: "i64", "[][]f32", "(i64, bool)", "constructor 1 of a sum, with
/// i64", "function f".
std::string describe(const Layout& layout);

/// In which way the second key, of the same site, is another than the first: "input 2 was …, and
/// now is …".
std::string difference(const RegionKey& first, const RegionKey& second);

} // namespace sinter::jit
