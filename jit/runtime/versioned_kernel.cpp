#include "jit/runtime/versioned_kernel.h"

#include "jit/ir/verify.h"
#include "jit/ir/walk.h"
#include "jit/passes/pipeline.h"
#include "jit/runtime/compile_threads.h"
#include "jit/runtime/leaf_operations.h"
#include "jit/runtime/walked_kernel.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace sinter::jit {

namespace {

std::uint64_t bytes_of(const std::vector<Datum>& data) {
  std::uint64_t sum = 0;
  for (const Datum& datum : data)
    if (const auto* leaf = std::get_if<Leaf>(&datum)) sum += content_bytes(*leaf);
  return sum;
}

bool is_one_statement(const ir::Function& function) {
  return function.body.statements.size() == 1 &&
         !std::holds_alternative<ir::If>(function.body.statements[0].operation);
}

} // namespace

std::vector<KernelAtPlace> forms_at_places(const ir::Function& function, const Places& places,
                                           const CompileOptions& options, bool is_prepared) {
  std::vector<KernelAtPlace> forms;
  for (PlaceId place = 0; place < places.size(); ++place) {
    KernelAtPlace& form = forms.emplace_back();
    if (is_prepared)
      form.prepared.function = function;
    else
      form.prepared = places[place].prepare(function, options);
    assert(form.prepared.function.body.parameters.size() == function.body.parameters.size());
    // (Of several kernels each is asked about when it is planned.)
    if (is_one_statement(form.prepared.function))
      form.refusal = places[place].rejects(form.prepared.function);
  }
  return forms;
}

bool is_refused_everywhere(const std::vector<KernelAtPlace>& forms) {
  return std::ranges::all_of(forms,
                             [](const KernelAtPlace& form) { return form.refusal.has_value(); });
}

VersionedKernel::VersionedKernel(ir::Function function, Span span, std::vector<KernelAtPlace> forms,
                                 const Places& places, const CompileOptions& options)
    : function_(std::make_shared<const ir::Function>(std::move(function))), span_(span),
      places_(places), options_(options), few_rows_(FewRows::of(*function_)),
      short_rows_(options_.specialisation == Specialisation::Never ? std::nullopt
                                                                   : ShortRows::of(*function_)),
      latest_(places.size()), last_place_(places.host_id()) {
  for (PlaceId place = 0; place < places.size(); ++place) {
    KernelAtPlace& form = forms[place];
    AtPlace& at = at_.emplace_back();
    at.function = std::make_shared<const ir::Function>(std::move(form.prepared.function));
    at.passes = std::move(form.prepared.passes);
    at.refusal = std::move(form.refusal);
    if (!is_one_statement(*at.function))
      at.glue = std::make_shared<WalkedKernel>(*at.function, KernelPolicy::CompilePrepared,
                                               places_.from(place), options_);
  }
  const std::vector<PlaceId> possible = possible_places();
  if (possible.empty())
    walked_ =
        std::make_shared<WalkedKernel>(*function_, KernelPolicy::WalkOutermost, places_, options_);
  else
    last_place_ = possible.front();
}

VersionedKernel::~VersionedKernel() = default;

// ---- choosing ----------------------------------------------------------------------------------

std::vector<PlaceId> VersionedKernel::possible_places() const {
  std::vector<PlaceId> possible;
  for (PlaceId place = 0; place < at_.size(); ++place)
    if (!at_[place].refusal) possible.push_back(place);
  return possible;
}

