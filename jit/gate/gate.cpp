#include "jit/gate/gate.h"

#include "jit/gate/projection.h"
#include "lang/base/address_space.h"
#include "lang/base/heap.h"
#include "lang/base/interruptible.h"
#include "lang/base/plugin.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace sinter::jit {

namespace {

constexpr std::array<std::pair<Mode, std::string_view>, 4> modes = {{{Mode::Auto, "auto"},
                                                                     {Mode::Interpret, "interp"},
                                                                     {Mode::Jit, "jit"},
                                                                     {Mode::Mixed, "mixed"}}};

constexpr std::array<std::pair<Tier, std::string_view>, 3> tiers = {
    {{Tier::Automatic, "auto"}, {Tier::First, "1"}, {Tier::Second, "2"}}};
constexpr std::array<std::pair<FloatMode, std::string_view>, 2> float_modes = {
    {{FloatMode::Exact, "exact"}, {FloatMode::Contract, "contract"}}};

template <typename Named, std::size_t count>
using Names = std::array<std::pair<Named, std::string_view>, count>;

/// The name of a value in a table that has them all.
template <typename Named, std::size_t count>
std::string_view name_in(const Names<Named, count>& table, Named value) {
  for (const auto& [known, text] : table)
    if (known == value) return text;
  __builtin_unreachable();
}
template <typename Named, std::size_t count>
std::optional<Named> value_in(const Names<Named, count>& table, std::string_view name) {
  for (const auto& [value, text] : table)
    if (text == name) return value;
  return std::nullopt;
}

/// With fewer addresses the compiler could be opened, but not work, and arrays would miss them.
constexpr std::size_t least_addresses = std::size_t{320} << 20;

/// The clock is looked at once in so many offers.
constexpr std::uint32_t offers_per_look = 8;
/// After so many elements a long operation is looked at for the first time, and then every so many
/// nanoseconds.
constexpr std::int64_t first_question = 16, between_questions = 500'000;

} // namespace

std::string_view name(Mode mode) {
  return name_in(modes, mode);
}
std::optional<Mode> mode_of(std::string_view name) {
  return value_in(modes, name);
}
std::string_view name(Tier tier) {
  return name_in(tiers, tier);
}
std::optional<Tier> tier_of(std::string_view name) {
  return value_in(tiers, name);
}
std::string_view name(FloatMode mode) {
  return name_in(float_modes, mode);
}
std::optional<FloatMode> float_mode_of(std::string_view name) {
  return value_in(float_modes, name);
}

ChoiceNames<Mode> names_of(Mode) {
  return modes;
}
ChoiceNames<Tier> names_of(Tier) {
  return tiers;
}
ChoiceNames<FloatMode> names_of(FloatMode) {
  return float_modes;
}

bool differ_in_code(const SwapOptions& first, const SwapOptions& second) {
  enum class Effect : std::uint8_t { Running, Code };
  bool result = false;
#define SINTER_SWAP_OPTION(Type, member, value, effect, ...)                                       \
  if (Effect::effect == Effect::Code) result = result || first.member != second.member;
#include "jit/gate/swap_options.def"
#undef SINTER_SWAP_OPTION
  return result;
}

std::unique_ptr<HotSwap> open_plugin(const SwapOptions& options, const SwapContext& context) {
  if (addresses_left().value_or(SIZE_MAX) < least_addresses)
    throw std::runtime_error("there are too few addresses left for compiling");
  auto make =
      reinterpret_cast<MakeHotSwap>(sinter::open_plugin("sinter_jit_plugin", make_hot_swap_name));
  const char* error = "";
  std::unique_ptr<HotSwap> jit(make(&options, &context, &error));
  if (!jit) throw std::runtime_error(error);
  return jit;
}

Gate::Gate(SwapOptions options, SwapContext context, std::function<void(const std::string&)> warn,
           OpenJit open)
    : options_(std::move(options)), context_(std::move(context)), warn_(std::move(warn)),
      open_(std::move(open)), looked_(now()) {}

Gate::~Gate() {
  if (opener_.joinable()) opener_.join();
}

void Gate::configure(const SwapOptions& options) {
  options_ = options;
  if (HotSwap* jit = opened()) jit->configure(options);
}

HotSwap* Gate::opened() {
  if (!jit_ && done_.load(std::memory_order_acquire)) {
    opener_.join();
    done_.store(false, std::memory_order_relaxed);
    opened_now(std::move(arrived_), error_);
  }
  return jit_.get();
}

bool Gate::is_busy() {
  HotSwap* const jit = opened();
  return jit ? jit->is_busy() : opener_.joinable();
}

