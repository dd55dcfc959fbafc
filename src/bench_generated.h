// sinter bench --size: programs that make their own input.
#pragma once

#include "repl/session/session.h"

#include <cstdint>
#include <string>

namespace sinter {

struct GeneratedBench {
  std::string path;
  std::string variant;
  std::int64_t size = 0; ///< handed to the entry point `input`
  unsigned runs = 5;     ///< timed, after `warm_up` others
  unsigned warm_up = 2;
};

/// Prints `{"name", "variant", "n", "median_s", "min_s", "times_s", "first_s", "calls_s", "sum",
/// "wsum", "hash"}`; times in seconds, `calls_s` all of them in the order of calling.  Gives the
/// exit code.
int bench_generated(repl::Session& session, const GeneratedBench& options);

} // namespace sinter
