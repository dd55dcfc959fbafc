// What turns kernels into running code and keeps arrays for them: the CPU, and other machines.
//
// A kernel is an IR function of its own: its parameters are what a host-level statement reads, its
// body is that statement (a SOAC, or a loop that is worth compiling as a whole) and what was fused
// into it, its results are the statement's.  The host-level rest of a region is run by the
// executable (executable.h).
#pragma once

#include "jit/gate/device_choice.h"
#include "jit/gate/device_list.h"
#include "jit/gate/float_mode.h"
#include "jit/ir/array_layout.h"
#include "jit/ir/groups.h"
#include "jit/ir/ir.h"
#include "jit/passes/pass_options.h"
#include "jit/runtime/datum.h"
#include "jit/runtime/standing_launch.h"
#include "jit/runtime/work_meter.h"
#include "lang/base/interrupt.h"
#include "lang/base/runtime_error.h"
#include "lang/values/array.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace sinter::jit {

class CompileThreads;
class SpareBuffers;

/// What running code may use.
struct RunContext {
  MemoryBudget* memory = nullptr;
  InterruptSource* interrupt = nullptr; ///< may be null
  std::uint32_t epoch = 0;              ///< of `interrupt` when the evaluation began
  unsigned threads = 0;                 ///< 0: all cores
  /// Where kernels are compiled that a launch turns out to need; null: on the launching thread,
  /// which cannot be interrupted meanwhile.
  CompileThreads* compile_threads = nullptr;
  /// Within an iteration of a loop that has had others: one launch follows another.
  bool is_repeated = false;
  /// Whether threads share small launches, if the loop around them decides that (iterations.h).
  std::optional<WorkMeter::Way> way = {};
  /// Set where launches would go better with code that is not made yet, and may go on without;
  /// null: it is made then and there.  See Executable::make_wanted.
  std::atomic<bool>* wants_code = nullptr;
  /// What the launches of one run have in common, by which `finish` knows them.
  const void* run = nullptr;
  /// For launches that stand.
  SpareBuffers* spare = nullptr;
};

/// Why code stopped before its end.
struct Stopped {
  enum class Why : std::uint8_t {
    Failed,
    Interrupted,
    OutOfMemory,
    Declined, ///< something has no place in compiled code: the evaluator is to go on
  };
  Why why = Why::Failed;
  std::uint32_t site = 0;                  ///< of Failed: index into the function's failures
  std::optional<std::int64_t> first_index; ///< the least failing index of the outermost SOAC
  std::string words = {}; ///< of OutOfMemory: how much was wanted, and what the limit is
  Span span = {};         ///< of OutOfMemory: the expression that wanted it, if known

  static Stopped by(const RuntimeError& error) {
    const bool is_memory = error.kind == FailureKind::OutOfMemory;
    return {is_memory ? Why::OutOfMemory : Why::Declined, 0, {}, error.message, error.span};
  }
};
/// Results in the order of the function's results, or why there are none.  A place that returns
/// from launches early may give a scalar as an array without dimensions, whose element only that
/// place has by now: a *pending* scalar.  Its launches take such scalars as arguments.
using Outcome = std::variant<std::vector<Datum>, Stopped>;

/// Whether there is special code for rows that turn out to be short (short_rows.h).
enum class Specialisation : std::uint8_t { WherePaid, AtOnce, Never };

struct CompileOptions {
  FloatMode floats = FloatMode::Exact;
  unsigned tier = 2; ///< 1: fast to compile; 2: fast to run.  Both give the same bits
  /// Instead of the first tier's code, the second one's is taken if it lies ready.
  bool takes_better = false;
  unsigned lanes = 0;            ///< 0: what the machine and the types suggest; 1: scalar code
  std::int64_t least_inside = 0; ///< see few_rows.h
  /// Whatever may go by pieces does, of so many elements; 0: where it pays, as suits.
  std::int64_t piece = 0;
  bool is_late = false; ///< it is compiled when it is first launched, not before
  Specialisation specialisation = Specialisation::WherePaid;
  DeviceChoice device = {}; ///< for who chooses the places
  /// When it is asked to stop, kernels that are not compiled yet are left for their first launch.
  std::stop_token stop = {};
  PassOptions passes = {};   ///< of Backend::prepare
  bool is_plan_only = false; ///< nothing is to be compiled: it is only to be seen what would be
};

