// What the executable knows of the JIT.
//
// This folder is the small part of the JIT that is linked into the executable: the choice of a mode
// and what can be asked about compiled regions (this file), the gate, which opens the JIT proper
// when something gets warm (gate.h), and what is known of that from earlier processes
// (precedents.h).  It knows no IR and no code generator: those are in the plugin, which implements
// `HotSwap` (jit/swap) and is found beside the executable.
#pragma once

#include "jit/gate/device_choice.h"
#include "jit/gate/float_mode.h"
#include "jit/gate/marks.h"
#include "jit/gate/pieces.h"
#include "jit/gate/precedents.h"
#include "jit/passes/pass_options.h"
#include "lang/base/interrupt.h"
#include "lang/base/source_map.h"
#include "lang/base/span.h"
#include "lang/eval/accelerator.h"
#include "lang/values/array.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinter::jit {

enum class Mode : std::uint8_t {
  Interpret, ///< nothing is compiled
  Auto,      ///< what is worth it is compiled: at once if it surely is, else in the background
  Jit,       ///< everything that can be is compiled at once, and run compiled
  Mixed,     ///< for tests: at each offer chance decides whether compiled code takes it
};

/// "interp", "auto", "jit", "mixed".
std::string_view name(Mode mode);
std::optional<Mode> mode_of(std::string_view name);

/// How much is spent on compiling; results are the same to the bit.
enum class Tier : std::uint8_t {
  /// Mode::Auto and Mode::Mixed begin with the first tier and go on to the second where that pays,
  /// or by chance; Mode::Jit begins with the second.  Contracted floats need the second, as it is
  /// the optimiser that contracts.
  Automatic,
  First, ///< there at once
  Second ///< optimised
};

/// "auto", "1", "2".
std::string_view name(Tier tier);
std::optional<Tier> tier_of(std::string_view name);

/// The values of an option that is a choice, each with its name.
template <typename Choice>
using ChoiceNames = std::span<const std::pair<Choice, std::string_view>>;
ChoiceNames<Mode> names_of(Mode);
ChoiceNames<Tier> names_of(Tier);
ChoiceNames<FloatMode> names_of(FloatMode);

/// The rows of swap_options.def.
struct SwapOptions {
#define SINTER_SWAP_OPTION(Type, member, value, ...) Type member = value;
#include "jit/gate/swap_options.def"
#undef SINTER_SWAP_OPTION
  friend bool operator==(const SwapOptions&, const SwapOptions&) = default;
  /// What is asked for about passes.
  PassOptions passes() const {
    return {.without = without_passes, .print_after = printed_passes, .verify = verify};
  }
};
/// Whether other code is compiled for the second than for the first.
bool differ_in_code(const SwapOptions& first, const SwapOptions& second);

/// What compiled code and its compilation share with the session; all outlive the HotSwap.
struct SwapContext {
  Representations* representations = nullptr;
  MemoryBudget* memory = nullptr;
  InterruptSource* interrupt = nullptr;
  /// The value of a global, if it has been computed; on any thread.
  std::function<std::optional<Value>(const core::Global&)> global;
  /// Computes a global in the midst of an evaluation, on its thread; throws RuntimeError.  May be
  /// empty: then regions compute what they need.
  std::function<void(const core::Global&)> compute_global;
  Precedents* precedents = nullptr; ///< null: there are none
};

// ---- reports -----------------------------------------------------------------------------------

/// Times in milliseconds, summed up over all launches.
struct KernelReport {
  Span span; ///< of what it computes; what was fused into it stands elsewhere too
  std::string ir;
  std::string skeleton;   ///< "map", "reduce", "scan", "sequential", …
  unsigned lanes = 0;     ///< elements at a time
  std::string runs_on;    ///< the place that its code is for: "cpu", …
  std::string way;        ///< in which work is done there, in a word; empty: there is one
  unsigned registers = 0; ///< of a thread there, where that tells
  std::size_t local_bytes = 0, shared_bytes = 0; ///< of a thread; of a block of threads
  std::uint64_t transferred_bytes = 0;           ///< between the host and there
  std::uint64_t waits = 0; ///< of the host for what was launched there, in its launches
  std::string why_waits;   ///< why each launch is waited for, in words; empty: it need not be
  struct Refusal {
    std::string place, why;
  };
  std::vector<Refusal> refusals; ///< of other places
  unsigned tier = 0;             ///< of its code by now: 1 or 2
  /// How often it was compiled: once for each way in which its arguments lay in memory.
  std::size_t versions = 0;
  std::string not_compiled; ///< why the kernel is interpreted; empty if it is compiled
  std::size_t code_bytes = 0;
  double compiling = 0, running = 0;
  std::uint64_t launches = 0;
  std::uint64_t moved_bytes = 0; ///< arrays that it read and wrote, each counted once a launch
  std::string assembly;          ///< with ReportOptions::assembly
};