PlaceId VersionedKernel::choose(const std::vector<Datum>& arguments,
                                const RunContext& context) const {
  if (places_.is_host_alone()) return places_.host_id();
  std::vector<PlaceId> possible;
  {
    const std::lock_guard lock(mutex_);
    possible = possible_places();
  }
  if (possible.empty()) return places_.host_id();
  std::vector<std::uint64_t> bytes_there(places_.size(), 0);
  for (const Datum& datum : arguments)
    if (const auto* leaf = std::get_if<Leaf>(&datum)) {
      const PlaceId holder = places_.holder(*leaf);
      bytes_there[holder] += content_bytes(*leaf);
      if (holder != places_.host_id() && leaf->buffer->is_here())
        bytes_there[places_.host_id()] += content_bytes(*leaf);
    }
  const PlaceId chosen = places_.chooser().choose({.possible = possible,
                                                   .bytes = bytes_of(arguments),
                                                   .bytes_there = bytes_there,
                                                   .launches = launches_,
                                                   .is_repeated = context.is_repeated});
  assert(std::ranges::find(possible, chosen) != possible.end());
  return chosen;
}

namespace {

ir::ArrayLayout layout_of(const Datum& argument) {
  const Leaf* const leaf = std::get_if<Leaf>(&argument);
  if (!leaf || is_row_major(*leaf)) return ir::ArrayLayout::Dense;
  return has_contiguous_rows(*leaf) ? ir::ArrayLayout::ContiguousRows : ir::ArrayLayout::Strided;
}

} // namespace

bool VersionedKernel::Version::fits(const std::vector<Datum>& arguments) const {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (layout_of(arguments[i]) != layouts[i]) return false;
  return true;
}

Kernel* VersionedKernel::latest(PlaceId place, const std::vector<Datum>& arguments) const {
  const Version* const version = latest_[place].load(std::memory_order_acquire);
  return version && version->fits(arguments) ? version->kernel.get() : nullptr;
}

// ---- compiling ---------------------------------------------------------------------------------

std::shared_ptr<Kernel> VersionedKernel::compile_version(PlaceId place,
                                                         const ir::ArrayLayouts& layouts,
                                                         const RunContext& context) {
  struct Job {
    Backend& backend;
    std::shared_ptr<const ir::Function> function;
    ir::ArrayLayouts layouts;
    CompileOptions options;
    std::shared_ptr<Kernel> kernel;
  };
  const auto job =
      std::make_shared<Job>(Job{places_[place], at_[place].function, layouts, options_, nullptr});
  const auto compile = [job](const std::byte*) {
    job->kernel = job->backend.compile(*job->function, job->layouts, job->options);
  };
  auto begin = std::chrono::steady_clock::now();
  try {
    if (!context.compile_threads)
      compile(nullptr);
    else if (!context.compile_threads->run(compile, context.interrupt, context.epoch))
      throw Interrupted();
  } catch (const std::runtime_error& error) {
    // Nothing is lost but speed: the reason is kept for whoever asks.
    at_[place].refusal = error.what();
    return nullptr;
  }
  compile_milliseconds_ +=
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  versions_.push_back(std::make_unique<const Version>(Version{place, layouts, job->kernel}));
  latest_[place].store(versions_.back().get(), std::memory_order_release);
  return job->kernel;
}

std::shared_ptr<Kernel> VersionedKernel::version(PlaceId& place, const ir::ArrayLayouts& layouts,
                                                 const RunContext& context) {
  std::lock_guard lock(mutex_);
  while (!walked_) {
    if (at_[place].refusal) {
      const std::vector<PlaceId> possible = possible_places();
      if (possible.empty()) {
        // (Compiling has failed, even for the host.)
        walked_ = std::make_shared<WalkedKernel>(*function_, KernelPolicy::WalkEverything, places_,
                                                 options_);
        break;
      }
      const auto next = std::ranges::upper_bound(possible, place);
      place = next == possible.end() ? possible.back() : *next;
    }
    if (at_[place].glue) return at_[place].glue;
    std::size_t count = 0;
    for (const auto& version : versions_) {
      if (version->place != place) continue;
      ++count;
      if (version->layouts != layouts) continue;
      latest_[place].store(version.get(), std::memory_order_release);
      return version->kernel;
    }
    if (count >= version_limit && layouts != ir::all_dense(layouts.size())) return nullptr;
    if (std::shared_ptr<Kernel> made = compile_version(place, layouts, context)) return made;
  }
  place = places_.host_id();
  return walked_;
}

