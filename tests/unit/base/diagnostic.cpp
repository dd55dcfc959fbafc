#include "lang/base/diagnostic.h"

#include "lang/base/runtime_error.h"

#include <doctest/doctest.h>

using namespace sinter;

TEST_CASE("a diagnostic shows its line, carets, notes and a hint") {
  SourceMap sources;
  FileId file = sources.add("a.fut", "def x = 1\ndef yy = x z\n");
  Diagnostics diagnostics;
  Diagnostic& d = diagnostics.error("unknown-name", {file, 21, 22}, "unknown name `z`");
  d.notes.push_back({{file, 4, 5}, "`x` is defined here"});
  d.notes.push_back({{}, "nothing else is in scope"});
  d.hint = "did you mean `x`?";
  CHECK(render(sources, diagnostics) == "a.fut:2:12: error: unknown name `z` [unknown-name]\n"
                                        " 2 | def yy = x z\n"
                                        "   |            ^\n"
                                        "a.fut:1:5: note: `x` is defined here\n"
                                        " 1 | def x = 1\n"
                                        "   |     ^\n"
                                        "note: nothing else is in scope\n"
                                        "hint: did you mean `x`?\n");
}

TEST_CASE("carets stay under their text") {
  SourceMap sources;
  FileId file = sources.add("a", "\t\xC3\xA6 = bc\nnext");
  auto excerpt = [&](std::uint32_t begin, std::uint32_t end) {
    std::string text = render(sources, Diagnostic{Severity::Warning, "w", {file, begin, end}, "m"});
    return text.substr(text.find('\n') + 1);
  };
  CHECK(excerpt(6, 8) == " 1 | \t\xC3\xA6 = bc\n   | \t    ^^\n");
  CHECK(excerpt(1, 3) == " 1 | \t\xC3\xA6 = bc\n   | \t^\n");
  // Only the first line of a longer span is shown.
  CHECK(excerpt(6, 13) == " 1 | \t\xC3\xA6 = bc\n   | \t    ^^...\n");
  // An empty span, also at the very end, still points somewhere.
  CHECK(excerpt(8, 8) == " 1 | \t\xC3\xA6 = bc\n   | \t      ^\n");
  CHECK(excerpt(13, 13) == " 2 | next\n   |     ^\n");
}

TEST_CASE("carets are as wide as their text is on the screen") {
  SourceMap sources;
  FileId file = sources.add("a", "\"漢字\" + e\u0301x");
  auto carets = [&](std::uint32_t begin, std::uint32_t end) {
    std::string text = render(sources, Diagnostic{Severity::Error, "e", {file, begin, end}, "m"});
    return text.substr(text.rfind('|') + 1);
  };
  CHECK(carets(0, 8) == " ^^^^^^\n");
  CHECK(carets(14, 15) == "           ^\n"); // `x` after one glyph of two code points
}

TEST_CASE("long lines are cut around the span") {
  SourceMap sources;
  std::string text = std::string(500, 'a') + "HERE" + std::string(500, 'b');
  FileId file = sources.add("a", text);
  std::string shown = render(sources, Diagnostic{Severity::Error, "e", {file, 500, 504}, "m"});
  CHECK(shown == "a:1:501: error: m [e]\n"
                 " 1 | ..." +
                     std::string(60, 'a') + "HERE" + std::string(96, 'b') +
                     "...\n"
                     "   | " +
                     std::string(63, ' ') + "^^^^\n");
}

TEST_CASE("a long line that is no UTF-8 can be shown") {
  SourceMap sources;
  FileId file = sources.add("a", std::string(500, '\x80'));
  for (std::uint32_t at : {0u, 100u, 499u, 500u})
    CHECK(render(sources, Diagnostic{Severity::Error, "e", {file, at, at + 1}, "m"}).find('^') !=
          std::string::npos);
}

