// Random functions of SOACs that make arrays for each other, as text.
//
// For tests of what goes through such arrays by pieces.  They run over n, and over what filters
// keep; operators are associative exactly, or (`SomeShow`) of some folds the order shows.  Totals
// are used between them, and some arrays are needed as a whole.
#pragma once

#include "tests/generate/random.h"

#include <string>

namespace sinter::generate {

enum class FoldOrders : bool { NoneShow, SomeShow };

/// Its parameters: n, two arrays of n numbers, five bins; all i64.
std::string random_soac_chain(Random& random, FoldOrders orders = FoldOrders::NoneShow);

} // namespace sinter::generate
