// What holds for every program that the rules of the language allow.
#include "checking.h"

#include "lang/syntax/parser.h"
#include "lang/syntax/print.h"
#include "tests/generate/program_generator.h"

#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::tests;

namespace {

/// All properties of the programs from `seed` on.
void check_programs(generate::Options options, std::uint64_t count) {
  std::unique_ptr<Bench> bench;
  for (std::uint64_t i = 0; i < count; ++i, ++options.seed) {
    if (i % 25 == 0) bench = std::make_unique<Bench>();
    generate::Program program = generate::generate_program(options);
    CAPTURE(options.seed);
    CAPTURE(program.text);

    syntax::Ast ast;
    Diagnostics diagnostics;
    syntax::File first = syntax::parse_file(
        bench->sources, bench->sources.add("generated.fut", program.text), ast, diagnostics);
    std::string printed = syntax::print(first);
    syntax::File second = syntax::parse_file(
        bench->sources, bench->sources.add("printed.fut", printed), ast, diagnostics);
    REQUIRE_MESSAGE(!diagnostics.has_errors(), render(bench->sources, diagnostics));
    CHECK(syntax::same(first, second));
    CHECK(syntax::print(second) == printed);

    Bench::Checked checked = bench->check(program.text);
    REQUIRE_MESSAGE(checked.file, checked.messages);

    MemoryBudget memory(std::size_t{1} << 28);
    std::string value = outcome(*bench, *checked.file, "main", program.input, memory);
    CHECK(memory.in_use() == 0);
    CHECK(outcome(*bench, *checked.file, "main", program.input, memory) == value);
    CHECK(memory.in_use() == 0);
    if (!options.run_time_errors) CHECK(value.find("Error:") == std::string::npos);
  }
}

} // namespace

TEST_CASE("the same seed gives the same program, another seed another one") {
  generate::Options options{.seed = 7};
  std::string text = generate::generate_program(options).text;
  CHECK(generate::generate_program(options).text == text);
  options.seed = 8;
  CHECK(generate::generate_program(options).text != text);
}

TEST_CASE("a few programs have functions that hide their results' sizes") {
  unsigned programs = 0;
  for (generate::Options options{.seed = 1, .computes = true}; options.seed <= 500; ++options.seed)
    programs += generate::generate_program(options).text.find(": []") != std::string::npos;
  CHECK(programs >= 10);
  CHECK(programs <= 30);
}

TEST_CASE("generated programs check, print, evaluate and clean up") {
  check_programs({.seed = 1000}, property_count());
}

TEST_CASE("programs that may fail do so in an orderly way") {
  check_programs({.seed = 2000, .run_time_errors = true}, property_count(25));
}

TEST_CASE("large programs") {
  check_programs({.seed = 3000, .size = 300}, property_count(5));
}
