// Words for kinds of failure, and quoted messages, in the text form.
#pragma once

#include "lang/base/runtime_error.h"

#include <optional>
#include <string>
#include <string_view>

namespace sinter::ir {

/// "program", "out_of_memory", …
std::string_view failure_word(FailureKind kind);
std::optional<FailureKind> failure_kind_named(std::string_view word);
/// In double quotes; quotes and backslashes get a backslash, line ends become `\n`, other control
/// characters `\xHH`.
std::string quoted(std::string_view text);

} // namespace sinter::ir
