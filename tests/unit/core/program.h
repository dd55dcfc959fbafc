// What the tests of the specialiser share: a program, and its entry points as text.
#pragma once

#include "lang/core/print.h"
#include "lang/core/specialise.h"

#include <stdexcept>
#include <string>

namespace sinter::tests {

/// A session with one program text; throws the diagnostics of a program with errors.
struct Specialised {
  SourceMap sources;
  Diagnostics diagnostics;
  check::Checker checker{sources};
  Representations representations;
  core::Program program;
  core::Specialiser specialiser{checker, representations, program};
  const check::CheckedFile* file = nullptr;

  explicit Specialised(std::string text) {
    file = checker.check_text("test.fut", std::move(text), diagnostics);
    if (!file) throw std::runtime_error(render(sources, diagnostics));
  }
  core::EntryPoint entry(std::string_view name = "main") {
    return specialiser.entry_point(*file, name);
  }
};

/// The resolved program that `main` reaches.
inline std::string resolved(std::string text) {
  Specialised program(std::move(text));
  return core::print(*program.entry().function);
}

} // namespace sinter::tests
