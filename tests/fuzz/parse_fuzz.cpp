// Any bytes may be parsed; what parses without errors prints to the same tree.  `parse.dict` has
// what is not found by chance (`-dict=`).
#include "lang/syntax/parser.h"
#include "lang/syntax/print.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sinter;
  std::string text(reinterpret_cast<const char*>(data), size);
  SourceMap sources;
  syntax::Ast ast;
  const auto part = [&](auto parse) {
    Diagnostics diagnostics;
    parse(sources, sources.add("part", text), ast, diagnostics);
    render(sources, diagnostics);
  };
  part(syntax::parse_prompt);
  part(syntax::parse_expression);
  part(syntax::parse_type);
  part(syntax::parse_specifications);
  Diagnostics diagnostics;
  syntax::File first = syntax::parse_file(sources, sources.add("input", text), ast, diagnostics);
  render(sources, diagnostics);
  std::string printed = syntax::print(first); // must not fail on Error nodes either
  if (diagnostics.has_errors()) return 0;
  syntax::File second =
      syntax::parse_file(sources, sources.add("printed", printed), ast, diagnostics);
  if (diagnostics.has_errors() || !syntax::same(first, second)) {
    std::fprintf(stderr, "printed as:\n%s\n%s", printed.c_str(),
                 render(sources, diagnostics).c_str());
    std::abort();
  }
  return 0;
}
