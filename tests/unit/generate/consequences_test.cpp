// One thing of a valid program is broken: nothing but that is reported, whatever uses it.
#include "checking.h"

#include "tests/generate/program_generator.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

using namespace sinter;
using namespace sinter::tests;

namespace {

/// A piece of the program, and what stands in its place.
struct Fault {
  Span span;
  std::string_view replacement;
};

constexpr std::string_view a_value = "no_such_value";

/// The bodies of definitions, of types, modules and module types, wherever they stand; imports.
class Faults {
public:
  std::vector<Fault> found;

  void visit(const std::vector<syntax::Declaration*>& declarations) {
    for (const syntax::Declaration* declaration : declarations)
      visit(*declaration);
  }

private:
  void visit(const syntax::Declaration& declaration) {
    if (const auto* local = std::get_if<syntax::LocalDeclaration>(&declaration.node))
      visit(*local->inner);
    else if (const auto* value = std::get_if<syntax::ValueDeclaration>(&declaration.node))
      visit(*value);
    else if (const auto* type = std::get_if<syntax::TypeDeclaration>(&declaration.node))
      found.push_back({type->definition->span, "no_such_type"});
    else if (const auto* module_type =
                 std::get_if<syntax::ModuleTypeDeclaration>(&declaration.node))
      visit(*module_type->type);
    else if (const auto* module = std::get_if<syntax::ModuleDeclaration>(&declaration.node))
      visit(*module->body);
    else if (const auto* open = std::get_if<syntax::OpenDeclaration>(&declaration.node))
      visit(*open->module);
    else if (const auto* import = std::get_if<syntax::ImportDeclaration>(&declaration.node))
      found.push_back({import->path_span, "\"no_such_file\""});
  }
  void visit(const syntax::ValueDeclaration& value) {
    if (value.is_part) return; // it has no text of its own
    const syntax::Expr* body =
        value.pattern ? std::get<syntax::LetPatternExpr>(value.body->node).value : value.body;
    found.push_back({body->span, a_value});
  }
  void visit(const syntax::ModuleExpr& module) {
    found.push_back({module.span, "no_such_module"});
    if (const auto* body = std::get_if<syntax::ModuleBody>(&module.node)) visit(body->declarations);
  }
  void visit(const syntax::ModuleTypeExpr& type) {
    found.push_back({type.span, "no_such_module_type"});
    const auto* body = std::get_if<syntax::ModuleTypeBody>(&type.node);
    if (!body) return;
    for (const syntax::Specification* specification : body->specifications) {
      if (const auto* value = std::get_if<syntax::ValueSpecification>(&specification->node))
        found.push_back({value->type->span, "no_such_type"});
      else if (const auto* module = std::get_if<syntax::ModuleSpecification>(&specification->node))
        visit(*module->type);
    }
  }
};

std::string with(std::string text, const Fault& fault) {
  text.replace(fault.span.begin, fault.span.end - fault.span.begin, fault.replacement);
  return text;
}

/// Breaks the program at up to `most` places, one after the other.
void check_consequences(Bench& bench, const std::string& text, const std::string& name,
                        std::size_t most) {
  Bench::Checked valid = bench.check(text, name);
  if (!valid.file) return;
  Faults faults;
  faults.visit(valid.file->syntax.declarations);
  const std::size_t step = std::max<std::size_t>(1, (faults.found.size() + most - 1) / most);
  for (std::size_t i = 0; i < faults.found.size(); i += step) {
    const Fault& fault = faults.found[i];
    const std::string broken = with(text, fault);
    Bench::Checked checked = bench.check(broken, name);
    CAPTURE(broken);
    CHECK_MESSAGE(checked.error_count == 1, checked.messages);
    std::string_view culprit = fault.replacement;
    if (culprit.starts_with('"')) culprit = culprit.substr(1, culprit.size() - 2);
    CHECK(checked.messages.find(culprit) != checked.messages.npos);
  }
  // Of two broken definitions each is told, and the second one in the text is broken first, so that
  // the first one's span holds.
  std::vector<Fault> values;
  for (const Fault& fault : faults.found)
    if (fault.replacement == a_value) values.push_back(fault);
  if (values.size() < 2) return;
  const std::string broken = with(with(text, values.back()), {values.front().span, "other_value"});
  Bench::Checked checked = bench.check(broken, name);
  CAPTURE(broken);
  CHECK_MESSAGE(checked.error_count == 2, checked.messages);
}

} // namespace

TEST_CASE("programs with one broken definition") {
  const char* elsewhere = std::getenv("SINTER_PROPERTY_PROGRAMS");
  const std::vector<std::filesystem::path> programs =
      programs_of(elsewhere ? elsewhere : SINTER_SOURCE_DIR "/tests/programs");
  std::unique_ptr<Bench> bench;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (i % 25 == 0) bench = std::make_unique<Bench>();
    CAPTURE(programs[i]);
    check_consequences(*bench, text_of(programs[i]), programs[i].string(), is_sanitized ? 2 : 6);
  }
}

TEST_CASE("generated programs with one broken definition") {
  std::unique_ptr<Bench> bench;
  const std::uint64_t count = property_count(25);
  for (std::uint64_t seed = 7000; seed < 7000 + count; ++seed) {
    if (seed % 25 == 0) bench = std::make_unique<Bench>();
    CAPTURE(seed);
    check_consequences(*bench, generate::generate_program({.seed = seed}).text, "generated.fut", 4);
  }
}
