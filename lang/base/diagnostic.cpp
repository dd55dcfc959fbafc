#include "lang/base/diagnostic.h"

#include "lang/base/diagnostic_ids.h"
#include "lang/base/runtime_error.h"
#include "lang/base/text_width.h"
#include "lang/base/unknown_names.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace sinter {

Diagnostic& Diagnostics::report(Severity severity, std::string_view id, Span span,
                                std::string message) {
  assert(find_diagnostic_id(id) && "the id has no help page");
  if (span.is_known() && !seen_.insert({span.file.index, span.begin, span.end, id}).second) {
    dropped_ = {severity, id, span, std::move(message), {}, {}};
    return dropped_;
  }
  if (severity == Severity::Error) ++errors_;
  list_.push_back({severity, id, span, std::move(message), {}, {}});
  return list_.back();
}

namespace {

/// Escape sequences, empty without colour.
struct Palette {
  std::string_view bold, error, warning, note, hint, reset;
};
constexpr Palette plain;
constexpr Palette colored = {"\x1b[1m",  "\x1b[1;31m", "\x1b[1;35m",
                             "\x1b[36m", "\x1b[32m",   "\x1b[0m"};

/// Blanks as wide as a text on the screen, with tabs kept as tabs.
std::string blank_copy(std::string_view text) {
  std::string blanks;
  for (std::size_t at = 0; at < text.size(); at += glyph_at(text, at).size)
    blanks += text[at] == '\t' ? std::string(1, '\t') : std::string(glyph_at(text, at).width, ' ');
  return blanks;
}

/// A longer line is shown without its ends.
constexpr std::size_t longest_line = 160;
constexpr std::size_t shown_before = 60;

/// A text in which nothing can change what the terminal does.
std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    Glyph glyph = glyph_at(text, at);
    if (glyph.is_printable || text[at] == '\t')
      result += text.substr(at, glyph.size);
    else
      result.append(glyph.width, '?');
    at += glyph.size;
  }
  return result;
}

/// The first line of the span, with carets under what belongs to it.
void append_excerpt(std::string& out, const SourceMap& sources, Span span, std::string_view color,
                    std::string_view reset) {
  LineColumn from = sources.position(span.file, span.begin);
  std::string_view line = sources.line(span.file, from.line);
  std::size_t begin = std::min<std::size_t>(from.column - 1, line.size());
  std::size_t end = std::min<std::size_t>(begin + (span.end - span.begin), line.size());
  bool goes_on = begin + (span.end - span.begin) > line.size() + 1;
  std::string_view left_cut, right_cut;
  if (line.size() > longest_line) {
    auto is_inside_code_point = [&](std::size_t i) {
      return i < line.size() && (static_cast<unsigned char>(line[i]) & 0xC0) == 0x80;
    };
    // A code point has at most three bytes after its first; more of them are no UTF-8 anyway.
    std::size_t first = begin > shown_before ? begin - shown_before : 0;
    for (int i = 0; i < 3 && first > 0 && is_inside_code_point(first); ++i)
      ++first;
    std::size_t last = std::min(line.size(), first + longest_line);
    for (int i = 0; i < 3 && is_inside_code_point(last); ++i)
      --last;
    if (first > 0) left_cut = "...";
    if (last < line.size()) right_cut = "...";
    line = line.substr(first, last - first);
    begin -= first;
    end = std::min(end - first, line.size());
  }
  std::string number = std::to_string(from.line);
  std::string margin(number.size(), ' ');
  out += " " + number + " | ";
  out += left_cut;
  out += printable(line);
  out += right_cut;
  out += "\n " + margin + " | ";
  out += std::string(left_cut.size(), ' ');
  out += blank_copy(line.substr(0, begin));
  out += color;
  out += std::string(std::max<std::size_t>(text_width(line.substr(begin, end - begin)), 1), '^');
  if (goes_on) out += "...";
  out += reset;
  out += '\n';
}