/// Something that compiled code makes sure of; where it does not hold, the interpreter goes on.
struct CheckReport {
  std::string message; ///< what goes wrong otherwise
  Span span;
};

/// An array that one operation writes and another one reads, as they have not become one.
struct IntermediateReport {
  Span producer, consumer;
  std::string reason, why;            ///< a name for programs; in words
  std::optional<std::uint64_t> bytes; ///< written and read in the first run, if known
  /// Why it was not made piece by piece, as large as it was (or may have been: a filter made it),
  /// so that it stays in the caches; empty where it was, or was small, or its size is not known.
  std::string whole, why_whole;
};

/// Operations that may go through their elements together, piece by piece, so that what one makes
/// for the other stays in the caches; and what came of it.
struct StreamReport {
  Span span;                   ///< of the last of them
  std::uint64_t runs = 0;      ///< 0: all was small enough to be made as a whole
  std::uint64_t pieces = 0;    ///< in those
  std::int64_t first_size = 0; ///< elements of the last run's first piece
  std::int64_t last_size = 0;  ///< of its last but one
  std::string why;             ///< that last size, in words
};

/// A site (a function, an expression, an array operation or a loop of the program) with inputs of a
/// given form, and what became of it.  Times in milliseconds, summed up over all runs.
struct RegionReport {
  enum class State : std::uint8_t { Interpreted, Waiting, Compiled, Rejected };
  std::string name; ///< "function f", "map", "loop"
  Span span;
  Span source;               ///< all of its text, where `span` is a function's name
  bool is_operation = false; ///< not a function, an expression or a loop
  bool is_recent = false;    ///< met in the last evaluation
  State state = State::Interpreted;
  /// Why it was to be compiled, and why again if the site was compiled before; if it was not, why.
  std::string why;
  /// Of Rejected: why, in words.  Of Compiled: why it stays in the first tier, if the second one's
  /// code could not be made.
  std::string reason;
  Span reason_span;                ///< of Rejected: the sub-expression
  std::vector<std::string> inputs; ///< what inputs it is compiled for: other ones need other code
  std::vector<CheckReport> checks;
  std::string traced_ir, optimised_ir; ///< with SwapOptions::keep_ir
  std::vector<PassRecord> passes;      ///< in the order in which they ran
  std::vector<KernelReport> kernels;
  std::vector<IntermediateReport> intermediates;
  std::vector<StreamReport> streams;
  std::uint64_t interpreted_runs = 0, compiled_runs = 0, failed_runs = 0, kernel_launches = 0;
  double interpreting = 0, tracing = 0, optimising = 0, compiling = 0, running = 0;
  std::uint64_t soacs = 0, compiled_soacs = 0;
  /// Bytes of the region's inputs and results: what any implementation has to move.
  std::uint64_t least_bytes = 0;
  /// Bytes that its kernels and the copies between them did move.
  std::uint64_t moved_bytes = 0;
};

struct ReportOptions {
  bool assembly = false; ///< of each kernel: takes as long as compiling it
};

struct Report {
  std::vector<RegionReport> regions; ///< in the order in which they were first met
};

// ---- the JIT's interface -----------------------------------------------------------------------

/// The JIT as the evaluator's accelerator.
class HotSwap : public Accelerator {
public:
  /// From the next offer on.  Versions that were compiled for other options are dropped.
  virtual void configure(const SwapOptions& options) = 0;
  /// Returns when nothing is waiting to be compiled, or when there is an interruption.
  virtual void wait() = 0;
  /// Whether something is being compiled, so that its end would have to wait.
  virtual bool is_busy() = 0;
  virtual Report report(const ReportOptions& options = {}) const = 0;
  /// Forgets what reports show; compiled code stays.
  virtual void clear_report() = 0;
  /// Looks at marked expressions without running them.  Computes nothing of the program.
  virtual std::vector<MarkReport> examine(const MarkQuestion&) { return {}; }
  /// An entry point, cut into pieces; null: it cannot do that.  Lives no longer than the HotSwap.
  virtual std::unique_ptr<PieceProgram> in_pieces(const core::Function&) { return nullptr; }
  /// What the user should be told about how it works here by now, each once; usually nothing.
  virtual std::vector<std::string> remarks() const { return {}; }
};

/// The plugin's only entry, by this name.  Gives ownership; never throws: null with `error` set (to
/// a text that stays) if there is no JIT for this machine.
using MakeHotSwap = HotSwap* (*)(const SwapOptions* options, const SwapContext* context,
                                 const char** error);
inline constexpr const char* make_hot_swap_name = "sinter_make_hot_swap";

} // namespace sinter::jit