/// Facts about a kernel for explanations.
struct KernelFacts {
  ir::Skeleton skeleton = ir::Skeleton::Sequential;
  unsigned lanes = 1;
  unsigned tier = 2;               ///< of the code that launches run now
  double compile_milliseconds = 0; ///< in all tiers
  std::size_t code_bytes = 0;
  bool is_kept = false;   ///< for another process: the code lies on disk
  std::string place = {}; ///< its name
  std::string way = {};   ///< in which the place does such work, in a word; empty: it has one
  unsigned registers = 0; ///< of a thread, where the place tells
  std::size_t local_bytes = 0, shared_bytes = 0; ///< of a thread; of a block of threads
  std::uint64_t transferred_bytes = 0; ///< between the host and the place, for its launches so far
  std::uint64_t waits = 0;             ///< of the host, in those launches, for what the place does
  std::string why_waits = {}; ///< why each launch is waited for, in words; empty: it need not be
};

/// What launches did, summed up.
struct LaunchStatistics {
  std::uint64_t launches = 0;
  double milliseconds = 0;
  std::uint64_t moved_bytes = 0; ///< of arrays that were read and written, once each a launch
};

/// Launches that follow each other, each of which gets results of the one before.
struct Repetition {
  std::size_t count = 0;        ///< of launches
  std::vector<Datum> arguments; ///< of the first one
  /// By result (all are arrays): the argument that it is for the next launch, if it is one.
  std::vector<std::optional<std::uint32_t>> fed;
  std::vector<Scalar> scalars; ///< scalar arguments in order, launch by launch
};

/// A compiled kernel.  Thread-safe: may be launched from several threads at once.
class Kernel {
public:
  virtual ~Kernel() = default;
  /// Runs on arguments in the order of the function's parameters.  An argument that the function
  /// consumes is overwritten in place if the datum is its buffer's only owner, else copied first.
  virtual Outcome launch(std::vector<Datum> arguments, const RunContext& context) = 0;
  /// Results of the last one of several launches, if running them together is of use; else nothing,
  /// and the arguments stay.  Stops as the first launch that fails would.
  virtual std::optional<Outcome> repeat(Repetition&, const RunContext&) { return std::nullopt; }
  /// The launch with what the slots have now, ready to be done again and again as long as the
  /// kernel and the slots live; null if that is of no use.
  virtual std::unique_ptr<StandingLaunch> stand(const LaunchSlots&, const RunContext&) {
    return nullptr;
  }
  /// Compiles for the second tier, unless that has been done; launches, also those that are on
  /// their way, then go on with that code.  Throws std::runtime_error; the kernel stays as it is.
  virtual void promote() {}
  virtual KernelFacts facts() const = 0;
  /// For `:asm` and the like: the machine code as text.
  virtual std::string assembly() const = 0;
};

/// Why a place does not take a kernel.
struct PlaceRefusal {
  std::string place; ///< its name
  std::string why;
};

/// What a place makes of a kernel before it compiles it.
struct PreparedKernel {
  /// With the same parameters, results and failure sites.  One statement is one kernel; of several,
  /// the host walks what is not worth a kernel of the same place.
  ir::Function function;
  std::vector<PassRecord> passes = {}; ///< that ran
  bool is_changed = false;
};