void VersionedKernel::compile() {
  if (is_late()) return;
  PlaceId place = last_place_;
  std::shared_ptr<WalkedKernel> glue;
  {
    const std::lock_guard lock(mutex_);
    glue = at_[place].glue;
  }
  if (glue) return glue->compile();
  (void)version(place, ir::all_dense(function_->body.parameters.size()), RunContext{});
}

void VersionedKernel::promote() {
  std::vector<std::shared_ptr<Kernel>> kernels;
  {
    std::lock_guard lock(mutex_);
    options_.tier = 2;
    for (const auto& version : versions_)
      kernels.push_back(version->kernel);
    for (const AtPlace& at : at_)
      if (at.glue) kernels.push_back(at.glue);
    if (walked_) kernels.push_back(walked_);
    if (by_rows_) kernels.push_back(by_rows_);
    for (const std::unique_ptr<SpecialVersion>& special : specials_)
      if (special->kernel) kernels.push_back(special->kernel);
  }
  // Meanwhile the kernels are launched.
  for (const std::shared_ptr<Kernel>& kernel : kernels)
    kernel->promote();
}

// ---- launching ---------------------------------------------------------------------------------

void VersionedKernel::resolve(std::vector<Datum>& arguments, PlaceId place,
                              const Kernel& kernel) const {
  const bool is_host_level = place == places_.host_id() || at_[place].glue.get() == &kernel;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Leaf* const leaf = std::get_if<Leaf>(&arguments[i]);
    if (!leaf || !function_->type(function_->body.parameters[i]).is_scalar()) continue;
    const PlaceId holder = places_.holder(*leaf);
    if (holder == place && !is_host_level) continue;
    arguments[i] = places_[holder].load(*leaf, leaf->offset);
  }
}

bool VersionedKernel::goes_by_rows(PlaceId place, const std::vector<Datum>& arguments,
                                   const RunContext& context) const {
  return few_rows_ && place == places_.host_id() &&
         few_rows_->applies(arguments, places_[place].thread_limit(context), options_.least_inside);
}

std::shared_ptr<WalkedKernel> VersionedKernel::by_rows() {
  const std::lock_guard lock(mutex_);
  if (!by_rows_)
    by_rows_ = std::make_shared<WalkedKernel>(*function_, KernelPolicy::CompileInside,
                                              places_.from(places_.host_id()), options_);
  return by_rows_;
}

std::optional<ShortRows::Launch>
VersionedKernel::short_rows(PlaceId place, const std::vector<Datum>& arguments) const {
  if (!short_rows_ || place != places_.host_id()) return std::nullopt;
  const bool is_at_once = options_.specialisation == Specialisation::AtOnce;
  return short_rows_->met(arguments, is_at_once ? 1 : ShortRows::least_rows);
}

void VersionedKernel::specialise(SpecialVersion& version, const RunContext& context) const {
  struct Job {
    std::shared_ptr<const ir::Function> function;
    ShortRows rows;
    ShortRows::Extents extents;
    Places places;
    CompileOptions options;
    std::shared_ptr<WalkedKernel> kernel;
    double growth = 1;
  };
  const auto job =
      std::make_shared<Job>(Job{at_[places_.host_id()].function, *short_rows_, version.extents,
                                places_.from(places_.host_id()), options_, nullptr});
  job->options.specialisation = Specialisation::Never;
  const auto make = [job](const std::byte*) {
    ir::Function function = job->rows.specialised(*job->function, job->extents);
    PassOptions passes = job->options.passes;
    passes.passes = ShortRows::passes();
    // (As in prepared_by: the kernel alone does not know which sizes are equal.)
    if (passes.verify && ir::verify(function)) passes.verify = false;
    (void)optimise(function, passes);
    job->growth = static_cast<double>(ir::statement_count(function.body)) /
                  static_cast<double>(ir::statement_count(job->function->body));
    job->kernel =
        std::make_shared<WalkedKernel>(function, KernelPolicy::Compile, job->places, job->options);
  };
  if (!context.compile_threads)
    make(nullptr);
  else if (!context.compile_threads->run(make, context.interrupt, context.epoch))
    throw Interrupted();
  version.kernel = job->kernel;
  version.growth = job->growth;
}

