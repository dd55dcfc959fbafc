// What to say to inputs that other prompts understand: `exit`, `?map`, `!ls`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sinter::repl {

struct Advice {
  std::string command; ///< what was meant, to be obeyed instead; or empty
  std::string message; ///< else what to do
};

/// For an input that is wrong as it stands; nothing if it looks like none of those.
std::optional<Advice> advice_for(std::string_view input);

} // namespace sinter::repl
