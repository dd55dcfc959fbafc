// A kernel of a region in the versions that its places and its arguments ask for.
#pragma once

#include "jit/runtime/few_rows.h"
#include "jit/runtime/places.h"
#include "jit/runtime/plan.h"
#include "jit/runtime/short_rows.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinter::jit {

class WalkedKernel;

/// What a place makes of a kernel's function.
struct KernelAtPlace {
  PreparedKernel prepared;
  std::optional<std::string> refusal; ///< why the place does not take it, if so
};
/// By place.  What is prepared stays as it is.
std::vector<KernelAtPlace> forms_at_places(const ir::Function& function, const Places& places,
                                           const CompileOptions& options, bool is_prepared);
bool is_refused_everywhere(const std::vector<KernelAtPlace>& forms);

/// Compiles its function when it is first launched, once for each place and each pattern of
/// arguments that are row-major.  What a place refuses, or fails to compile, goes to the next one;
/// what all refuse is walked.  What a place prepared as several kernels is walked around those, and
/// so are, on the host, maps of few elements around what is inside (few_rows.h).  For rows that
/// turn out to be short there may be special code (short_rows.h). Thread-safe.
class VersionedKernel {
public:
  /// `span` tells where the kernel's work stands in the program.
  VersionedKernel(ir::Function function, Span span, std::vector<KernelAtPlace> forms,
                  const Places& places, const CompileOptions& options);
  ~VersionedKernel();

  Outcome launch(std::vector<Datum> arguments, const RunContext& context);
  /// As Kernel::repeat; of the kernel that was launched last, if its place is the one to choose.
  std::optional<Outcome> repeat(Repetition& repetition, const RunContext& context);
  /// As Kernel::stand; of the kernel that was launched last, if it is the one to launch again. Must
  /// not outlive this.
  std::unique_ptr<StandingLaunch> stand(const LaunchSlots& slots, const RunContext& context);
  /// Compiles for row-major arguments and the preferred place, unless that has been done, or is to
  /// be done late.
  void compile();
  /// Whether it is compiled when it is first launched, which may never be: another kernel does the
  /// same where little is to be done.
  bool is_late() const { return options_.is_late; }
  /// Brings what is compiled to the second tier, and all versions that are still to come.
  void promote();
  /// Makes code for short rows that launches have asked for.
  void make_wanted();
  /// As it was cut out.
  const ir::Function& function() const { return *function_; }
  /// As the place that it was launched at last has prepared it, or the preferred one.
  const ir::Function& prepared_function() const;
  Span span() const { return span_; }
  /// Why it is not compiled for any place, if so.
  std::optional<std::string> rejection() const;
  /// Why it is not compiled for some.
  std::vector<PlaceRefusal> refusals() const;
  /// Of the first version for the place that it was launched at last.
  KernelFacts facts() const;
  /// How many it was compiled in: one for each place and pattern of arguments that was met.
  std::size_t version_count() const;
  double compile_milliseconds() const;
  LaunchStatistics launches() const;
  /// The machine code of the version for row-major arguments; empty if it is walked.
  std::string assembly();
  /// What is walked: all of it, a place's glue between kernels, or what does some launches in
  /// another way.  The plan may have kernels of its own.
  struct Walked {
    const Plan* plan = nullptr;
    bool is_glue = false;
    bool is_alternative = false;    ///< of all that the kernel does, for some launches
    std::uint64_t runs = 0;         ///< each was counted as a launch
    std::uint64_t launches = 0;     ///< in those
    std::uint64_t copied_bytes = 0; ///< in those, by the host-level code
  };
  std::vector<Walked> walked() const;
  /// Whether it is nothing but glue between other kernels wherever it runs.
  bool is_glue_only() const;
  /// What the places' passes did.
  std::vector<PassRecord> passes() const;

private:
  struct AtPlace {
    /// Shared with what is still being compiled when nobody waits for it any more.
    std::shared_ptr<const ir::Function> function;
    std::vector<PassRecord> passes;
    std::optional<std::string> refusal;
    std::shared_ptr<WalkedKernel> glue; ///< if it was prepared as several kernels
  };
  struct Version {
    PlaceId place = 0;
    ir::ArrayLayouts layouts;
    std::shared_ptr<Kernel> kernel;
    bool fits(const std::vector<Datum>& arguments) const;
  };
  struct Interrupted {};
  class CountedLaunch;
  /// For short rows.
  struct SpecialVersion {
    ShortRows::Extents extents;
    double row_nanoseconds = 0;    ///< of the launch that it was met with first
    double making_nanoseconds = 0; ///< at least, as long as nobody has seen it
    ShortRowsTimes times;
    std::shared_ptr<WalkedKernel> kernel; ///< once it was planned
    double growth = 1;                    ///< how many times the general code it is
    bool is_wanted = false;               ///< its code is to be made, but by nobody who waits
    bool is_made = false;                 ///< launches need not wait for its code, or have waited
    bool is_impossible = false;           ///< it could not be made
  };

