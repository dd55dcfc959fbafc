// The passes that code generation goes without are passes that it would run: a name of none would
// cost time unseen.
#include "gpu/ptx/chosen_passes.h"
#include "gpu/ptx/code_generator.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

using namespace sinter;

TEST_CASE("each pass that is left out is one that LLVM puts into the target's list") {
  const auto machine = gpu::make_ptx_machine(80);
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  gpu::ChosenPasses passes;
  REQUIRE(
      !machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile));
  const std::vector<std::string> names = gpu::names_of_passes_to_leave_out();
  CHECK(names.size() >= 20);
  for (const std::string& name : names) {
    CAPTURE(name);
    CHECK(passes.left_out().contains(name));
  }
  CHECK(passes.left_out().size() == names.size());
}