/// A place where kernels run.  Its memory may be another one than the host's: then it overrides the
/// operations on memory.  Thread-safe.
class Backend {
public:
  virtual ~Backend() = default;
  /// The place's name, such as "cpu".
  virtual std::string name() const = 0;
  /// Runs the place's own passes.
  virtual PreparedKernel prepare(ir::Function kernel, const CompileOptions&) const {
    return {std::move(kernel)};
  }
  /// How many threads share the work of a launch, at most, as far as others may know.
  virtual unsigned thread_limit(const RunContext&) const { return 1; }
  /// Calls `body` on up to so many threads with their numbers, at the same time as far as they are
  /// free: the caller is number 0 and waits for the others; whoever comes late is called late.
  virtual void on_threads(unsigned, const std::function<void(unsigned)>& body) { body(0); }
  /// Whether the statement can be one kernel; if not, why not.
  virtual std::optional<std::string> rejects(const ir::Function& kernel) const = 0;
  /// Compiles, unless an equal function has been compiled in the same way and is still used.
  /// `layouts` are those that arguments will have, by parameter.  Thread-safe.  Throws
  /// std::runtime_error if code generation fails.
  virtual std::shared_ptr<Kernel> compile(const ir::Function& kernel, ir::ArrayLayouts layouts,
                                          const CompileOptions& options) = 0;
  /// Does beforehand what the first compilation with such options would have to do once, and what
  /// most do: for when there is time.  Thread-safe.
  virtual void warm_up(const CompileOptions&) {}
  /// What whoever runs programs should know of the place by now; empty if there is nothing.
  virtual std::string remark() const { return {}; }

  // ---- memory ----------------------------------------------------------------------------------
  //
  // What host-level code does to the contents of arrays.  These act on the host's memory; a place
  // with memory of its own acts there, on what Buffer::elsewhere says that it holds, and may return
  // before it is done.  All of them throw RuntimeError.

  /// Who keeps contents of buffers in this place's memory; null if that is the host's.
  virtual Elsewhere* memory() { return nullptr; }
  /// A row-major array with undefined contents, which this place is going to write.
  virtual Leaf allocate(MemoryBudget& memory, ElementType element, Extents extents);
  /// The element at that position of the buffer.  Waits for it.
  virtual Scalar load(const Leaf& array, std::int64_t position);
  /// Overwrites the element at that position of the buffer, whose only owner asks for it.
  virtual void store(const Leaf& array, std::int64_t position, Scalar value);
  /// Copies all elements, from whatever memory into an array that this place holds or allocated;
  /// extents and element types are equal, and the memory does not overlap.  Strides of the source
  /// may be 0: with those, one element fills an array.
  /// May end early where the evaluation was interrupted.
  virtual void copy(const Leaf& target, const Leaf& source, const RunContext& context);
  /// A fresh row-major array with the same elements.
  virtual Leaf duplicate(const Leaf& array, const RunContext& context);
  /// A fresh array, all of whose elements are the same.  As `copy`, it may end early.
  virtual Leaf fill(ElementType element, Extents extents, Scalar value, const RunContext& context);
  /// A fresh array of these elements.
  virtual Leaf list(ElementType element, Extents extents, std::span<const Scalar> elements,
                    const RunContext& context);

  // ---- launches that return early --------------------------------------------------------------

  /// Whether launches, and operations on memory, may return before they have ended.
  bool returns_early() const { return returns_early_; }
  /// Waits for all that the run has begun; why the first of its launches that failed did, once.
  /// What was launched after that one has no results that anybody may look at.
  std::optional<Stopped> finish(const RunContext& context) {
    if (!returns_early_) return std::nullopt;
    return wait(context);
  }

protected:
  explicit Backend(bool returns_early = false) : returns_early_(returns_early) {}
  virtual std::optional<Stopped> wait(const RunContext&) { return std::nullopt; }

private:
  bool returns_early_;
};

/// The machine that runs us.
std::unique_ptr<Backend> make_cpu_backend();
/// The device of that choice, which is one; `host` takes what the device has no room for, and
/// outlives it.  Throws std::runtime_error if there is no such device here.
std::unique_ptr<Backend> make_device_backend(const DeviceChoice& choice, Backend& host);
/// Those that can be chosen; never throws.
DeviceList describe_devices();

} // namespace sinter::jit
