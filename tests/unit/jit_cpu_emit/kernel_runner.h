// Runs emitted kernels as a launcher would, with everything plain: for tests of emission alone.
#pragma once

#include "jit/emit/emit.h"
#include "jit/ir/evaluate.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sinter::jit {

struct RunnerOptions {
  unsigned lanes = 1;
  std::int64_t chunk = 1 << 30; ///< elements
  bool strided = false;         ///< array arguments are passed with gaps, and not marked dense
  bool streamed = false;        ///< results are stored past the caches, where code can do that
  bool compact = false;         ///< see EmitOptions
  /// Elements of a partial value that keeps the order of folding, where that may be chosen.
  std::int64_t fold_unit = std::int64_t{64} * 64;
  /// So many shares of the bins that updates of a histogram are dealt to, where that may be and it
  /// is one segment; 0: they are done at once.
  std::int64_t shares = 0;
  /// Whose instructions are used.  `Host`: all that this machine has.
  enum class Processor : std::uint8_t { Host, Sse2, Avx2, Avx512 };
  Processor processor = Processor::Host;
  bool is_zen = false;           ///< as AMD's has it
  bool has_small_caches = false; ///< of 4 KiB: most of what is read comes from behind them
  /// For a target without vectors (plain_target.h), whatever the lanes are.
  bool plain = false;
};

/// Whether this machine can run code for the processor.
bool can_run(RunnerOptions::Processor processor);

/// A kernel whose code of each kind is made once.
class KernelRunner {
public:
  explicit KernelRunner(const ir::Function& function);
  ~KernelRunner();
  /// The kernel's results for the arguments, or the failing check's site.  Unless `compact` is set,
  /// compact code is run too; throws if it gives something else.
  ir::Evaluation run(const std::vector<ir::DenseValue>& arguments, const RunnerOptions& options);

private:
  class Code;
  const Code& code_for(const RunnerOptions& options);

  const ir::Function& function_;
  std::map<std::string, std::unique_ptr<Code>> codes_;
};

/// The same for a kernel that runs once.
ir::Evaluation run_kernel(const ir::Function& function,
                          const std::vector<ir::DenseValue>& arguments,
                          const RunnerOptions& options);
/// The module as text.
std::string kernel_text(const ir::Function& function, const RunnerOptions& options);

} // namespace sinter::jit