std::shared_ptr<WalkedKernel> VersionedKernel::code_for(const ShortRows::Launch& rows,
                                                        std::span<const Datum> arguments,
                                                        const RunContext& context) {
  const std::lock_guard lock(mutex_);
  if (walked_ || at_[places_.host_id()].glue) return nullptr;
  auto special = std::ranges::find(specials_, rows.extents,
                                   [](const auto& version) { return version->extents; });
  if (special == specials_.end()) {
    if (specials_.size() == special_limit) return nullptr;
    specials_.push_back(std::make_unique<SpecialVersion>());
    special = specials_.end() - 1;
    (*special)->extents = rows.extents;
    (*special)->row_nanoseconds = row_nanoseconds(*function_, arguments);
    (*special)->making_nanoseconds = least_making_nanoseconds(*function_);
  }
  SpecialVersion& version = **special;
  if (version.is_impossible || !is_worth_making(version, rows.rows)) return nullptr;
  // (A run that goes on for very long without it does better to wait.)
  constexpr double very_long = 8;
  if (!version.is_made && context.wants_code && !is_worth_making(version, rows.rows, very_long)) {
    if (!std::exchange(version.is_wanted, true))
      context.wants_code->store(true, std::memory_order_relaxed);
    return nullptr;
  }
  try {
    if (!version.kernel) specialise(version, context);
  } catch (const std::runtime_error&) {
    version.is_impossible = true; // nothing is lost but speed
  }
  if (version.is_impossible || !is_worth_making(version, rows.rows)) return nullptr;
  version.is_made = true;
  if (options_.specialisation == Specialisation::AtOnce ||
      version.times.choose(rows.rows) == ShortRowsTimes::Code::Special)
    return version.kernel;
  return nullptr;
}

/// (Whose code is how much longer than the general one, and so takes longer to make, is known when
/// it is planned.)
bool VersionedKernel::is_worth_making(const SpecialVersion& version, std::int64_t rows,
                                      double times) const {
  if (options_.specialisation == Specialisation::AtOnce) return true;
  if (versions_.empty()) // the general code is still to be made, too
    return version.times.is_worth_making(rows, version.row_nanoseconds, version.making_nanoseconds,
                                         times);
  const double general = compile_milliseconds_ * 1e6 / static_cast<double>(versions_.size());
  return version.times.is_worth_making(rows, version.row_nanoseconds,
                                       general * std::max(version.growth, 1.0), times);
}

void VersionedKernel::make_wanted() {
  std::vector<std::shared_ptr<WalkedKernel>> kernels;
  {
    const std::lock_guard lock(mutex_);
    for (const std::unique_ptr<SpecialVersion>& special : specials_) {
      if (!special->is_wanted) continue;
      try {
        if (!special->kernel) specialise(*special, RunContext{});
        if (is_worth_making(*special, 0)) kernels.push_back(special->kernel);
      } catch (const std::runtime_error&) {
        special->is_impossible = true;
      }
    }
  }
  // Meanwhile the general code is launched.
  for (const std::shared_ptr<WalkedKernel>& kernel : kernels)
    kernel->compile();
  const std::lock_guard lock(mutex_);
  for (const std::unique_ptr<SpecialVersion>& special : specials_)
    if (std::exchange(special->is_wanted, false))
      special->is_made = std::ranges::find(kernels, special->kernel) != kernels.end();
}

