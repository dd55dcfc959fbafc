// A program from text, its evaluator, and a swapper whose compiled code is the IR's own evaluator:
// everything but the code generator.
#pragma once

#include "jit/swap/swapper.h"
#include "lang/check/checker.h"
#include "lang/core/specialise.h"
#include "lang/eval/evaluator.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sinter::test {

/// Runs functions by `ir::evaluate`.  Its only kernel is there to tell the tier.
std::shared_ptr<jit::Executable> evaluating_executable(ir::Function function, MemoryBudget& memory,
                                                       unsigned tier,
                                                       std::function<void()> when_promoted = {});

class World {
public:
  /// The text must be a correct program.
  World(const std::string& text, const jit::SwapOptions& options,
        jit::Precedents* precedents = nullptr);

  /// Calls an entry point; throws RuntimeError.  The arguments may be consumed, `again` makes them
  /// another time.
  Value call(const std::string& entry, std::vector<Value> arguments,
             const Evaluator::Arguments& again = {});
  const core::Function& function(const std::string& entry);
  Value i64s(const std::vector<std::int64_t>& numbers);
  std::vector<std::int64_t> numbers(const Value& array) const;

  MemoryBudget memory;
  InterruptSource interrupt;
  SourceMap sources;
  Representations representations;
  check::Checker checker{sources};
  core::Program program;
  core::Specialiser specialiser{checker, representations, program};
  const check::CheckedFile* file = nullptr;
  std::map<std::string, core::EntryPoint> entries; ///< that were called
  /// Called on the compiling thread when a function is made executable, and when it is to get the
  /// second tier; may block and throw.
  std::function<void()> when_compiled, when_promoted;
  /// What runs a function instead, if it gives anything.
  std::function<std::shared_ptr<jit::Executable>(const ir::Function&)> instead;
  std::vector<std::string> traced; ///< what `#[trace]` showed
  std::unique_ptr<Evaluator> evaluator;
  std::unique_ptr<jit::Swapper> swapper; ///< after what it uses
};

/// Options that check all intermediate code.
jit::SwapOptions in_mode(jit::Mode mode, std::uint64_t seed = 1);
/// An i64.
Value number(std::int64_t value);
/// 0, 1, … n - 1.
std::vector<std::int64_t> up_to(std::int64_t n);
/// The first region whose name this is; a failing check if there is none.
jit::RegionReport region(const jit::Report& report, const std::string& name);

} // namespace sinter::test
