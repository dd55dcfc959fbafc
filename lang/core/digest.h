// Resolved programs as numbers.
#pragma once

#include "lang/core/core.h"

#include <cstdint>

namespace sinter::core {

/// Of an expression or a function, with all functions and globals that it reaches: in every process
/// the same number for the same program, and most likely another one for another program.  Where
/// things stand in the sources does not matter.
std::uint64_t digest(const Expr& expr);
std::uint64_t digest(const Function& function);

/// Distributes what a number says over all of its bits.
inline std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

} // namespace sinter::core