Outcome VersionedKernel::launch_short_rows(const ShortRows::Launch& rows,
                                           std::vector<Datum> arguments,
                                           const RunContext& context) {
  using Clock = std::chrono::steady_clock;
  std::shared_ptr<WalkedKernel> special;
  try {
    special = code_for(rows, arguments, context);
  } catch (const Interrupted&) {
    return Stopped{Stopped::Why::Interrupted, 0, {}};
  }
  const PlaceId host = places_.host_id();
  const Clock::time_point began = Clock::now();
  Outcome outcome = special ? launch(*special, host, std::move(arguments), context)
                            : launch_general(host, std::move(arguments), context);
  const std::chrono::duration<double, std::nano> elapsed = Clock::now() - began;
  if (std::holds_alternative<Stopped>(outcome)) return outcome;
  const std::lock_guard lock(mutex_);
  for (const std::unique_ptr<SpecialVersion>& version : specials_)
    if (version->extents == rows.extents)
      version->times.note(special ? ShortRowsTimes::Code::Special : ShortRowsTimes::Code::General,
                          rows.rows, elapsed.count());
  return outcome;
}

Outcome VersionedKernel::launch(std::vector<Datum> arguments, const RunContext& context) {
  const PlaceId place = choose(arguments, context);
  if (goes_by_rows(place, arguments, context))
    return launch(*by_rows(), place, std::move(arguments), context);
  if (const std::optional<ShortRows::Launch> rows = short_rows(place, arguments))
    return launch_short_rows(*rows, std::move(arguments), context);
  return launch_general(place, std::move(arguments), context);
}

Outcome VersionedKernel::launch_general(PlaceId place, std::vector<Datum> arguments,
                                        const RunContext& context) {
  if (Kernel* const known = latest(place, arguments))
    return launch(*known, place, std::move(arguments), context);
  ir::ArrayLayouts layouts;
  std::ranges::transform(arguments, std::back_inserter(layouts), layout_of);
  std::shared_ptr<Kernel> kernel;
  try {
    kernel = version(place, layouts, context);
    if (!kernel) {
      for (std::size_t i = 0; i < arguments.size(); ++i)
        if (layouts[i] != ir::ArrayLayout::Dense) {
          const Leaf& leaf = std::get<Leaf>(arguments[i]);
          arguments[i] = places_[places_.holder(leaf)].duplicate(leaf, context);
        }
      kernel = version(place, ir::all_dense(arguments.size()), context);
    }
  } catch (const Interrupted&) {
    return Stopped{Stopped::Why::Interrupted, 0, {}};
  }
  return launch(*kernel, place, std::move(arguments), context);
}

Outcome VersionedKernel::launch(Kernel& kernel, PlaceId place, std::vector<Datum> arguments,
                                const RunContext& context) {
  // (Looking at the clock takes as long as little work does: of short launches some are timed, and
  // stand for those after them.)
  constexpr std::uint64_t short_nanoseconds = 10'000, timed_every = 16;
  using Clock = std::chrono::steady_clock;
  if (places_.may_return_early()) {
    // Nobody reads what another place may fail to make.
    if (std::optional<Stopped> stopped = places_.finish(context, place)) return *stopped;
    resolve(arguments, place, kernel);
  }
  if (!places_.is_host_alone()) last_place_.store(place, std::memory_order_relaxed);
  std::uint64_t bytes = bytes_of(arguments);
  const std::uint64_t number = launches_.fetch_add(1, std::memory_order_relaxed);
  std::uint64_t elapsed = last_nanoseconds_.load(std::memory_order_relaxed);
  const bool is_timed = number % timed_every == 0 || elapsed >= short_nanoseconds;
  const Clock::time_point began = is_timed ? Clock::now() : Clock::time_point();
  Outcome outcome = kernel.launch(std::move(arguments), context);
  if (is_timed) {
    elapsed = static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - began).count());
    last_nanoseconds_.store(elapsed, std::memory_order_relaxed);
  }
  if (const auto* results = std::get_if<std::vector<Datum>>(&outcome)) bytes += bytes_of(*results);
  nanoseconds_.fetch_add(elapsed, std::memory_order_relaxed);
  moved_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  return outcome;
}

