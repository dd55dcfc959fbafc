// What the property tests share: a session for one program, and how many programs to try.
#pragma once

#include "lang/check/checker.h"
#include "lang/core/specialise.h"
#include "lang/eval/evaluator.h"
#include "lang/values/format.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sinter::tests {

/// The number of programs a property is tried on: SINTER_PROPERTY_COUNT times `share` percent.
inline std::uint64_t property_count(std::uint64_t share = 100) {
  const char* given = std::getenv("SINTER_PROPERTY_COUNT");
  std::uint64_t count = given ? std::strtoull(given, nullptr, 10) : 200;
  return std::max<std::uint64_t>(count * share / 100, 1);
}

/// A checker that several programs go through, so that the prelude is read once.
struct Bench {
  SourceMap sources;
  check::Checker checker{sources};

  struct Checked {
    const check::CheckedFile* file = nullptr;
    std::set<std::string> errors; ///< ids
    std::string messages;         ///< rendered
  };
  Checked check(const std::string& text) {
    Checked result;
    Diagnostics diagnostics;
    result.file = checker.check_text("generated.fut", text, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.all())
      if (diagnostic.severity == Severity::Error) {
        result.errors.emplace(diagnostic.id);
        result.messages += render(sources, diagnostic, {});
      }
    return result;
  }
};

} // namespace sinter::tests
