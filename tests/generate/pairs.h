// Associative operators on pairs, made of those on their parts.
#pragma once

#include "tests/generate/join.h"
#include "tests/generate/random.h"
#include "tests/generate/type.h"

#include <string>
#include <utility>

namespace sinter::generate {

/// An operator and its neutral element, as texts.
using Monoid = std::pair<std::string, std::string>;

/// Part by part; or of two integers of one type, now and then, the composition of `x -> a x + b`,
/// which is not commutative.  `left` and `right` name the operator's parameters.
inline Monoid pair_monoid(Random& random, const TypeRef& first, const TypeRef& second,
                          const Monoid& of_first, const Monoid& of_second, const std::string& left,
                          const std::string& right) {
  const std::string type = tuple({first, second})->text;
  const std::string head = join({"(\\(", left, ": ", type, ") (", right, ": ", type, ") -> "});
  if (is_integer(*first) && same(first, second) && random.chance(50))
    return {join({head, "(", left, ".0 * ", right, ".0, ", left, ".1 * ", right, ".0 + ", right,
                  ".1))"}),
            join({"(1", first->text, ", 0", first->text, ")"})};
  return {join({head, "(", of_first.first, " ", left, ".0 ", right, ".0, ", of_second.first, " ",
                left, ".1 ", right, ".1))"}),
          join({"(", of_first.second, ", ", of_second.second, ")"})};
}

} // namespace sinter::generate
