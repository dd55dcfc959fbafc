#include "jit/swap/swapper.h"

#include "jit/gate/projection.h"
#include "jit/reasons/reasons.h"
#include "lang/values/elements.h"

#include <algorithm>
#include <utility>

namespace sinter::jit {

namespace {

/// A running operation is looked at about so often, in nanoseconds.
constexpr std::int64_t between_questions = 500'000;
/// From so many elements on it is known what one takes; before, if they took so long.
constexpr std::int64_t enough_elements = 16, enough_time = 1'000'000;
/// An evaluation that is repeated may keep all inputs for as long as the first one took, or for so
/// long.
constexpr std::int64_t least_repeated = 1'000'000'000;

bool applies_to_each_element(primitives::ArrayOperation operation) {
  using enum primitives::ArrayOperation;
  return operation == Map || operation == Map2 || operation == Map3 || operation == Map4 ||
         operation == Map5;
}

} // namespace

Swapper::Swapper(const SwapOptions& options, SwapContext session, MakeExecutable make,
                 std::string remark)
    : options_(options), session_(session), remark_(std::move(remark)),
      compiler_(std::move(session), std::move(make)),
      random_(static_cast<std::minstd_rand::result_type>(options.seed)), queue_(compiler_),
      late_promotion_(compiler_) {}

Swapper::~Swapper() {
  compiler_.stop();
}

void Swapper::configure(const SwapOptions& options) {
  SwapOptions asked = options;
  asked.keep_ir = options.keep_ir || options_.keep_ir; // what was kept does no harm
  if (differ_in_code(options_, asked)) {
    profile_.for_each([](Site& site) { site.regions.clear(); });
    region_count_ = 0;
  }
  if (options.seed != options_.seed)
    random_.seed(static_cast<std::minstd_rand::result_type>(options.seed));
  options_ = options;
}

void Swapper::wait() {
  queue_.wait(session_.interrupt);
  late_promotion_.wait();
}

bool Swapper::is_busy() {
  return queue_.is_busy() || late_promotion_.is_busy() || compile_threads_.left_behind() > 0;
}

void Swapper::begin_evaluation() {
  reconsider_at_ = 0;
  coming_.reset();
  epoch_ = session_.interrupt ? session_.interrupt->epoch() : 0;
  must_take_ = false;
  is_repeated_ = false;
  is_in_parts_ = false;
  ++attempt_;
  failed_site_ = nullptr;
  began_ = now();
  ++evaluation_;
  if (profile_.size() > Profile::most_sites)
    profile_.forget([&](const Site& site) { region_count_ -= site.regions.size(); });
}

void Swapper::repeat_evaluation() {
  epoch_ = session_.interrupt ? session_.interrupt->epoch() : 0;
  must_take_ = false;
  is_repeated_ = true;
  ++attempt_;
  const std::int64_t present = now();
  keeps_until_ = present + std::max(present - began_, least_repeated);
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

void Swapper::watch_from_now(Watch& watch, Site& site, std::uint64_t work) {
  watch.site = &site;
  watch.work = work;
  watch.began = now();
  watch.ran = ran_;
  watch.waited = waited_;
  watch.is_unsafe = unsafe_depth_ > 0;
}

std::int64_t Swapper::interpreted_since(const Watch& watch) const {
  return now() - watch.began - (waited_ - watch.waited);
}

void Swapper::interpreted(const Watch& watch) noexcept {
  static_cast<Site*>(watch.site)->interpreted.add(interpreted_since(watch), watch.work);
}

const FrameInputs& Swapper::inputs_of(const core::Expr& expression) {
  auto [known, is_new] = expression_inputs_.try_emplace(&expression);
  if (is_new) known->second = jit::expression_inputs(expression);
  return known->second;
}

Swapper::Demand Swapper::demand_for(const eval::Forecast& ahead) {
  if (!is_worth_compiling(ahead)) return {};
  return {.is_urgent = true,
          .why = reason(ahead),
          .interpreted = ahead.nanoseconds,
          .is_worth_optimising = is_worth_optimising(ahead)};
}

Swapper::Demand Swapper::demand_by_precedent(Site& site, const Occasion& occasion) {
  if (!session_.precedents || site.sought == occasion) return {};
  site.sought = occasion;
  const std::optional<Precedent> precedent = session_.precedents->find(occasion);
  if (!precedent) return {};
  is_in_parts_ = is_in_parts_ || precedent->is_in_parts;
  if (precedent->is_in_parts) return {};
  return {.is_urgent = is_worth_finding(*precedent),
          .is_wanted = true,
          .why = words(Reason::Precedent),
          .interpreted = precedent->nanoseconds};
}

void Swapper::ahead(const eval::Forecast& forecast, Candidate* around) {
  if (mode() == Mode::Auto) reconsider(forecast, around);
  if (mode() == Mode::Mixed) reconsider_by_chance(around);
}

// ---- calls -------------------------------------------------------------------------------------

Site& Swapper::site_of(const core::Function& function) {
  Site& site = met({SiteKey::Kind::Function, &function});
  if (!site.name.empty()) return site;
  site.name = "function " + function.name;
  site.span = site.source = function.span;
  // From the name to the end of the body.
  const Span body = function.body->span;
  if (body.file.index == site.span.file.index && body.begin > site.span.begin)
    site.source.end = std::max(site.source.end, body.end);
  return site;
}

bool Swapper::stands_ready_for(const core::Function& function) const {
  const Site* site = profile_.find({SiteKey::Kind::Function, &function});
  return site && (mode() == Mode::Jit || mode() == Mode::Auto) &&
         std::ranges::any_of(site->regions, [](const std::shared_ptr<Region>& region) {
           return region->state() == Region::State::Compiled;
         });
}

std::optional<Value> Swapper::call(const core::Function& function, std::span<const Value> captures,
                                   std::span<Value> arguments, Watch& watch) {
  if (mode() == Mode::Interpret || !forecaster_.has_work(function)) return std::nullopt;
  Demand demand;
  Site& site = site_of(function);
  if (mode() == Mode::Auto) {
    reconsider({}, watch.around);
    if (!watch.around) {
      demand = demand_for(forecaster_.first_call(function, captures, arguments, session_.global));
      if (!demand.is_urgent)
        demand = demand_by_precedent(site, Occasion::call(function, captures, arguments));
    } else if (is_in_parts_ && !site.sought.is_known()) {
      demand = demand_by_precedent(site, Occasion::call(function, captures, arguments));
    }
  }
  std::uint64_t work = 0;
  const bool is_offered = mode() != Mode::Mixed || chance(2);
  if (is_offered && may_have_region(site, demand)) {
    Offer offer = here(Offer::call(site, function, captures, arguments));
    work = offer.work;
    if (offer.is_possible())
      if (std::optional<Value> result = take(offer, demand, watch.around)) return result;
  } else {
    work = eval::elements_in(captures) + eval::elements_in(arguments);
  }
  watch_from_now(watch, site, work);
  watch.may_begin_again = (mode() == Mode::Auto || mode() == Mode::Mixed) &&
                          site.failed_in != evaluation_ &&
                          forecaster_.can_keep(function, arguments);
  return std::nullopt;
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

std::optional<Value> Swapper::array_operation(primitives::ArrayOperation operation,
                                              eval::Site<Concrete>& site,
                                              std::span<Value> arguments, Watch& watch) {
  if (mode() == Mode::Interpret) return std::nullopt;
  Demand demand{std::exchange(must_take_, false)};
  if (demand.is_urgent) demand.why = "what was left of a long run was worth it";
  if (mode() == Mode::Mixed && !demand.is_urgent) reconsider_by_chance(watch.around);
  Site& profiled = site_of(operation, site);
  std::uint64_t work = 0;
  if (mode() == Mode::Auto && !demand.is_urgent) {
    const eval::Forecast ahead = corrected(forecaster_.operation(operation, site.type(), arguments),
                                           profiled.interpreted, eval::elements_in(arguments));
    reconsider(ahead, watch.around);
    demand.is_urgent = is_worth_compiling(ahead);
    demand.is_worth_optimising = is_worth_optimising(ahead);
    if (demand.is_urgent) demand.why = "it was about to take " + milliseconds(ahead.nanoseconds);
  }
  const bool is_offered = mode() != Mode::Mixed || demand.is_urgent || chance(2);
  if (is_offered && may_have_region(profiled, demand)) {
    Offer offer = here(Offer::operation(profiled, operation, site, arguments));
    work = offer.work;
    if (offer.is_possible())
      if (std::optional<Value> result =
              take(offer, demand, watch.around,
                   applies_to_each_element(operation) ? &watch.fails_at : nullptr))
        return result;
  } else {
    work = eval::elements_in(arguments);
  }
  watch_from_now(watch, profiled, work);
  if (mode() == Mode::Auto) watch.ask_at = 1;
  if (mode() == Mode::Mixed && chance(2))
    watch.ask_at = static_cast<std::int64_t>(1 + random_() % 4);
  return std::nullopt;
}

std::int64_t Swapper::rest_from(primitives::ArrayOperation operation, eval::Site<Concrete>& site,
                                std::span<const Value> arguments, std::int64_t done,
                                std::int64_t count, Watch& watch) {
  if (mode() != Mode::Auto) {
    must_take_ = mode() == Mode::Mixed;
    return must_take_ ? done : Watch::never;
  }
  const std::int64_t elapsed = std::max<std::int64_t>(interpreted_since(watch), 1);
  if (done < enough_elements && elapsed < enough_time) return enough_elements;
  if (elapsed < enough_to_project) return 2 * done;
  const double each = static_cast<double>(elapsed) / static_cast<double>(done);
  const double rest = each * static_cast<double>(count - done);
  const std::int64_t ask_again =
      done + std::clamp<std::int64_t>(static_cast<std::int64_t>(between_questions / each), 1,
                                      std::max<std::int64_t>(done, enough_elements));
  const eval::Forecast ahead{static_cast<std::int64_t>(rest), 0};
  reconsider(ahead, watch.around);
  Site& profiled = site_of(operation, site);
  if (!is_worth_compiling(ahead) && profiled.regions.empty()) return ask_again;
  if (ahead.nanoseconds < 4 * launching_cost) return Watch::never;
  Offer offer = here(Offer::operation(profiled, operation, site, arguments));
  if (!offer.is_possible()) return Watch::never;
  const Demand demand{.is_urgent = is_worth_compiling(ahead),
                      .why = "what was left of a long run was worth it",
                      .is_worth_optimising = is_worth_optimising(ahead)};
  if (region_for(offer, demand, watch.around)) {
    must_take_ = true;
    watch.site = nullptr; // what follows says nothing about the evaluator's pace
    return done;
  }
  return profiled.offers_to_skip > 0 ? Watch::never : ask_again;
}

// ---- loops -------------------------------------------------------------------------------------

std::optional<Value> Swapper::loop(const eval::LoopPlace<Concrete>& place, Value& state,
                                   Scalar next, Scalar bound, const Value* elements,
                                   std::int64_t iterations, Watch& watch) {
  if (mode() == Mode::Interpret) return std::nullopt;
  if (mode() == Mode::Jit && iterations > 0) return std::nullopt; // rejected at its beginning
  if (mode() == Mode::Mixed && !chance(3)) return std::nullopt;
  const core::Loop& node = std::get<core::Loop>(place.loop->node);
  const bool is_counted = elements || std::holds_alternative<core::ForLess>(node.form);
  const double to_do = static_cast<double>(bound.as<std::int64_t>() - next.as<std::int64_t>());
  Demand demand;
  std::int64_t rest = 0;
  if (mode() == Mode::Auto) {
    if (watch.began == 0) { // it begins now, or began before we were there
      watch.began = now();
      watch.ran = ran_;
      watch.waited = waited_;
      watch.work = static_cast<std::uint64_t>(iterations);
    }
    const std::int64_t since = iterations - static_cast<std::int64_t>(watch.work);
    const std::int64_t elapsed = interpreted_since(watch);
    if (since > 0 && elapsed >= enough_to_project) // (of a while: as long again)
      rest = is_counted ? projected(elapsed, static_cast<double>(since), to_do) : elapsed;
    else if (is_counted)
      rest = projected(forecaster_.expression(*node.body), 1, to_do);
    const eval::Forecast ahead{rest, 0};
    reconsider(is_counted ? ahead : eval::Forecast{}, watch.around);
    demand.is_urgent = is_worth_compiling(ahead) && (is_counted || !is_coming_around(watch.around));
    demand.is_worth_optimising = is_worth_optimising(ahead);
    demand.why = iterations == 0 ? "it was about to take " + milliseconds(rest)
                                 : "what was left of a long run was worth it";
  }
  Site& site = met({SiteKey::Kind::Loop, place.loop});
  if (site.name.empty()) {
    site.name = "loop";
    site.span = place.loop->span;
  }
  if (mode() == Mode::Auto) {
    if (iterations == 0) ++site.interpreted.runs;
    if (!may_have_region(site, demand) || rest < 4 * launching_cost) return std::nullopt;
    demand.is_worth_launching = true;
  }

  auto [known, is_new] = loop_inputs_.try_emplace(place.loop);
  if (is_new) known->second = loop_inputs(*place.loop);
  Offer offer = here(Offer::loop(site, known->second, place, state, next, bound, elements));
  if (!offer.is_possible()) return std::nullopt;
  return take(offer, demand, watch.around);
}

// ---- expressions ------------------------------------------------------------------------------

Site& Swapper::site_of(const core::Expr& expression) {
  Site& site = met({SiteKey::Kind::Expression, &expression});
  if (site.name.empty()) {
    site.name = "expression";
    site.span = expression.span;
  }
  return site;
}

std::optional<Value> Swapper::expression(const eval::ExpressionPlace<Concrete>& place,
                                         Watch& watch) {
  if (mode() == Mode::Interpret) return std::nullopt;
  if (mode() == Mode::Mixed && chance(2)) return std::nullopt;
  if (accelerate_depth_ == 0 && !forecaster_.has_work(*place.expr)) return std::nullopt;
  const FrameInputs& inputs = inputs_of(*place.expr);
  if (mode() == Mode::Auto) {
    Site& site = site_of(*place.expr);
    const bool is_whole = inputs.slots.empty() && inputs.captures.empty();
    bool is_tried = false;
    Demand demand;
    if (is_whole) {
      demand = demand_for(forecaster_.evaluation(*place.expr, place.slots.size(), session_.global));
      if (!demand.is_urgent && !watch.around)
        demand = demand_by_precedent(site, Occasion::evaluation(*place.expr));
    }
    if (demand.is_urgent || demand.is_wanted) {
      Offer offer = here(Offer::expression(site, inputs, place));
      is_tried = offer.is_possible();
      if (is_tried)
        if (std::optional<Value> result = take(offer, demand, watch.around)) return result;
    }
    watch_from_now(watch, site, 0);
    watch.may_begin_again = is_whole && !is_tried;
    return std::nullopt;
  }
  Offer offer = here(Offer::expression(site_of(*place.expr), inputs, place));
  if (!offer.is_possible()) return std::nullopt;
  std::optional<Value> result = take(offer, {true}, watch.around);
  if (!result && accelerate_depth_ > 0)
    for (const std::shared_ptr<Region>& region : offer.site.regions)
      if (region->state() == Region::State::Rejected)
        throw RuntimeError(
            FailureKind::Unsupported, "this cannot be accelerated: " + region->rejection().reason,
            region->rejection().span.is_known() ? region->rejection().span : offer.site.span);
  return result;
}

} // namespace sinter::jit
