// Smaller programs with the same fault.
#pragma once

#include "tests/generate/program_generator.h"

#include <functional>

namespace sinter::differential {

/// Leaves out declarations, and puts for each expression in brackets a part of itself or a literal,
/// as long as `is_program` accepts the text and `has_fault` still finds the fault.
generate::Program shrink(generate::Program program,
                         const std::function<bool(const std::string&)>& is_program,
                         const std::function<bool(const generate::Program&)>& has_fault);

} // namespace sinter::differential