std::optional<Outcome> VersionedKernel::repeat(Repetition& repetition, const RunContext& context) {
  using Clock = std::chrono::steady_clock;
  const PlaceId place = choose(repetition.arguments, context);
  if (goes_by_rows(place, repetition.arguments, context)) return std::nullopt;
  Kernel* const kernel = latest(place, repetition.arguments);
  if (!kernel) return std::nullopt;
  if (std::optional<Stopped> stopped = places_.finish(context, place)) return *stopped;
  std::uint64_t bytes = bytes_of(repetition.arguments);
  const Clock::time_point began = Clock::now();
  std::optional<Outcome> outcome = kernel->repeat(repetition, context);
  if (!outcome) return std::nullopt;
  const std::chrono::nanoseconds elapsed = Clock::now() - began;
  nanoseconds_.fetch_add(static_cast<std::uint64_t>(elapsed.count()), std::memory_order_relaxed);
  if (const auto* results = std::get_if<std::vector<Datum>>(&*outcome)) bytes += bytes_of(*results);
  launches_.fetch_add(repetition.count, std::memory_order_relaxed);
  moved_bytes_.fetch_add(repetition.count * bytes, std::memory_order_relaxed);
  return outcome;
}

/// A standing launch that is counted among the kernel's.
class VersionedKernel::CountedLaunch final : public StandingLaunch {
public:
  CountedLaunch(VersionedKernel& kernel, std::unique_ptr<StandingLaunch> launch,
                const LaunchSlots& slots)
      : kernel_(kernel), launch_(std::move(launch)), slots_(slots) {
    for (const LaunchSlots::Argument& argument : slots_.arguments)
      if (argument.array) bytes_ += content_bytes(*argument.array);
  }
  ~CountedLaunch() override {
    kernel_.launches_.fetch_add(count_, std::memory_order_relaxed);
    kernel_.moved_bytes_.fetch_add(count_ * bytes_, std::memory_order_relaxed);
    kernel_.nanoseconds_.fetch_add(nanoseconds_, std::memory_order_relaxed);
  }
  LaunchParts* parts(unsigned threads) override { return launch_->parts(threads); }
  void note_runs(std::uint64_t count) override {
    count_ += count;
    nanoseconds_ += count * static_cast<std::uint64_t>(elapsed_);
  }
  bool run(const RunContext& context, std::optional<Stopped>& stopped) override {
    constexpr std::uint64_t timed_every = 64; // (as in `launch`, but these are all alike)
    const bool is_timed = count_ % timed_every == 0;
    const Clock::time_point began = is_timed ? Clock::now() : Clock::time_point();
    if (!launch_->run(context, stopped)) return false;
    if (is_timed) elapsed_ = std::chrono::nanoseconds(Clock::now() - began).count();
    nanoseconds_ += static_cast<std::uint64_t>(elapsed_);
    if (count_++ == 0 && !stopped)
      for (const LaunchSlots::Result& result : slots_.results)
        if (result.array) bytes_ += content_bytes(*result.array);
    return true;
  }

private:
  using Clock = std::chrono::steady_clock;

  VersionedKernel& kernel_;
  std::unique_ptr<StandingLaunch> launch_;
  const LaunchSlots slots_;
  std::uint64_t bytes_ = 0; ///< that one moves
  std::uint64_t count_ = 0, nanoseconds_ = 0;
  std::int64_t elapsed_ = 0; ///< of the last one that was timed
};