TEST_CASE("control characters of a source do not reach the terminal") {
  SourceMap sources;
  FileId file = sources.add("a", "x\x1b[31m y");
  std::string shown = render(sources, Diagnostic{Severity::Error, "e", {file, 7, 8}, "m"});
  CHECK(shown == "a:1:8: error: m [e]\n 1 | x?[31m y\n   |        ^\n");
  FileId other = sources.add("b", "x\u009b y"); // the same in one character
  shown = render(sources, Diagnostic{Severity::Error, "e", {other, 4, 5}, "m"});
  CHECK(shown == "b:1:5: error: m [e]\n 1 | x? y\n   |    ^\n");
}

TEST_CASE("colour") {
  SourceMap sources;
  FileId file = sources.add("a", "x");
  Diagnostic d{Severity::Error, "e", {file, 0, 1}, "m", {}, "h"};
  CHECK(render(sources, d, {.color = true}) ==
        "\x1b[1ma:1:1: \x1b[0m\x1b[1;31merror\x1b[0m: m [e]\n"
        " 1 | x\n"
        "   | \x1b[1;31m^\x1b[0m\n"
        "\x1b[32mhint\x1b[0m: h\n");
}

TEST_CASE("the same error at the same place counts once") {
  SourceMap sources;
  FileId file = sources.add("a", "x y");
  Diagnostics diagnostics;
  diagnostics.error("unknown-name", {file, 0, 1}, "first");
  diagnostics.error("unknown-name", {file, 0, 1}, "again").hint = "goes nowhere";
  diagnostics.error("unknown-type", {file, 0, 1}, "other id");
  diagnostics.error("unknown-name", {file, 2, 3}, "other place");
  diagnostics.warning("shadowed-type", {file, 2, 3}, "warning");
  CHECK(diagnostics.all().size() == 4);
  CHECK(diagnostics.error_count() == 3);
  CHECK(diagnostics.all()[0].message == "first");
  CHECK(diagnostics.all()[0].hint.empty());
}

TEST_CASE("a runtime error shows where it happened and through which calls") {
  SourceMap sources;
  FileId file = sources.add("a.fut", "def f x = x[9]\ndef main x = f x\n");
  RuntimeError error(FailureKind::Program, "index [9] out of bounds", {file, 10, 14});
  error.frames = {{"f", {file, 10, 14}}, {"main", {file, 28, 31}}, {"built-in", {}}};
  CHECK(render(sources, error) == "a.fut:1:11: Error: index [9] out of bounds\n"
                                  " 1 | def f x = x[9]\n"
                                  "   |           ^^^^\n"
                                  "  at f (a.fut:1:11)\n"
                                  "  at main (a.fut:2:14)\n"
                                  "  at built-in\n");
  CHECK(render(sources, RuntimeError(FailureKind::TimedOut, "too slow")) == "Error: too slow\n");
}

TEST_CASE("of many diagnostics the first ones are shown and the others counted") {
  SourceMap sources;
  Diagnostics diagnostics;
  for (int i = 1; i <= 4; ++i) {
    diagnostics.error("type-mismatch", {}, "error " + std::to_string(i));
    diagnostics.warning("hole", {}, "warning " + std::to_string(i));
  }
  RenderOptions options;
  options.most = 2;
  CHECK(render(sources, diagnostics, options) == "error: error 1 [type-mismatch]\n"
                                                 "warning: warning 1 [hole]\n"
                                                 "error: error 2 [type-mismatch]\n"
                                                 "warning: warning 2 [hole]\n"
                                                 "and 2 more errors\n"
                                                 "and 2 more warnings\n");
  options.most = 3;
  CHECK(render(sources, diagnostics, options).ends_with("and 1 more error\nand 1 more warning\n"));
  options.most = 4;
  CHECK(render(sources, diagnostics, options).ends_with("warning: warning 4 [hole]\n"));
}

TEST_CASE("errors while running have the ids of their help pages") {
  SourceMap sources;
  CHECK(render(sources, RuntimeError("division-by-zero", "division by zero")) ==
        "Error: division by zero [division-by-zero]\n");
  CHECK(RuntimeError(FailureKind::OutOfMemory, "out of memory").id == "out-of-memory");
  CHECK(RuntimeError(FailureKind::Interrupted, "interrupted").id == "");
}
