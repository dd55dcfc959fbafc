// What tests expect of an outcome.
#pragma once

#include "repl/session/session.h"

#include <doctest/doctest.h>

#include <cstdint>

namespace sinter::tests {

/// The number that an input evaluated to, without a word being said.
inline std::int64_t integer(const repl::Outcome& outcome) {
  REQUIRE(outcome.messages == "");
  REQUIRE(outcome.kind == repl::Outcome::Kind::Value);
  return outcome.value.scalar().as<std::int64_t>();
}

} // namespace sinter::tests