void append_message(std::string& out, const SourceMap& sources, Span span, std::string_view kind,
                    std::string_view message, std::string_view id, std::string_view color,
                    const Palette& palette) {
  if (span.is_known()) {
    LineColumn from = sources.position(span.file, span.begin);
    out += palette.bold;
    out += sources.name(span.file);
    out += ":" + std::to_string(from.line) + ":" + std::to_string(from.column) + ": ";
    out += palette.reset;
  }
  out += color;
  out += kind;
  out += palette.reset;
  out += ": ";
  out += message;
  if (!id.empty()) {
    out += " [";
    out += id;
    out += "]";
  }
  out += '\n';
  if (span.is_known()) append_excerpt(out, sources, span, color, palette.reset);
}

/// As people are shown it: what the program has no names for is called as nothing else is, in the
/// message or in the lines that are shown with it.
Diagnostic with_names(const SourceMap& sources, Diagnostic diagnostic) {
  std::vector<std::string*> texts = {&diagnostic.message, &diagnostic.hint};
  std::string lines;
  const auto add_line = [&](Span span) {
    if (!span.is_known()) return;
    lines += sources.line(span.file, sources.position(span.file, span.begin).line);
    lines += '\n';
  };
  add_line(diagnostic.span);
  for (Note& note : diagnostic.notes) {
    texts.push_back(&note.message);
    add_line(note.span);
  }
  name_unknowns(texts, lines);
  return diagnostic;
}

} // namespace

std::string render(const SourceMap& sources, const Diagnostic& unnamed, RenderOptions options) {
  const Diagnostic diagnostic = with_names(sources, unnamed);
  const Palette& palette = options.color ? colored : plain;
  bool is_error = diagnostic.severity == Severity::Error;
  const char* const kind = is_error                                   ? "error"
                           : diagnostic.severity == Severity::Warning ? "warning"
                                                                      : "remark";
  std::string out;
  append_message(out, sources, diagnostic.span, kind, diagnostic.message, diagnostic.id,
                 is_error ? palette.error : palette.warning, palette);
  for (const Note& note : diagnostic.notes)
    append_message(out, sources, note.span, "note", note.message, {}, palette.note, palette);
  if (!diagnostic.hint.empty()) {
    out += palette.hint;
    out += "hint";
    out += palette.reset;
    out += ": " + diagnostic.hint + "\n";
  }
  return out;
}

std::string render(const SourceMap& sources, const Diagnostics& diagnostics,
                   RenderOptions options) {
  std::string out;
  std::size_t errors = 0, warnings = 0;
  for (const Diagnostic& diagnostic : diagnostics.all())
    if (++(diagnostic.severity == Severity::Error ? errors : warnings) <= options.most)
      out += render(sources, diagnostic, options);
  auto append_rest = [&](std::size_t count, const char* kind) {
    if (count <= options.most) return;
    const std::size_t rest = count - options.most;
    out += "and " + std::to_string(rest) + " more " + kind + (rest == 1 ? "\n" : "s\n");
  };
  append_rest(errors, "error");
  append_rest(warnings, "warning");
  return out;
}

namespace {

std::string_view id_of(FailureKind kind) {
  switch (kind) {
  case FailureKind::OutOfMemory:
    return "out-of-memory";
  case FailureKind::StackLimit:
    return "recursion-too-deep";
  case FailureKind::Program:
  case FailureKind::Interrupted:
  case FailureKind::TimedOut:
  case FailureKind::Unsupported:
  case FailureKind::Deferred:
    break;
  }
  return {};
}

} // namespace

RuntimeError::RuntimeError(FailureKind kind, std::string message, Span span)
    : kind(kind), id(id_of(kind)), message(std::move(message)), span(span) {}

RuntimeError::RuntimeError(std::string_view id, std::string message, Span span)
    : kind(FailureKind::Program), id(id), message(std::move(message)), span(span) {
  assert(find_diagnostic_id(id) && "the id has no help page");
}

std::string render(const SourceMap& sources, const RuntimeError& error, bool color) {
  const Palette& palette = color ? colored : plain;
  std::string out;
  append_message(out, sources, error.span, "Error", error.message, error.id, palette.error,
                 palette);
  for (const StackFrame& frame : error.frames) {
    out += "  at " + std::string(frame.function);
    if (frame.span.is_known()) {
      LineColumn from = sources.position(frame.span.file, frame.span.begin);
      out += " (" + std::string(sources.name(frame.span.file)) + ":" + std::to_string(from.line) +
             ":" + std::to_string(from.column) + ")";
    }
    out += '\n';
  }
  return out;
}

} // namespace sinter
