#include "jit/swap/swapper.h"

#include "lang/values/elements.h"

#include <algorithm>
#include <cassert>

namespace sinter::jit {

namespace {

/// Regions that are kept; beyond that the least recently used one goes.
constexpr std::size_t most_regions = 1000;
/// A running operation is looked at about so often, in nanoseconds.
constexpr std::int64_t between_questions = 500'000;
/// Bytes that a copy handles in a nanosecond, about.
constexpr std::int64_t copied_per_nanosecond = 4;
/// What would be interpreted for so long, in nanoseconds, gets the second tier at once: even
/// compiled it runs for longer than that takes to be made.
constexpr std::int64_t surely_hot = 40 * compiling_cost;
/// What took longer is not evaluated again for the sake of an error's words; nanoseconds.
constexpr std::int64_t longest_repeated = 30'000'000'000;
/// An evaluation that is repeated may keep all inputs for as long as the first one took, or for so
/// long.
constexpr std::int64_t least_repeated = 1'000'000'000;

std::uint64_t elements_in(const Value& value) {
  switch (value.kind()) {
  case Value::Kind::Array: {
    std::uint64_t count = 1;
    for (std::int64_t extent : value.array()->leaves.front().extents)
      count *= static_cast<std::uint64_t>(extent);
    return count;
  }
  case Value::Kind::Record:
  case Value::Kind::Sum: {
    std::uint64_t count = 0;
    for (const Value& field : value.fields())
      count += elements_in(field);
    return count;
  }
  default:
    return 0;
  }
}

std::uint64_t elements_in(std::span<const Value> values) {
  std::uint64_t count = 0;
  for (const Value& value : values)
    count += elements_in(value);
  return count;
}

/// Whether layouts can describe the value: an accumulator has none.
bool has_layout(const Value& value) {
  switch (value.kind()) {
  case Value::Kind::Accumulator:
    return false;
  case Value::Kind::Record:
  case Value::Kind::Sum:
    return std::ranges::all_of(value.fields(), has_layout);
  case Value::Kind::Function:
    return std::ranges::all_of(value.function().captures, has_layout) &&
           std::ranges::all_of(value.function().arguments, has_layout);
  default:
    return true;
  }
}

Value moved_or_copied(Value& value, bool is_moved) {
  return is_moved ? std::move(value) : value;
}

/// Calls `visit(value, type)` for each value that code in a frame reads.
template <typename Place, typename Visit>
void visit_frame(const FrameInputs& inputs, const Place& place, Visit&& visit) {
  for (std::size_t i = 0; i < inputs.slots.size(); ++i)
    visit(place.slots[inputs.slots[i]], inputs.slot_types[i]);
  for (std::size_t i = 0; i < inputs.captures.size(); ++i)
    visit(place.captures[inputs.captures[i]], inputs.capture_types[i]);
}

bool applies_to_each_element(primitives::ArrayOperation operation) {
  using enum primitives::ArrayOperation;
  return operation == Map || operation == Map2 || operation == Map3 || operation == Map4 ||
         operation == Map5;
}

} // namespace

Swapper::Swapper(const SwapOptions& options, SwapContext session, MakeExecutable make)
    : options_(options), session_(session), compiler_(std::move(session), std::move(make)),
      random_(static_cast<std::minstd_rand::result_type>(options.seed)), queue_(compiler_) {}

Swapper::~Swapper() {
  compiler_.stop();
}

void Swapper::configure(const SwapOptions& options) {
  // (What was kept for reports does no harm when it is no longer asked for.)
  if (options.floats != options_.floats || options.keep_ir > options_.keep_ir ||
      options.verify != options_.verify || options.tier != options_.tier) {
    profile_.for_each([](Site& site) { site.regions.clear(); });
    region_count_ = 0;
  }
  if (options.seed != options_.seed)
    random_.seed(static_cast<std::minstd_rand::result_type>(options.seed));
  options_ = options;
}

void Swapper::wait() {
  queue_.wait(session_.interrupt);
}

void Swapper::begin_evaluation() {
  epoch_ = session_.interrupt ? session_.interrupt->epoch() : 0;
  must_take_ = false;
  is_repeated_ = false;
  ++attempt_;
  failed_site_ = nullptr;
  began_ = now_in_nanoseconds();
  ++evaluation_;
  if (profile_.size() > Profile::most_sites)
    profile_.forget([&](const Site& site) { region_count_ -= site.regions.size(); });
}

void Swapper::repeat_evaluation() {
  epoch_ = session_.interrupt ? session_.interrupt->epoch() : 0;
  must_take_ = false;
  is_repeated_ = true;
  ++attempt_;
  const std::int64_t now = now_in_nanoseconds();
  keeps_until_ = now + std::max(now - began_, least_repeated);
}

Mode Swapper::mode() const {
  if (interpret_depth_ > 0) return Mode::Interpret;
  return accelerate_depth_ > 0 ? Mode::Jit : options_.mode;
}

void Swapper::enter(const syntax::Attribute& attribute) {
  if (attribute.name == "interpret") ++interpret_depth_;
  if (attribute.name == "accelerate") ++accelerate_depth_;
  if (attribute.name == "unsafe") ++unsafe_depth_;
}

void Swapper::leave(const syntax::Attribute& attribute) noexcept {
  if (attribute.name == "interpret") --interpret_depth_;
  if (attribute.name == "accelerate") --accelerate_depth_;
  if (attribute.name == "unsafe") --unsafe_depth_;
}

// ---- regions -----------------------------------------------------------------------------------

std::shared_ptr<Region> Swapper::region_for(const Offer& offer, bool is_urgent) {
  Site& site = offer.site;
  // What failed is evaluated again to word the error: to offer the rest of it again is no use.
  if (site.failed_in == evaluation_ && evaluation_ > 0) return nullptr;
  if (site.offers_to_skip > 0) {
    --site.offers_to_skip;
    return nullptr;
  }
  const bool may_make = mode() != Mode::Auto || is_urgent || site.is_hot();
  if (!may_make && site.regions.empty()) return nullptr;
  RegionKey key{offer.target(), offer.layouts(), unsafe_depth_ > 0};
  std::shared_ptr<Region> region;
  for (const std::shared_ptr<Region>& known : site.regions)
    if (known->key == key) region = known;
  if (!region) {
    if (!may_make) return nullptr;
    evict_if_full();
    std::string why = reason_to_compile(site, key, is_urgent);
    region = std::make_shared<Region>(std::move(key), site.name, site.span, std::move(why));
    site.regions.push_back(region);
    ++region_count_;
    compile(region);
  } else if (is_outdated(*region)) {
    region = renewed(site, region);
    compile(region);
  }
  while (region->state() == Region::State::Stalled) {
    compute(region->wanted());
    region = renewed(site, region);
    compile(region);
  }
  switch (region->state()) {
  case Region::State::Compiled:
    promote_if_worth_it(region, offer);
    return region;
  case Region::State::Waiting:
  case Region::State::Stalled: // since a moment ago, in the background: the next offer sees to it
    return nullptr;
  case Region::State::Rejected:
    // To find that out again for every offer would cost more than it is worth.
    site.skipped_last = std::min<std::uint32_t>(site.skipped_last * 2 + 1, 1023);
    // (Where everything is to be compiled, a site gets some chances with other inputs.)
    if (mode() == Mode::Auto || site.skipped_last > 15) site.offers_to_skip = site.skipped_last;
    return nullptr;
  }
  __builtin_unreachable();
}

void Swapper::compile(const std::shared_ptr<Region>& region) {
  if (mode() == Mode::Auto)
    queue_.add(region, options_);
  else
    wait_for([&compiler = compiler_, region, options = options_](const std::byte* stack_limit) {
      compiler.compile(*region, options, stack_limit);
    });
}

void Swapper::promote_if_worth_it(const std::shared_ptr<Region>& region, const Offer& offer) {
  if (!region->compiled().may_be_promoted || region->is_promoted) return;
  const bool is_mixed = mode() == Mode::Mixed;
  const bool is_hot =
      is_mixed ? chance(4) : region->run_nanoseconds >= compiling_cost || offer.rest >= surely_hot;
  if (!is_hot) return;
  region->is_promoted = true;
  if (is_mixed)
    wait_for([&compiler = compiler_, region](const std::byte*) { compiler.promote(*region); });
  else
    queue_.promote(region);
}

void Swapper::wait_for(CompileThreads::Work work) {
  if (!compile_threads_.run(std::move(work), session_.interrupt, epoch_))
    throw interruption(session_.interrupt->reason());
}

void Swapper::evict_if_full() {
  if (region_count_ < most_regions) return;
  Site* oldest_site = nullptr;
  std::shared_ptr<Region> oldest;
  profile_.for_each([&](Site& site) {
    for (const std::shared_ptr<Region>& region : site.regions)
      if (region->state() != Region::State::Waiting &&
          (!oldest || region->last_used < oldest->last_used)) {
        oldest_site = &site;
        oldest = region;
      }
  });
  if (!oldest) return;
  std::erase(oldest_site->regions, oldest);
  ++oldest_site->evicted;
  --region_count_;
}

bool Swapper::is_worth_launching(const Offer& offer, const Region& region) const {
  if (mode() != Mode::Auto) return true;
  const std::int64_t interpreted = offer.site.interpreted_time(offer.work);
  if (interpreted < 0) return true; // nothing is known yet
  std::int64_t compiled = launching_cost;
  if (region.runs > 4 && region.run_work > 0)
    compiled += static_cast<std::int64_t>(static_cast<double>(region.run_nanoseconds) *
                                          static_cast<double>(offer.work) /
                                          static_cast<double>(region.run_work));
  return interpreted >= compiled;
}

std::optional<Value> Swapper::take(const Offer& offer, bool is_urgent, std::int64_t* fails_at) {
  if (std::exchange(offer.site.attempt, attempt_) != attempt_) offer.site.offers = 0;
  ++offer.site.offers;
  while (true) {
    const std::shared_ptr<Region> region = region_for(offer, is_urgent);
    if (!region || !(is_urgent || is_worth_launching(offer, *region))) return std::nullopt;
    bool is_outdated = false;
    std::optional<Value> result = run_region(*region, offer, fails_at, is_outdated);
    if (result || !is_outdated) return result;
  }
}

std::optional<Value> Swapper::run_region(Region& region, const Offer& offer, std::int64_t* fails_at,
                                         bool& is_outdated) {
  const CompiledRegion& compiled = region.compiled();
  const bool keeps = keeps_inputs(region, offer.site);
  RunContext context;
  context.memory = session_.memory;
  context.interrupt = session_.interrupt;
  context.epoch = epoch_;
  context.threads = options_.threads;
  context.compile_threads = &compile_threads_;
  region.last_used = ++runs_;
  RegionOutcome outcome = run(region, offer.take(!keeps), session_, context);
  if (auto* value = std::get_if<Value>(&outcome)) return std::move(*value);
  const Stopped& stopped = std::get<Stopped>(outcome);
  switch (stopped.why) {
  case Stopped::Why::Interrupted:
    throw interruption(session_.interrupt->reason());
  case Stopped::Why::OutOfMemory:
    if (keeps) return std::nullopt;
    throw RuntimeError(FailureKind::OutOfMemory, "out of memory");
  case Stopped::Why::Failed:
    break;
  }
  const ir::FailureSite& site = compiled.executable->function().failures[stopped.site];
  if (site.kind == FailureKind::Deferred) {
    is_outdated = compute_awaited(compiled, site);
    if (is_outdated) return std::nullopt;
  }
  if (fails_at && stopped.first_index) *fails_at = *stopped.first_index;
  if (keeps) {
    offer.site.failed_in = evaluation_;
    return std::nullopt;
  }
  failed_site_ = &offer.site;
  failed_offer_ = offer.site.offers;
  throw failure_of(region, site);
}

bool Swapper::keeps_inputs(const Region& region, const Site& site) const {
  // What may fail is evaluated again by the interpreter, which words the error: from inputs that
  // are kept, which then cannot be overwritten.  Where copying them would take longer than the work
  // itself, they are given away; if a check fails then, all is evaluated again.
  const CompiledRegion& compiled = region.compiled();
  if (!compiled.may_fail || !compiled.consumes || compiled.asks_evaluator || region.runs == 0)
    return compiled.may_fail;
  // A repeated evaluation most likely fails at the same offer: there it keeps them in any case.
  if (is_repeated_ && (now_in_nanoseconds() < keeps_until_ ||
                       (&site == failed_site_ && site.offers >= failed_offer_)))
    return true;
  const std::int64_t copying =
      static_cast<std::int64_t>(region.least_bytes / region.runs) / (copied_per_nanosecond * 2);
  return copying <= region.run_nanoseconds / static_cast<std::int64_t>(region.runs) / 4;
}

RuntimeError Swapper::failure_of(const Region& region, const ir::FailureSite& site) const {
  RuntimeError error(site.kind, site.message, site.span);
  if (!site.id.empty()) error.id = site.id;
  error.frames = site.frames;
  error.lacks_callers = true;
  // The outermost frame is the target's: as the evaluator sees it, a part of the one around it, or
  // (a call) the one that it has entered already.
  if (!error.frames.empty() && !std::holds_alternative<OperationTarget>(region.key.target))
    error.frames.back().function = {};
  error.is_provisional = !is_repeated_ && now_in_nanoseconds() - began_ <= longest_repeated;
  return error;
}

// ---- calls -------------------------------------------------------------------------------------

std::optional<Value> Swapper::call(const core::Function& function, std::span<const Value> captures,
                                   std::span<Value> arguments, Watch& watch) {
  if (mode() == Mode::Interpret || !work_.has_work(function)) return std::nullopt;
  Site& site = met({SiteKey::Kind::Function, &function});
  if (site.name.empty()) {
    site.name = "function " + function.name;
    site.span = site.source = function.span;
    // From the name to the end of the body.
    const Span body = function.body->span;
    if (body.file.index == site.span.file.index && body.begin > site.span.begin)
      site.source.end = std::max(site.source.end, body.end);
  }
  const std::uint64_t work = elements_in(captures) + elements_in(arguments);
  const bool is_offered = mode() != Mode::Mixed || chance(2);
  if (is_offered && std::ranges::all_of(captures, has_layout) &&
      std::ranges::all_of(arguments, has_layout)) {
    Offer offer{site, work, {}, {}, {}};
    offer.layouts = [&] {
      std::vector<Layout> layouts;
      for (std::size_t i = 0; i < captures.size(); ++i)
        layouts.push_back(
            layout_of(captures[i], function.capture_types[i], *session_.representations));
      for (std::size_t i = 0; i < arguments.size(); ++i)
        layouts.push_back(
            layout_of(arguments[i], function.parameters[i]->type, *session_.representations));
      return layouts;
    };
    offer.take = [&](bool is_moved) {
      std::vector<Value> inputs(captures.begin(), captures.end());
      for (Value& value : arguments)
        inputs.push_back(moved_or_copied(value, is_moved));
      return inputs;
    };
    offer.target = [&]() -> Target {
      return CallTarget{&function, static_cast<std::uint32_t>(captures.size())};
    };
    if (std::optional<Value> result = take(offer, false)) return result;
  }
  watch.site = &site;
  watch.work = work;
  watch.began = now_in_nanoseconds();
  return std::nullopt;
}

void Swapper::interpreted(const Watch& watch) noexcept {
  Site& site = *static_cast<Site*>(watch.site);
  ++site.runs;
  site.nanoseconds += now_in_nanoseconds() - watch.began;
  site.work += watch.work;
}

// ---- array operations --------------------------------------------------------------------------

Site& Swapper::site_of(primitives::ArrayOperation operation, const eval::Site<Concrete>& site) {
  Site& found = met({SiteKey::Kind::Operation, site.place()});
  if (found.name.empty()) {
    found.name = name(operation);
    found.span = site.span();
    found.is_operation = true;
  }
  return found;
}

std::vector<Layout> Swapper::operation_layouts(const eval::Site<Concrete>& site,
                                               std::span<const Value> arguments) {
  std::vector<Layout> layouts;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    layouts.push_back(layout_of(arguments[i], site.argument_type(i), *session_.representations));
  Layout extent;
  extent.kind = Layout::Kind::Scalar;
  extent.scalar = ElementType::I64;
  layouts.resize(layouts.size() + std::ranges::count(site.named_extents(), true), extent);
  return layouts;
}

std::optional<Value> Swapper::array_operation(primitives::ArrayOperation operation,
                                              eval::Site<Concrete>& site,
                                              std::span<Value> arguments, Watch& watch) {
  if (mode() == Mode::Interpret) return std::nullopt;
  Site& profiled = site_of(operation, site);
  const std::uint64_t work = elements_in(arguments);
  const bool is_urgent = std::exchange(must_take_, false);
  const bool is_offered = mode() != Mode::Mixed || is_urgent || chance(2);
  if (is_offered && std::ranges::all_of(arguments, has_layout)) {
    Offer offer{profiled, work, {}, {}, {}};
    offer.layouts = [&] { return operation_layouts(site, arguments); };
    offer.take = [&](bool is_moved) {
      std::vector<Value> inputs;
      // Extents first: to evaluate them may need what the arguments share.
      const std::vector<std::optional<Scalar>> extents = site.extents();
      for (Value& value : arguments)
        inputs.push_back(moved_or_copied(value, is_moved));
      for (const std::optional<Scalar>& extent : extents)
        if (extent) inputs.push_back(*extent);
      return inputs;
    };
    offer.target = [&]() -> Target { return operation_target(operation, site, arguments.size()); };
    if (std::optional<Value> result =
            take(offer, is_urgent, applies_to_each_element(operation) ? &watch.fails_at : nullptr))
      return result;
  }
  watch.site = &profiled;
  watch.work = work;
  watch.began = profiled.began = now_in_nanoseconds();
  if (mode() == Mode::Auto) watch.ask_at = 16;
  if (mode() == Mode::Mixed && chance(2))
    watch.ask_at = static_cast<std::int64_t>(1 + random_() % 4);
  return std::nullopt;
}

std::int64_t Swapper::rest_from(primitives::ArrayOperation operation, eval::Site<Concrete>& site,
                                std::span<const Value> arguments, std::int64_t done,
                                std::int64_t count) {
  if (mode() != Mode::Auto) {
    must_take_ = mode() == Mode::Mixed;
    return must_take_ ? done : Watch::never;
  }
  Site& profiled = site_of(operation, site);
  if (profiled.began == 0) profiled.began = now_in_nanoseconds(); // it began before we were there
  const std::int64_t elapsed = std::max<std::int64_t>(now_in_nanoseconds() - profiled.began, 1);
  const double each = static_cast<double>(elapsed) / static_cast<double>(done);
  const double rest = each * static_cast<double>(count - done);
  const std::int64_t ask_again =
      done + std::clamp<std::int64_t>(static_cast<std::int64_t>(between_questions / each), 1,
                                      std::max<std::int64_t>(done, 16));
  if (rest < static_cast<double>(compiling_cost) && profiled.regions.empty()) return ask_again;
  if (rest < static_cast<double>(4 * launching_cost)) return Watch::never;
  if (!std::ranges::all_of(arguments, has_layout)) return Watch::never;
  Offer offer{profiled, 0, {}, {}, {}};
  offer.layouts = [&] { return operation_layouts(site, arguments); };
  offer.target = [&]() -> Target { return operation_target(operation, site, arguments.size()); };
  offer.rest = static_cast<std::int64_t>(rest);
  if (region_for(offer, true)) {
    must_take_ = true;
    return done;
  }
  return profiled.offers_to_skip > 0 ? Watch::never : ask_again;
}

// ---- loops -------------------------------------------------------------------------------------

std::optional<Value> Swapper::loop(const eval::LoopPlace<Concrete>& place, Value& state,
                                   Scalar next, Scalar bound, const Value* elements,
                                   std::int64_t iterations) {
  if (mode() == Mode::Interpret) return std::nullopt;
  Site& site = met({SiteKey::Kind::Loop, place.loop});
  if (site.name.empty()) {
    site.name = "loop";
    site.span = place.loop->span;
  }
  const core::Loop& node = std::get<core::Loop>(place.loop->node);
  const auto* count_up = std::get_if<core::ForLess>(&node.form);
  bool is_urgent = false;
  double rest = 0;
  switch (mode()) {
  case Mode::Interpret:
    return std::nullopt;
  case Mode::Jit:
    if (iterations > 0) return std::nullopt; // it was rejected at its beginning
    break;
  case Mode::Mixed:
    if (!chance(3)) return std::nullopt;
    break;
  case Mode::Auto: {
    const std::int64_t now = now_in_nanoseconds();
    if (iterations == 0) {
      site.began = now;
      ++site.runs;
      if (site.regions.empty()) return std::nullopt;
      break;
    }
    if (site.began == 0) site.began = now; // it began before we were there
    const std::int64_t elapsed = now - site.began;
    site.longest = std::max(site.longest, elapsed);
    rest = static_cast<double>(elapsed); // of a while: as long again
    if (count_up || elements)
      rest *= static_cast<double>(bound.as<std::int64_t>() - next.as<std::int64_t>()) /
              static_cast<double>(iterations);
    if (rest < static_cast<double>(compiling_cost) && site.regions.empty()) return std::nullopt;
    if (rest < static_cast<double>(4 * launching_cost)) return std::nullopt;
    is_urgent = true;
    break;
  }
  }

  auto [known, is_new] = loop_inputs_.try_emplace(place.loop);
  if (is_new) known->second = loop_inputs(*place.loop);
  const FrameInputs& loop = known->second;
  auto for_each_input = [&](auto&& visit) { visit_frame(loop, place, visit); };
  bool is_possible = has_layout(state) && !(elements && !has_layout(*elements));
  for_each_input([&](const Value& value, const Representation*) {
    is_possible = is_possible && has_layout(value);
  });
  if (!is_possible) return std::nullopt;

  Offer offer{site, elements_in(state), {}, {}, {}};
  offer.rest = static_cast<std::int64_t>(rest);
  offer.layouts = [&] {
    std::vector<Layout> layouts;
    auto add = [&](const Value& value, const Representation* type) {
      layouts.push_back(layout_of(value, type, *session_.representations));
    };
    for_each_input(add);
    add(state, node.pattern->type);
    if (count_up) {
      Layout number;
      number.kind = Layout::Kind::Scalar;
      number.scalar = count_up->type;
      layouts.resize(layouts.size() + 2, number);
    }
    if (elements) add(*elements, std::get<core::ForIn>(node.form).array->type);
    return layouts;
  };
  offer.take = [&](bool is_moved) {
    std::vector<Value> inputs;
    for_each_input([&](const Value& value, const Representation*) { inputs.push_back(value); });
    inputs.push_back(moved_or_copied(state, is_moved));
    if (count_up) {
      inputs.emplace_back(next);
      inputs.emplace_back(bound);
    }
    if (elements) {
      const std::int64_t begin = next.as<std::int64_t>();
      inputs.emplace_back(
          slice_view(elements->array(), 0, begin, bound.as<std::int64_t>() - begin, 1));
    }
    return inputs;
  };
  offer.target = [&]() -> Target {
    return LoopTarget{place.loop, static_cast<std::uint32_t>(place.slots.size()), loop.slots,
                      loop.captures};
  };
  return take(offer, is_urgent);
}

// ---- expressions ------------------------------------------------------------------------------

std::optional<Value> Swapper::expression(const eval::ExpressionPlace<Concrete>& place, Watch&) {
  // What runs once never gets hot.
  if (mode() == Mode::Interpret || mode() == Mode::Auto) return std::nullopt;
  if (mode() == Mode::Mixed && chance(2)) return std::nullopt;
  if (accelerate_depth_ == 0 && !work_.has_work(*place.expr)) return std::nullopt;
  const FrameInputs inputs = expression_inputs(*place.expr);
  auto for_each_input = [&](auto&& visit) { visit_frame(inputs, place, visit); };
  bool is_possible = true;
  for_each_input([&](const Value& value, const Representation*) {
    is_possible = is_possible && has_layout(value);
  });
  if (!is_possible) return std::nullopt;
  Site& site = met({SiteKey::Kind::Expression, place.expr});
  if (site.name.empty()) {
    site.name = "expression";
    site.span = place.expr->span;
  }
  Offer offer{site, 0, {}, {}, {}};
  offer.layouts = [&] {
    std::vector<Layout> layouts;
    for_each_input([&](const Value& value, const Representation* type) {
      layouts.push_back(layout_of(value, type, *session_.representations));
    });
    return layouts;
  };
  offer.take = [&](bool) {
    std::vector<Value> values;
    for_each_input([&](const Value& value, const Representation*) { values.push_back(value); });
    return values;
  };
  offer.target = [&]() -> Target {
    return ExpressionTarget{place.expr, static_cast<std::uint32_t>(place.slots.size()),
                            inputs.slots, inputs.captures};
  };
  std::optional<Value> result = take(offer, true);
  if (!result && accelerate_depth_ > 0)
    for (const std::shared_ptr<Region>& region : site.regions)
      if (region->state() == Region::State::Rejected)
        throw RuntimeError(
            FailureKind::Unsupported, "this cannot be accelerated: " + region->rejection().reason,
            region->rejection().span.is_known() ? region->rejection().span : site.span);
  return result;
}

} // namespace sinter::jit
