// Types in messages: what is too long for some lines is left out, what differs stays.
#pragma once

#include "lang/types/type.h"

#include <string>
#include <utility>

namespace sinter::types {

/// A type as `print` shows it, but in at most about this many columns: what is left out of a longer
/// one is a `…`.
inline constexpr std::size_t brief_columns = 200;

std::string print_briefly(const Type* type);
std::string print_briefly(const Type* type, NumberedNames& names);
std::string print_briefly(const Scheme& scheme);

/// Two types that are to be told apart.  If they are too long, what is the same in both goes first:
/// of two records of thirty fields remain those that differ, as in `{speed: f64, …}` and
/// `{speed: f32, …}`.
std::pair<std::string, std::string> print_briefly(const Type* a, const Type* b);
std::pair<std::string, std::string> print_briefly(const Type* a, const Type* b,
                                                  NumberedNames& names);

} // namespace sinter::types
