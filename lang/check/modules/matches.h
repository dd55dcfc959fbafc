// Whether one scheme may stand where another is asked for.
#pragma once

#include "lang/check/names/context.h"

#include <string>

namespace sinter::check {

/// Whether a value of scheme `found` may be used where `wanted` is specified: `found` is at least
/// as polymorphic.  On failure `why` says what differs.
bool matches(Context& context, const types::Scheme& wanted, const types::Scheme& found,
             std::string& why);
/// The same for sizes alone, of schemes whose types match.
bool sizes_match(Context& context, const types::Scheme& wanted, const types::Scheme& found,
                 std::string& why);
/// Whether two closed types are equal (up to names of bound sizes); sizes too if `with_sizes`.
bool equal(const types::Type* a, const types::Type* b, bool with_sizes);

} // namespace sinter::check