std::unique_ptr<StandingLaunch> VersionedKernel::stand(const LaunchSlots& slots,
                                                       const RunContext& context) {
  if (!places_.is_host_alone()) return nullptr;
  std::vector<Datum> arguments;
  for (const LaunchSlots::Argument& argument : slots.arguments)
    if (argument.array)
      arguments.emplace_back(*argument.array);
    else
      arguments.emplace_back(*argument.scalar);
  const PlaceId place = places_.host_id();
  if (goes_by_rows(place, arguments, context) || short_rows(place, arguments)) return nullptr;
  Kernel* const kernel = latest(place, arguments);
  if (!kernel) return nullptr;
  std::unique_ptr<StandingLaunch> launch = kernel->stand(slots, context);
  if (!launch) return nullptr;
  return std::make_unique<CountedLaunch>(*this, std::move(launch), slots);
}

// ---- telling -----------------------------------------------------------------------------------

const VersionedKernel::AtPlace& VersionedKernel::current() const {
  const PlaceId place = last_place_;
  if (!at_[place].refusal) return at_[place];
  const std::vector<PlaceId> possible = possible_places();
  return at_[possible.empty() ? places_.host_id() : possible.front()];
}

const ir::Function& VersionedKernel::prepared_function() const {
  std::lock_guard lock(mutex_);
  return *current().function;
}

std::optional<std::string> VersionedKernel::rejection() const {
  std::lock_guard lock(mutex_);
  return walked_ ? at_[places_.host_id()].refusal : std::nullopt;
}

std::vector<PlaceRefusal> VersionedKernel::refusals() const {
  std::lock_guard lock(mutex_);
  std::vector<PlaceRefusal> result;
  for (PlaceId place = 0; place < at_.size(); ++place)
    if (at_[place].refusal) result.push_back({places_[place].name(), *at_[place].refusal});
  return result;
}

KernelFacts VersionedKernel::facts() const {
  std::lock_guard lock(mutex_);
  if (walked_) return walked_->facts();
  const AtPlace& told = current();
  for (const auto& version : versions_) {
    if (&at_[version->place] != &told) continue;
    KernelFacts facts = version->kernel->facts();
    facts.place = places_[version->place].name();
    return facts;
  }
  return {};
}

std::size_t VersionedKernel::version_count() const {
  std::lock_guard lock(mutex_);
  return versions_.size();
}

double VersionedKernel::compile_milliseconds() const {
  std::lock_guard lock(mutex_);
  return compile_milliseconds_;
}

LaunchStatistics VersionedKernel::launches() const {
  return {launches_, static_cast<double>(nanoseconds_) * 1e-6, moved_bytes_};
}

std::string VersionedKernel::assembly() {
  PlaceId place = last_place_;
  return version(place, ir::all_dense(function_->body.parameters.size()), RunContext{})->assembly();
}

std::vector<VersionedKernel::Walked> VersionedKernel::walked() const {
  std::lock_guard lock(mutex_);
  if (walked_) return {walked_->walked(false)};
  std::vector<Walked> result;
  for (const AtPlace& at : at_)
    if (at.glue) result.push_back(at.glue->walked(true));
  const auto add_alternative = [&](const WalkedKernel& kernel) {
    result.push_back(kernel.walked(true));
    result.back().is_alternative = true;
  };
  if (by_rows_) add_alternative(*by_rows_);
  for (const std::unique_ptr<SpecialVersion>& special : specials_)
    if (special->kernel) add_alternative(*special->kernel);
  return result;
}

bool VersionedKernel::is_glue_only() const {
  std::lock_guard lock(mutex_);
  return !walked_ &&
         std::ranges::all_of(at_, [](const AtPlace& at) { return at.glue || at.refusal; });
}

std::vector<PassRecord> VersionedKernel::passes() const {
  std::lock_guard lock(mutex_);
  std::vector<PassRecord> result;
  for (const AtPlace& at : at_)
    result.insert(result.end(), at.passes.begin(), at.passes.end());
  return result;
}

} // namespace sinter::jit
