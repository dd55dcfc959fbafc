// What Sinter tells a person about a program: errors and warnings with places, reasons and hints.
#pragma once

#include "lang/base/source_map.h"
#include "lang/base/span.h"

#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace sinter {

enum class Severity { Error, Warning, Remark };

/// A further place that explains a diagnostic ("`xs` was consumed here").
struct Note {
  Span span; ///< may be unknown: then only the sentence is shown
  std::string message;
};

/// One message.  Style: starts in lower case, code in backquotes, no full stop after a single
/// sentence, what was seen before what is allowed.
struct Diagnostic {
  Severity severity = Severity::Error;
  std::string_view id; ///< of a help page; static storage
  Span span;
  std::string message;
  std::vector<Note> notes;
  std::string hint; ///< how to mend it; empty where nothing useful can be said
};

/// Collects diagnostics of one check.
class Diagnostics {
public:
  /// Adds one; a second error with the same span and id is dropped (follow-up noise).
  Diagnostic& report(Severity severity, std::string_view id, Span span, std::string message);
  Diagnostic& error(std::string_view id, Span span, std::string message) {
    return report(Severity::Error, id, span, std::move(message));
  }
  Diagnostic& warning(std::string_view id, Span span, std::string message) {
    return report(Severity::Warning, id, span, std::move(message));
  }
  /// Adds a copy of one that others collected.
  void add(const Diagnostic& diagnostic) {
    report(diagnostic.severity, diagnostic.id, diagnostic.span, {}) = diagnostic;
  }
  bool has_errors() const { return errors_ > 0; }
  std::size_t error_count() const { return errors_; }
  const std::vector<Diagnostic>& all() const { return list_; }

private:
  std::vector<Diagnostic> list_;
  Diagnostic dropped_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::string_view>> seen_;
  std::size_t errors_ = 0;
};

struct RenderOptions {
  bool color = false;
  /// Of many diagnostics only so many errors and so many warnings are shown, the others counted.
  std::size_t most = 20;
};

/// "file:line:column: error: message [id]", the line with carets under the span, notes, hint.
std::string render(const SourceMap& sources, const Diagnostic& diagnostic, RenderOptions = {});
std::string render(const SourceMap& sources, const Diagnostics& diagnostics, RenderOptions = {});

/// The names among `candidates` that `name` may have meant, best first, at most three
/// (Damerau-Levenshtein distance of at most a third of the length).
std::vector<std::string_view> similar_names(std::string_view name,
                                            const std::vector<std::string_view>& candidates);

} // namespace sinter