void Gate::close() {
  assert(entered_.empty());
  opened(); // what has arrived in the background goes too
  if (opener_.joinable()) {
    opener_.join();
    done_.store(false, std::memory_order_relaxed);
    arrived_.reset();
  }
  jit_.reset();
  forecaster_ = {};
  occasion_ = {};
}

HotSwap* Gate::open() {
  if (opener_.joinable()) {
    opener_.join();
    done_.store(false, std::memory_order_relaxed);
    opened_now(std::move(arrived_), error_);
  } else if (!jit_ && !unavailable_) {
    try {
      const UncountedHeap own;
      opened_now(open_(options_, context_), {});
    } catch (const std::exception& error) { // what is wrong, or too little memory
      opened_now(nullptr, error.what());
    }
  }
  return jit_.get();
}

void Gate::opened_now(std::unique_ptr<HotSwap> jit, const std::string& error) {
  if (!jit) {
    unavailable_ = true;
    warn_("the compiler cannot be opened, programs are interpreted: " + error);
    return;
  }
  jit_ = std::move(jit);
  tell_remarks();
  jit_->configure(options_);
  jit_->begin_evaluation();
  for (const core::Attributed* attributed : entered_)
    jit_->enter(*attributed);
}

void Gate::tell_remarks() {
  if (!jit_) return;
  for (std::string& remark : jit_->remarks())
    if (std::ranges::find(told_, remark) == told_.end()) {
      warn_(remark);
      told_.push_back(std::move(remark));
    }
}

Occasion Gate::begun(const Occasion& occasion) {
  if (!context_.precedents || options_.mode != Mode::Auto) return {};
  context_.precedents->begin_with(occasion);
  return occasion;
}

std::optional<Precedent> Gate::precedent(const Occasion& occasion) {
  if (!occasion.is_known() || occasion == occasion_) return std::nullopt;
  occasion_ = occasion;
  return context_.precedents->find(occasion);
}

HotSwap* Gate::behind(const eval::Forecast& ahead, const Occasion& occasion) {
  if (options_.mode == Mode::Interpret) return nullptr;
  if (jit_ || unavailable_) return jit_.get();
  if (options_.mode != Mode::Auto) return open();
  if (decide_opening(ahead, 0) == Opening::AtOnce) return open();
  if (const std::optional<Precedent> known = precedent(occasion)) {
    if (decide_opening(ahead, 0, known) == Opening::AtOnce) return open();
    if (!opener_.joinable()) open_in_background();
    return nullptr;
  }
  if (++offers_ % offers_per_look != 0) return nullptr;
  if (opener_.joinable()) return opened();
  look_at_clock();
  if (decide_opening(ahead, interpreted_) == Opening::InBackground) open_in_background();
  return nullptr;
}

void Gate::look_at_clock() {
  const std::int64_t present = now();
  interpreted_ += present - std::exchange(looked_, present);
}

void Gate::open_in_background() {
  try {
    opener_ = std::thread([this, options = options_] {
      const UncountedHeap own;
      try {
        arrived_ = open_(options, context_);
      } catch (const std::exception& error) {
        error_ = error.what();
      }
      done_.store(true, std::memory_order_release);
    });
  } catch (const std::system_error& error) { // there is no thread to be had
    opened_now(nullptr, error.what());
  }
}

void Gate::begin_evaluation() {
  if (context_.precedents) context_.precedents->begin_evaluation();
  if (jit_)
    jit_->begin_evaluation();
  else
    looked_ = now();
}

void Gate::repeat_evaluation() {
  if (jit_) jit_->repeat_evaluation();
}

void Gate::enter(const core::Attributed& attributed) {
  const Uninterruptible in_its_own_way;
  if (attributed.attribute == core::Attribute::Accelerate && options_.mode != Mode::Interpret)
    open();
  entered_.push_back(&attributed);
  if (jit_) jit_->enter(attributed);
}

void Gate::leave(const core::Attributed& attributed) noexcept {
  entered_.pop_back();
  if (jit_) jit_->leave(attributed);
}

std::optional<Value> Gate::begin_again(Candidate& candidate) {
  const Uninterruptible in_its_own_way;
  return jit_ ? jit_->begin_again(candidate) : std::nullopt;
}

void Gate::ahead(const eval::Forecast& forecast, Candidate* around) {
  const Uninterruptible in_its_own_way;
  if (HotSwap* jit = behind(forecast)) jit->ahead(forecast, around);
}

