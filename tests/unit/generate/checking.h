// What the property tests share: a session for one program, and how many programs to try.
#pragma once

#include "lang/check/checker.h"
#include "lang/core/specialise.h"
#include "lang/eval/evaluator.h"
#include "lang/values/format.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::tests {

/// The number of programs a property is tried on: SINTER_PROPERTY_COUNT times `share` percent.
inline std::uint64_t property_count(std::uint64_t share = 100) {
  const char* given = std::getenv("SINTER_PROPERTY_COUNT");
  const std::uint64_t count = given ? std::strtoull(given, nullptr, 10) : some_of(200, 4);
  return std::max<std::uint64_t>(count * share / 100, 1);
}

/// The programs in a folder, in the order of their names.
inline std::vector<std::filesystem::path> programs_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> programs;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".fut") programs.push_back(entry.path());
  std::sort(programs.begin(), programs.end());
  return programs;
}

inline std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// A checker that several programs go through, so that the prelude is read once.
struct Bench {
  SourceMap sources;
  check::Checker checker{sources};

  struct Checked {
    const check::CheckedFile* file = nullptr;
    std::set<std::string> errors; ///< ids
    std::size_t error_count = 0;
    std::string messages; ///< rendered
  };
  Checked check(const std::string& text, const std::string& name = "generated.fut") {
    Checked result;
    Diagnostics diagnostics;
    result.file = checker.check_text(name, text, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.all())
      if (diagnostic.severity == Severity::Error) {
        result.errors.emplace(diagnostic.id);
        ++result.error_count;
        result.messages += render(sources, diagnostic, {});
      }
    return result;
  }
};

/// Evaluates an entry point and shows what came of it, to the bit; `memory` counts what the values
/// take.
inline std::string outcome(Bench& bench, const check::CheckedFile& file, std::string_view name,
                           const std::string& input, MemoryBudget& memory) {
  Representations representations;
  core::Program resolved;
  core::Specialiser specialiser(bench.checker, representations, resolved);
  core::EntryPoint entry = specialiser.entry_point(file, name);
  EvaluationContext context;
  context.representations = &representations;
  context.memory = &memory;
  context.sources = &bench.sources;
  Evaluator evaluator(resolved, context);
  std::vector<Value> arguments;
  ValueReader reader(input, memory, representations);
  while (!reader.at_end())
    arguments.push_back(reader.read().value);
  try {
    Value value = evaluator.call(*entry.function, std::move(arguments));
    const Representation* type = entry.function->body->type;
    std::string text = print_value(value, type);
    try {
      write_binary(text, value, type);
    } catch (const FormatError&) { // a tuple has no binary form
    }
    return text;
  } catch (const RuntimeError& error) {
    CHECK(error.kind == FailureKind::Program);
    return render(bench.sources, error);
  }
}

} // namespace sinter::tests
