// What the tests of modules share: check a program, and look at what came of it.
#pragma once

#include "lang/check/checker.h"
#include "lang/check/names/scope.h"

#include <memory>
#include <string>

namespace sinter::tests {

/// A session with one program text.
struct Checked {
  SourceMap sources;
  Diagnostics diagnostics;
  std::unique_ptr<check::Checker> checker;
  const check::CheckedFile* file = nullptr;

  explicit Checked(std::string text) {
    checker = std::make_unique<check::Checker>(sources);
    file = checker->check_text("test.fut", std::move(text), diagnostics);
  }

  /// Every message in one string, notes after "; ", hints after "? ", a line each.
  std::string messages() const {
    std::string all;
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      if (!all.empty()) all += '\n';
      all += diagnostic.message;
      for (const Note& note : diagnostic.notes)
        all += "; " + note.message;
      if (!diagnostic.hint.empty()) all += " -- " + diagnostic.hint;
    }
    return all;
  }

  /// The type of a value that users of the program see, by its path "m.f"; "" if there is none.
  std::string type_of(std::string_view path) const {
    if (!file) return "rejected: " + messages();
    const check::Environment* environment = file->module->environment();
    for (std::size_t dot; (dot = path.find('.')) != path.npos; path.remove_prefix(dot + 1)) {
      auto found = environment->modules.find(path.substr(0, dot));
      if (found == environment->modules.end()) return "";
      environment = found->second->environment();
    }
    auto found = environment->values.find(path);
    return found == environment->values.end() ? "" : types::print(found->second->scheme);
  }
};

/// The messages for a program; "" if it is accepted.
inline std::string errors(std::string text) {
  return Checked(std::move(text)).messages();
}

} // namespace sinter::tests
