#include "jit/swap/swapper.h"

#include "jit/gate/projection.h"
#include "jit/marks/objections.h"
#include "jit/reasons/reasons.h"
#include "jit/swap/report.h"

#include <algorithm>
#include <utility>

namespace sinter::jit {

namespace {

/// A running operation is looked at about so often, in nanoseconds.
constexpr std::int64_t between_questions = 500'000;
/// From so many elements on it is known what one takes; before, if they took so long.
constexpr std::int64_t enough_elements = 16, enough_time = 1'000'000;

bool applies_to_each_element(primitives::ArrayOperation operation) {
  using enum primitives::ArrayOperation;
  return operation == Map || operation == Map2 || operation == Map3 || operation == Map4 ||
         operation == Map5;
}

/// The next element at which an operation is looked at, of which each takes so long.
std::int64_t next_question(std::int64_t done, double each) {
  return done + std::clamp<std::int64_t>(static_cast<std::int64_t>(between_questions / each), 1,
                                         std::max<std::int64_t>(done, enough_elements));
}

} // namespace

Swapper::Swapper(const SwapOptions& options, SwapContext session, MakeExecutable make,
                 std::function<std::vector<std::string>()> remarks)
    : situation_(options, std::move(session)), remarks_(std::move(remarks)),
      compiler_(situation_.session, std::move(make)), sites_(situation_.evaluation),
      demand_by_precedent_(situation_.session.precedents), globals_(situation_),
      candidates_(situation_), compilations_(situation_, compiler_),
      regions_(situation_, sites_.profile(), compilations_, globals_, candidates_),
      runner_(situation_, regions_, compilations_, globals_),
      restarts_(situation_, sites_, forecaster_, candidates_, regions_) {}

void Swapper::configure(const SwapOptions& options) {
  const SwapOptions& before = situation_.options;
  SwapOptions asked = options;
  asked.keep_ir = options.keep_ir || before.keep_ir; // what was kept does no harm
  if (differ_in_code(before, asked)) regions_.clear();
  const bool has_other_seed = options.seed != before.seed;
  situation_.options = options;
  if (has_other_seed) situation_.reseed();
}

Report Swapper::report(const ReportOptions& options) const {
  return report_on(sites_.profile(), situation_, options);
}

void Swapper::clear_report() {
  jit::clear_report(sites_.profile());
}

void Swapper::begin_evaluation() {
  situation_.evaluation.begin(situation_.session.interrupt);
  demand_by_precedent_.begin_evaluation();
  candidates_.begin_evaluation();
  runner_.begin_evaluation();
  restarts_.begin_evaluation();
  must_take_ = false;
  regions_.forget_old_sites();
}

void Swapper::repeat_evaluation() {
  situation_.evaluation.repeat(situation_.session.interrupt);
  must_take_ = false;
}

void Swapper::enter(const core::Attributed& attributed) {
  situation_.attributes.enter(attributed);
}

void Swapper::leave(const core::Attributed& attributed) noexcept {
  situation_.attributes.leave(attributed);
}

Offer Swapper::here(Offer offer) const {
  offer.is_unsafe = situation_.attributes.is_unsafe();
  return offer;
}

void Swapper::watch_from_now(Watch& watch, Site& site, std::uint64_t work) const {
  watch.site = &site;
  watch.work = work;
  situation_.time.start(watch);
  watch.is_unsafe = situation_.attributes.is_unsafe();
}

void Swapper::interpreted(const Watch& watch) noexcept {
  static_cast<Site*>(watch.site)
      ->interpreted.add(situation_.time.passed_since(watch, now()), watch.work);
}

void Swapper::ahead(const eval::Forecast& forecast, Candidate* around) {
  if (mode() == Mode::Auto) restarts_.reconsider(forecast, around);
  if (mode() == Mode::Mixed) restarts_.reconsider_by_chance(around);
}

std::optional<Value> Swapper::begin_again(Candidate& candidate) {
  Offer offer = restarts_.offer_of(candidate);
  return runner_.take(offer, {.is_urgent = true}, candidate.around);
}

// ---- calls -------------------------------------------------------------------------------------

bool Swapper::stands_ready_for(const core::Function& function) const {
  const Site* site = sites_.profile().find({SiteKey::Kind::Function, &function});
  return site && (mode() == Mode::Jit || mode() == Mode::Auto) &&
         std::ranges::any_of(site->regions, [](const std::shared_ptr<Region>& region) {
           return region->state() == Region::State::Compiled;
         });
}

Demand Swapper::demand_of_call(Site& site, const core::Function& function,
                               std::span<const Value> captures, std::span<const Value> arguments,
                               const Candidate* around) {
  if (around) {
    const bool may_be_part = demand_by_precedent_.is_in_parts() && !site.sought.is_known();
    if (!may_be_part) return {};
  } else {
    Demand demand = demand_for(
        forecaster_.first_call(function, captures, arguments, situation_.session.global));
    if (demand.is_urgent) return demand;
  }
  return demand_by_precedent_(site, Occasion::call(function, captures, arguments));
}

std::optional<Value> Swapper::call(const core::Function& function, std::span<const Value> captures,
                                   std::span<Value> arguments, Watch& watch) {
  if (mode() == Mode::Interpret || !forecaster_.has_work(function)) return std::nullopt;
  Demand demand;
  Site& site = sites_.of(function);
  if (mode() == Mode::Auto) {
    restarts_.reconsider({}, watch.around);
    demand = demand_of_call(site, function, captures, arguments, watch.around);
  }
  std::uint64_t work = 0;
  const bool is_offered = mode() != Mode::Mixed || situation_.chance(2);
  if (is_offered && regions_.may_have(site, demand)) {
    Offer offer = here(Offer::call(site, function, captures, arguments));
    work = offer.work;
    if (offer.is_possible())
      if (std::optional<Value> result = runner_.take(offer, demand, watch.around)) return result;
  } else {
    work = eval::elements_in(captures) + eval::elements_in(arguments);
  }
  watch_from_now(watch, site, work);
  watch.may_begin_again = (mode() == Mode::Auto || mode() == Mode::Mixed) &&
                          site.failed_in != situation_.evaluation.number &&
                          forecaster_.can_keep(function, arguments);
  return std::nullopt;
}

// ---- array operations --------------------------------------------------------------------------

Demand Swapper::demand_of_operation(primitives::ArrayOperation operation,
                                    const eval::Site<Concrete>& place, const Site& site,
                                    std::span<const Value> arguments, Watch& watch) {
  const eval::Forecast ahead = corrected(forecaster_.operation(operation, place.type(), arguments),
                                         site.interpreted, eval::elements_in(arguments));
  restarts_.reconsider(ahead, watch.around);
  return demand_before(ahead);
}

std::optional<Value> Swapper::array_operation(primitives::ArrayOperation operation,
                                              eval::Site<Concrete>& site,
                                              std::span<Value> arguments, Watch& watch) {
  if (mode() == Mode::Interpret) return std::nullopt;
  Demand demand;
  if (std::exchange(must_take_, false)) demand = demand_for_asked_rest();
  if (mode() == Mode::Mixed && !demand.is_urgent) restarts_.reconsider_by_chance(watch.around);
  Site& profiled = sites_.of(operation, site);
  if (mode() == Mode::Auto && !demand.is_urgent)
    demand = demand_of_operation(operation, site, profiled, arguments, watch);
  std::uint64_t work = 0;
  const bool is_offered = mode() != Mode::Mixed || demand.is_urgent || situation_.chance(2);
  if (is_offered && regions_.may_have(profiled, demand)) {
    Offer offer = here(Offer::operation(profiled, operation, site, arguments));
    work = offer.work;
    std::int64_t* fails_at = applies_to_each_element(operation) ? &watch.fails_at : nullptr;
    if (offer.is_possible())
      if (std::optional<Value> result = runner_.take(offer, demand, watch.around, fails_at))
        return result;
  } else {
    work = eval::elements_in(arguments);
  }
  watch_from_now(watch, profiled, work);
  if (mode() == Mode::Auto) watch.ask_at = 1;
  if (mode() == Mode::Mixed && situation_.chance(2))
    watch.ask_at = static_cast<std::int64_t>(1 + situation_.random() % 4);
  return std::nullopt;
}

std::int64_t Swapper::rest_from(primitives::ArrayOperation operation, eval::Site<Concrete>& site,
                                std::span<const Value> arguments, std::int64_t done,
                                std::int64_t count, Watch& watch) {
  if (mode() != Mode::Auto) {
    must_take_ = mode() == Mode::Mixed;
    return must_take_ ? done : Watch::never;
  }
  const std::int64_t elapsed =
      std::max<std::int64_t>(situation_.time.passed_since(watch, now()), 1);
  if (done < enough_elements && elapsed < enough_time) return enough_elements;
  if (elapsed < enough_to_project) return 2 * done;
  const double each = static_cast<double>(elapsed) / static_cast<double>(done);
  const std::int64_t ask_again = next_question(done, each);
  const eval::Forecast ahead{static_cast<std::int64_t>(each * static_cast<double>(count - done)),
                             0};
  restarts_.reconsider(ahead, watch.around);
  Site& profiled = sites_.of(operation, site);
  if (!is_worth_compiling(ahead) && profiled.regions.empty()) return ask_again;
  if (ahead.nanoseconds < 4 * launching_cost) return Watch::never;
  Offer offer = here(Offer::operation(profiled, operation, site, arguments));
  if (!offer.is_possible()) return Watch::never;
  if (regions_.usable_for(offer, demand_for_rest(ahead), watch.around)) {
    must_take_ = true;
    watch.site = nullptr; // what follows says nothing about the evaluator's pace
    return done;
  }
  return profiled.offers_to_skip > 0 ? Watch::never : ask_again;
}

// ---- loops -------------------------------------------------------------------------------------

std::int64_t Swapper::rest_of_loop(const core::Loop& loop, std::int64_t iterations,
                                   std::optional<double> to_do, Watch& watch) {
  if (watch.began == 0) { // it begins now, or began before we were there
    situation_.time.start(watch);
    watch.work = static_cast<std::uint64_t>(iterations);
  }
  const std::int64_t since = iterations - static_cast<std::int64_t>(watch.work);
  const std::int64_t elapsed = situation_.time.passed_since(watch, now());
  if (since > 0 && elapsed >= enough_to_project) // (of a while: as long again)
    return to_do ? projected(elapsed, static_cast<double>(since), *to_do) : elapsed;
  return to_do ? projected(forecaster_.expression(*loop.body), 1, *to_do) : 0;
}

std::optional<Value> Swapper::loop(const eval::LoopPlace<Concrete>& place, Value& state,
                                   Scalar next, Scalar bound, const Value* elements,
                                   std::int64_t iterations, Watch& watch) {
  if (mode() == Mode::Interpret) return std::nullopt;
  if (mode() == Mode::Jit && iterations > 0) return std::nullopt; // rejected at its beginning
  if (mode() == Mode::Mixed && !situation_.chance(3)) return std::nullopt;
  const core::Loop& node = std::get<core::Loop>(place.loop->node);
  std::optional<double> to_do;
  if (elements || std::holds_alternative<core::ForLess>(node.form))
    to_do = static_cast<double>(bound.as<std::int64_t>() - next.as<std::int64_t>());
  Demand demand;
  eval::Forecast ahead;
  if (mode() == Mode::Auto) {
    ahead.nanoseconds = rest_of_loop(node, iterations, to_do, watch);
    restarts_.reconsider(to_do ? ahead : eval::Forecast{}, watch.around);
    demand = iterations == 0 ? demand_before(ahead) : demand_for_rest(ahead);
    if (!to_do && candidates_.is_coming_around(watch.around)) demand.is_urgent = false;
  }
  Site& site = sites_.of_loop(*place.loop);
  if (mode() == Mode::Auto) {
    if (iterations == 0) ++site.interpreted.runs;
    if (!regions_.may_have(site, demand) || ahead.nanoseconds < 4 * launching_cost)
      return std::nullopt;
    demand.is_worth_launching = true;
  }
  Offer offer = here(
      Offer::loop(site, sites_.inputs_of_loop(*place.loop), place, state, next, bound, elements));
  if (!offer.is_possible()) return std::nullopt;
  return runner_.take(offer, demand, watch.around);
}

// ---- expressions ------------------------------------------------------------------------------

Demand Swapper::demand_of_evaluation(Site& site, const eval::ExpressionPlace<Concrete>& place,
                                     const Candidate* around) {
  Demand demand = demand_for(
      forecaster_.evaluation(*place.expr, place.slots.size(), situation_.session.global));
  if (demand.is_urgent || around) return demand;
  return demand_by_precedent_(site, Occasion::evaluation(*place.expr));
}

std::optional<Value> Swapper::expression_in_auto(const eval::ExpressionPlace<Concrete>& place,
                                                 const FrameInputs& inputs, Watch& watch) {
  Site& site = sites_.of(*place.expr);
  const bool is_whole = inputs.slots.empty() && inputs.captures.empty();
  Demand demand;
  if (is_whole) demand = demand_of_evaluation(site, place, watch.around);
  bool is_tried = false;
  if (demand.is_urgent || demand.is_wanted) {
    Offer offer = here(Offer::expression(site, inputs, place));
    is_tried = offer.is_possible();
    if (is_tried)
      if (std::optional<Value> result = runner_.take(offer, demand, watch.around)) return result;
  }
  watch_from_now(watch, site, 0);
  watch.may_begin_again = is_whole && !is_tried;
  return std::nullopt;
}

void Swapper::require(const Offer& offer, const core::Attributed& mark, const Candidate* around) {
  std::optional<MarkObjection> objection;
  if (!offer.is_possible()) {
    objection = MarkObjection{untraceable_id, words(Reason::AccumulatorInWay), {}};
  } else {
    std::shared_ptr<Region> region = regions_.usable_for(offer, {.is_urgent = true}, around);
    if (!region) region = regions_.known_for(offer);
    if (!region) return; // it has failed before, and is evaluated for the words
    if (region->fits_marks) return;
    if (region->state() == Region::State::Rejected)
      objection = objection_to(region->rejection());
    else if (region->state() == Region::State::Compiled)
      objection = objection_to(*region->compiled().executable, mark.mark);
    region->fits_marks = !objection;
  }
  if (!objection) return;
  if (mark.mark.is_preference) {
    if (objection->id == backend_id) situation_.is_gpu_absent = true;
    return;
  }
  RuntimeError error(FailureKind::Unsupported, objection->message,
                     objection->span.is_known() ? objection->span : offer.site.span);
  error.id = objection->id;
  throw error;
}

std::optional<Value> Swapper::expression(const eval::ExpressionPlace<Concrete>& place,
                                         Watch& watch) {
  if (mode() == Mode::Interpret) return std::nullopt;
  if (mode() == Mode::Mixed && situation_.chance(2)) return std::nullopt;
  const core::Attributed* mark = situation_.attributes.mark();
  if (!mark && !forecaster_.has_work(*place.expr)) return std::nullopt;
  const FrameInputs& inputs = sites_.inputs_of(*place.expr);
  if (mode() == Mode::Auto) return expression_in_auto(place, inputs, watch);
  Offer offer = here(Offer::expression(sites_.of(*place.expr), inputs, place));
  if (mark && mark->body == place.expr) require(offer, *mark, watch.around);
  if (!offer.is_possible()) return std::nullopt;
  return runner_.take(offer, {.is_urgent = true}, watch.around);
}

} // namespace sinter::jit
