#include "jit/cpu/register_allocation.h"

#include <cassert>

#include <llvm/ADT/StringMap.h>
#include <llvm/Support/CommandLine.h>

namespace sinter::jit {

namespace {

std::mutex& mutex_of_the_option() {
  static std::mutex mutex;
  return mutex;
}

} // namespace

RegisterAllocation::RegisterAllocation(Kind kind) : of_the_option_(mutex_of_the_option()) {
  constexpr const char* name = "optimize-regalloc";
  const llvm::StringMap<llvm::cl::Option*>& options = llvm::cl::getRegisteredOptions();
  const auto option = options.find(name);
  assert(option != options.end());
  if (option == options.end()) return; // (A version of LLVM without it decides for itself.)
  option->second->addOccurrence(1, name, kind == Kind::WholeFunctions ? "true" : "false",
                                /*MultiArg=*/true); // so that it may be given again
}

} // namespace sinter::jit
