// The input of a program as values.
#pragma once

#include "lang/core/specialise.h"
#include "repl/session/session.h"

#include <string>
#include <vector>

namespace sinter::differential {

/// Throws FormatError if the text does not suit the entry point.
std::vector<Value> arguments_of(repl::Session& session, const core::EntryPoint& entry,
                                const std::string& input);

} // namespace sinter::differential