std::optional<Value> Gate::expression(const eval::ExpressionPlace<Concrete>& place, Watch& watch) {
  const Uninterruptible in_its_own_way;
  if (!jit_ && is_waiting() && entered_.empty() && !forecaster_.has_work(*place.expr))
    return std::nullopt;
  eval::Forecast ahead;
  Occasion occasion;
  if (!watch.around && entered_.empty()) occasion = begun(Occasion::evaluation(*place.expr));
  if (!jit_ && is_waiting() && entered_.empty())
    ahead = forecaster_.evaluation(*place.expr, place.slots.size(), context_.global);
  if (HotSwap* jit = behind(ahead, occasion)) return jit->expression(place, watch);
  if (!is_waiting()) return std::nullopt;
  // (Under an attribute an expression reads what is around it; that one is offered at once.)
  watch.began = now();
  watch.may_begin_again = entered_.empty();
  return std::nullopt;
}

bool Gate::stands_ready_for(const core::Function& function) const {
  return jit_ && jit_->stands_ready_for(function);
}

std::optional<Value> Gate::call(const core::Function& function, std::span<const Value> captures,
                                std::span<Value> arguments, Watch& watch) {
  const Uninterruptible in_its_own_way;
  if (!jit_ && is_waiting() && !forecaster_.has_work(function)) return std::nullopt;
  eval::Forecast ahead;
  Occasion occasion;
  if (!watch.around) occasion = begun(Occasion::call(function, captures, arguments));
  if (!jit_ && is_waiting() && !watch.around)
    ahead = forecaster_.first_call(function, captures, arguments, context_.global);
  if (HotSwap* jit = behind(ahead, occasion))
    return jit->call(function, captures, arguments, watch);
  if (!is_waiting()) return std::nullopt;
  watch.began = now();
  watch.is_unsafe = std::ranges::any_of(entered_, [](const core::Attributed* attributed) {
    return attributed->attribute == core::Attribute::Unsafe;
  });
  watch.may_begin_again = forecaster_.can_keep(function, arguments);
  return std::nullopt;
}

std::optional<Value> Gate::array_operation(primitives::ArrayOperation operation,
                                           eval::Site<Concrete>& site, std::span<Value> arguments,
                                           Watch& watch) {
  const Uninterruptible in_its_own_way;
  eval::Forecast ahead;
  if (!jit_ && is_waiting()) ahead = forecaster_.operation(operation, site.type(), arguments);
  if (HotSwap* jit = behind(ahead)) return jit->array_operation(operation, site, arguments, watch);
  if (!is_waiting()) return std::nullopt;
  watch.began = now();
  watch.ask_at = first_question;
  return std::nullopt;
}

std::int64_t Gate::rest_from(primitives::ArrayOperation operation, eval::Site<Concrete>& site,
                             std::span<const Value> arguments, std::int64_t done,
                             std::int64_t count, Watch& watch) {
  const Uninterruptible in_its_own_way;
  eval::Forecast ahead;
  double each = 1;
  if (!jit_) {
    const std::int64_t elapsed = std::max<std::int64_t>(now() - watch.began, 1);
    each = static_cast<double>(elapsed) / static_cast<double>(done);
    if (elapsed >= enough_to_project)
      ahead.nanoseconds =
          projected(elapsed, static_cast<double>(done), static_cast<double>(count - done));
  }
  if (HotSwap* jit = behind(ahead))
    return jit->rest_from(operation, site, arguments, done, count, watch);
  return done + std::clamp<std::int64_t>(static_cast<std::int64_t>(between_questions / each), 1,
                                         std::max(done, first_question));
}

void Gate::interpreted(const Watch& watch) noexcept {
  const Uninterruptible in_its_own_way;
  if (jit_) jit_->interpreted(watch); // the watch was handed out by it
}

std::optional<Value> Gate::loop(const eval::LoopPlace<Concrete>& place, Value& state, Scalar next,
                                Scalar bound, const Value* elements, std::int64_t iterations,
                                Watch& watch) {
  const Uninterruptible in_its_own_way;
  eval::Forecast ahead;
  const core::Loop& node = std::get<core::Loop>(place.loop->node);
  if (!jit_ && is_waiting() && (elements || std::holds_alternative<core::ForLess>(node.form))) {
    const double to_do = static_cast<double>(bound.as<std::int64_t>() - next.as<std::int64_t>());
    const std::int64_t elapsed = iterations == 0 ? 0 : now() - watch.began;
    ahead.nanoseconds = elapsed < enough_to_project
                            ? projected(forecaster_.expression(*node.body), 1, to_do)
                            : projected(elapsed, static_cast<double>(iterations), to_do);
    if (iterations == 0) watch.began = now();
  }
  HotSwap* jit = behind(ahead);
  return jit ? jit->loop(place, state, next, bound, elements, iterations, watch) : std::nullopt;
}

} // namespace sinter::jit
