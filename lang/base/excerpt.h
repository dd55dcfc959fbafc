// A piece of a program's text, short enough for the middle of a sentence.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sinter {

/// The first line of `text`, cut to at most `limit` bytes without splitting a UTF-8 character; "…"
/// marks what was left out.
std::string excerpt(std::string_view text, std::size_t limit);

} // namespace sinter