  /// The place of the next launch with these arguments; the host's if it is walked.
  PlaceId choose(const std::vector<Datum>& arguments, const RunContext& context) const;
  std::vector<PlaceId> possible_places() const; ///< with `mutex_` held
  /// The kernel that was launched last at that place, if it fits; else null.
  Kernel* latest(PlaceId place, const std::vector<Datum>& arguments) const;
  /// The version for that place, or for the next that does not refuse, and that pattern; compiled
  /// if there is none (null if there are enough).  Throws Interrupted.  Sets `place` to where it
  /// is.
  std::shared_ptr<Kernel> version(PlaceId& place, const ir::ArrayLayouts& layouts,
                                  const RunContext& context);
  /// Null if it fails, and then the place's refusal says why.
  std::shared_ptr<Kernel> compile_version(PlaceId place, const ir::ArrayLayouts& layouts,
                                          const RunContext& context);
  /// Makes scalars that are pending numbers, but those at the place of a kernel that takes them.
  void resolve(std::vector<Datum>& arguments, PlaceId place, const Kernel& kernel) const;
  /// Whether the host goes through the elements of this launch; then with what.
  bool goes_by_rows(PlaceId place, const std::vector<Datum>& arguments,
                    const RunContext& context) const;
  std::shared_ptr<WalkedKernel> by_rows();
  /// Whether there may be special code for the rows of this launch; then which rows.
  std::optional<ShortRows::Launch> short_rows(PlaceId place,
                                              const std::vector<Datum>& arguments) const;
  /// Special code, made if that is worth it; null if general code is the better one, or none can be
  /// made.  Throws Interrupted.
  std::shared_ptr<WalkedKernel> code_for(const ShortRows::Launch& rows,
                                         std::span<const Datum> arguments,
                                         const RunContext& context);
  /// Plans it; its code is made when it is launched.  With `mutex_` held.  Throws Interrupted.
  void specialise(SpecialVersion& version, const RunContext& context) const;
  bool is_worth_making(const SpecialVersion& version, std::int64_t rows, double times = 1) const;
  Outcome launch_short_rows(const ShortRows::Launch& rows, std::vector<Datum> arguments,
                            const RunContext& context);
  /// With code that any arguments may have.
  Outcome launch_general(PlaceId place, std::vector<Datum> arguments, const RunContext& context);
  Outcome launch(Kernel& kernel, PlaceId place, std::vector<Datum> arguments,
                 const RunContext& context);
  const AtPlace& current() const; ///< with `mutex_` held: what is told about

  /// With more patterns than this for a place, arguments are copied rather than code made.
  static constexpr std::size_t version_limit = 6;
  /// Of versions for short rows.
  static constexpr std::size_t special_limit = 4;

  std::shared_ptr<const ir::Function> function_;
  Span span_;
  Places places_;
  CompileOptions options_;
  std::optional<FewRows> few_rows_;
  std::optional<ShortRows> short_rows_;
  mutable std::mutex mutex_; ///< of all below
  std::vector<AtPlace> at_;
  std::shared_ptr<WalkedKernel> walked_;                  ///< if all refuse
  std::shared_ptr<WalkedKernel> by_rows_;                 ///< once it was wanted
  std::vector<std::unique_ptr<SpecialVersion>> specials_; ///< in the order in which rows were met
  std::vector<std::unique_ptr<const Version>> versions_;  ///< kept until the end
  double compile_milliseconds_ = 0;
  // Not of the mutex:
  std::vector<std::atomic<const Version*>> latest_; ///< by place
  std::atomic<PlaceId> last_place_;
  std::atomic<std::uint64_t> launches_{0}, nanoseconds_{0}, moved_bytes_{0};
  std::atomic<std::uint64_t> last_nanoseconds_{0}; ///< of the last launch that was timed
};

} // namespace sinter::jit
