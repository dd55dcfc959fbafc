// The help pages tell the truth: every diagnostic has one, the program on it causes this diagnostic
// and no other, with the message on the page, and the mended program causes none.  So do those of
// errors while running.
//
// With SINTER_UPDATE_PAGES=1 in the environment the messages on the pages are rewritten.
#include "lang/base/diagnostic_ids.h"
#include "lang/check/checker.h"
#include "lang/check/help.h"
#include "lang/core/specialise.h"
#include "lang/eval/evaluator.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

using namespace sinter;

namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(SINTER_SOURCE_DIR) / "lang/check/help";

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void write(const fs::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// An empty folder that is the current one as long as this lives, so that messages name files
/// without their folder.
class Workplace {
public:
  Workplace() : before_(fs::current_path()) { fs::current_path(here_.path()); }
  ~Workplace() { fs::current_path(before_); }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

private:
  fs::path before_;
  tests::TemporaryFolder here_;
};

/// What is said about a program.
struct Verdict {
  std::string text;
  /// Those of the program itself; an imported file may have others.
  std::set<std::string> errors, warnings;
};

Verdict judge(const help::Page& page, std::string_view program) {
  Workplace workplace;
  for (const help::Block& block : page.blocks)
    if (block.label.starts_with("file ")) write(block.label.substr(5), block.text);
  write("example.fut", program);
  SourceMap sources;
  check::Checker checker(sources);
  Diagnostics diagnostics;
  checker.check_file("example.fut", diagnostics);
  Verdict verdict{render(sources, diagnostics), {}, {}};
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.span.is_known() &&
        !sources.describe(diagnostic.span).starts_with("example.fut:"))
      continue;
    bool is_error = diagnostic.severity == Severity::Error;
    (is_error ? verdict.errors : verdict.warnings).emplace(diagnostic.id);
  }
  return verdict;
}

/// Runs the `main` of a program, a constant, with all tests that there are: what is said if it
/// fails, with the error's id.
Verdict run(std::string_view program) {
  SourceMap sources;
  check::Checker checker(sources);
  Diagnostics diagnostics;
  const check::CheckedFile* file =
      checker.check_text("example.fut", std::string(program), diagnostics);
  if (!file) return {render(sources, diagnostics), {"rejected"}, {}};
  Representations representations;
  core::Program resolved;
  core::Specialiser specialiser(checker, representations, resolved);
  core::EntryPoint main = specialiser.entry_point(*file, "main");
  MemoryBudget memory(std::size_t{1} << 30);
  EvaluationContext context;
  context.representations = &representations;
  context.memory = &memory;
  context.sources = &sources;
  context.debugging = Debugging::Nan;
  Evaluator evaluator(resolved, std::move(context));
  try {
    evaluator.call(*main.function, {});
  } catch (const RuntimeError& error) {
    return {render(sources, error), {std::string(error.id)}, {}};
  }
  return {};
}

/// The page with another message; it comes before the mended program if there was none.
std::string with_message(const std::string& text, const help::Page& page,
                         const std::string& message) {
  std::string result = text;
  if (const help::Block* old = page.find("message"))
    return result.replace(static_cast<std::size_t>(old->text.data() - text.data()),
                          old->text.size(), message);
  return result.insert(result.find("```accepted"), "```message\n" + message + "```\n\n");
}

} // namespace

TEST_CASE("every diagnostic has a page, and every page is part of the executable") {
  std::set<std::string_view> pages;
  for (const help::File& file : help::files())
    pages.insert(file.name);
  CHECK(pages.size() == diagnostic_ids().size()); // which are made from the pages
  for (const DiagnosticId& row : diagnostic_ids()) {
    CAPTURE(row.id);
    CHECK(pages.contains(row.id));
  }
  for (const auto& entry : fs::directory_iterator(folder)) {
    CAPTURE(entry.path());
    CHECK(pages.contains(entry.path().stem().string()));
  }
}

TEST_CASE("pages show what their diagnostics are about") {
  const bool update = std::getenv("SINTER_UPDATE_PAGES");
  for (const help::File& file : help::files()) {
    const std::string id(file.name);
    CAPTURE(id);
    WARN_MESSAGE(find_diagnostic_id(id), "a page for an id that is not registered");
    if (!find_diagnostic_id(id)) continue;
    const fs::path path = folder / (id + ".md");
    const std::string text = text_of(path);
    const help::Page page = help::parse(text);
    CHECK(page.id == id);
    CHECK(!page.explanation.empty());

    const bool is_warning = page.find("warned"), is_run_time = page.find("failing");
    const help::Block* example = page.find(is_warning    ? "warned"
                                           : is_run_time ? "failing"
                                                         : "rejected");
    const help::Block* mended = page.find("accepted");
    REQUIRE(example);
    REQUIRE(mended);
    if (!example->label.ends_with(" shortened")) {
      if (is_run_time) CHECK(judge(page, example->text).text == "");
      Verdict verdict = is_run_time ? run(example->text) : judge(page, example->text);
      CAPTURE(verdict.text);
      CHECK((is_warning ? verdict.warnings : verdict.errors) == std::set<std::string>{id});
      CHECK((is_warning ? verdict.errors : verdict.warnings).empty());
      CHECK(verdict.text.find("(" + id + ")") == std::string::npos); // it stands in brackets
      const help::Block* message = page.find("message");
      if (update)
        write(path, with_message(text, page, verdict.text));
      else if (message)
        CHECK(message->text == verdict.text);
      else
        MESSAGE("no message on the page; SINTER_UPDATE_PAGES=1 writes it");
    }
    Verdict verdict = judge(page, mended->text);
    CHECK(verdict.text == "");
    if (is_run_time) CHECK(run(mended->text).text == "");
  }
}

TEST_CASE("help is found by id") {
  auto page = help::show("type-mismatch");
  REQUIRE(page);
  CHECK(page->starts_with("type-mismatch: an expression of another type"));
  CHECK(page->find("\nRejected:\n\n    def ") != std::string::npos);
  CHECK(page->find("\nAccepted:\n\n    def ") != std::string::npos);
  CHECK(page->find("```") == std::string::npos);
  CHECK(help::show("[type-mismatch]") == page);
  CHECK(!help::show("no-such-thing"));
  CHECK(help::no_such_id("unknwon-module") ==
        "there is no diagnostic `unknwon-module`; did you mean `unknown-module`?");
  CHECK(help::show_all().find("import-cycle") != std::string::npos);
}
