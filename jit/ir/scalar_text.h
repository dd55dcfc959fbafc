// Constants of the text form: as programs write them, and NaNs bit by bit.
#pragma once

#include "lang/values/scalar.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sinter::ir {

/// With the type's suffix ("0f32", "-3i64", "true"); a NaN that is not the ordinary one shows its
/// bits: "f32.bits.7fc00001".
std::string scalar_text(ElementType element, Scalar scalar);
/// What `scalar_text` wrote, and whatever else programs may write with a suffix; none if the text
/// is no constant or does not say its type.
std::optional<std::pair<ElementType, Scalar>> read_scalar_text(std::string_view text);

} // namespace sinter::ir
