// How many addresses the process may still take, where that is limited (`ulimit -v`).
#pragma once

#include <cstddef>
#include <optional>

namespace sinter {

/// The limit of the whole process; nothing if there is none.
std::optional<std::size_t> address_limit();

} // namespace sinter
