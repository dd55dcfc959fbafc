#include "jit/runtime/short_rows.h"

#include "jit/ir/nests.h"
#include "jit/ir/walk.h"
#include "jit/runtime/launch_numbers.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace sinter::jit {

using namespace ir;

namespace {

/// Longer rows are worth their loops.
constexpr std::int64_t longest = 16;
/// Counted no further: a product of two does not overflow.
constexpr std::int64_t most_rows = INT32_MAX;

/// Of a body that is one nest of maps with the SOAC around it: that SOAC.
const Soac* rest_of_nest(const Soac& around) {
  const Body& body = around.body;
  if (!has_only<MapGroup>(around) || body.statements.size() != 1) return nullptr;
  const auto* const soac = std::get_if<Soac>(&body.statements[0].operation);
  return soac && has_only<MapGroup>(*soac) ? soac : nullptr;
}

/// The SOACs of a nest of maps from the kernel's own on, whose extents are those that lanes and
/// threads lie on.
struct Nest {
  std::vector<const Soac*> soacs;
  /// Whether the last one's elements are not all alike, so that it better makes a row for each
  /// element of what is around it, if that is short.
  bool makes_rows = false;
};

Nest nest_of(const Function& kernel) {
  Nest nest;
  nest.soacs.push_back(&std::get<Soac>(kernel.body.statements[0].operation));
  while (const Soac* const rest = rest_of_nest(*nest.soacs.back())) {
    nest.makes_rows = !is_blind_to_rows(kernel, nest.soacs.back()->body, *rest);
    nest.soacs.push_back(rest);
  }
  return nest;
}

bool is_short(std::int64_t extent) {
  return extent >= 1 && extent <= longest;
}

template <typename Visit>
void for_each_extent(const Function& function, const Body& body, const Visit& visit) {
  for (const Statement& statement : body.statements) {
    if (const auto* soac = std::get_if<Soac>(&statement.operation)) visit(soac->extent);
    if (const auto* loop = std::get_if<For>(&statement.operation)) visit(loop->bound);
    // (What the same length is called elsewhere.)
    if (std::holds_alternative<Reshape>(statement.operation))
      for (const Operand& extent : function.type(statement.results[0]).extents)
        visit(extent);
    for_each_body(statement.operation,
                  [&](const Body& inner) { for_each_extent(function, inner, visit); });
  }
}

} // namespace

std::optional<ShortRows> ShortRows::of(const Function& kernel) {
  if (kernel.body.statements.size() != 1) return std::nullopt;
  if (!std::holds_alternative<Soac>(kernel.body.statements[0].operation)) return std::nullopt;
  // (A loop's bound may be of another type.)
  const auto parameter = [&](const Operand& extent) -> std::optional<std::size_t> {
    if (kernel.type(extent) != Type{ElementType::I64, {}}) return std::nullopt;
    return parameter_of(kernel, extent);
  };
  ShortRows rows;
  const Nest nest = nest_of(kernel);
  for (const Soac* soac : nest.soacs) {
    const std::optional<std::size_t> extent = parameter(soac->extent);
    if (!extent) continue;
    // (What counts rows further out is no constant.)
    rows.first_may_be_outside_ = nest.makes_rows && soac == nest.soacs.back() &&
                                 std::ranges::find(rows.outside_, *extent) == rows.outside_.end();
    (rows.first_may_be_outside_ ? rows.inside_ : rows.outside_).push_back(*extent);
  }
  const auto is_new = [&](std::size_t found) {
    return std::ranges::find(rows.outside_, found) == rows.outside_.end() &&
           std::ranges::find(rows.inside_, found) == rows.inside_.end();
  };
  const auto lies_inside = [&](const Operand& extent) {
    const std::optional<std::size_t> inside = parameter(extent);
    if (inside && is_new(*inside) && rows.inside_.size() < most_extents)
      rows.inside_.push_back(*inside);
  };
  for_each_body(*nest.soacs.back(),
                [&](const Body& body) { for_each_extent(kernel, body, lies_inside); });
  if (rows.outside_.empty() || rows.inside_.empty()) return std::nullopt;
  return rows;
}

std::optional<ShortRows::Launch> ShortRows::met(std::span<const Datum> arguments,
                                                std::int64_t least) const {
  Launch launch;
  launch.rows = 1;
  const auto count_rows = [&](std::size_t parameter) {
    const std::int64_t extent = std::min(number_of(arguments, parameter), most_rows);
    launch.rows = std::min(most_rows, launch.rows * std::max<std::int64_t>(extent, 0));
  };
  std::ranges::for_each(outside_, count_rows);
  for (std::size_t i = 0; i < inside_.size(); ++i)
    if (const std::int64_t extent = number_of(arguments, inside_[i]); is_short(extent))
      launch.extents[i] = static_cast<std::uint8_t>(extent);
    else if (i == 0 && first_may_be_outside_)
      count_rows(inside_[i]);
  if (launch.rows < least) return std::nullopt;
  if (launch.extents == Extents{}) return std::nullopt;
  return launch;
}

Function ShortRows::specialised(const Function& kernel, const Extents& extents) const {
  Function result = kernel;
  std::vector<Replacement> replacements;
  for (std::size_t i = 0; i < inside_.size(); ++i)
    if (extents[i] != 0)
      replacements.emplace_back(result.body.parameters[inside_[i]], Operand::i64(extents[i]));
  replace_uses(result, result.body, replacements);
  return result;
}

PassNames ShortRows::passes() {
  return {"simplify",  "row-operators", "split-operators", "unroll-outer", "fuse",
          "filters",   "unroll",        "simplify",        "hoist",        "in-place",
          "dead-code", "borders",       "simplify",        "dead-code"};
}

namespace {

/// How many elements a SOAC has, as far as that is known.
std::int64_t rounds_of(const Function& kernel, const Operand& extent,
                       std::span<const Datum> arguments) {
  if (extent.is_constant()) return std::max<std::int64_t>(extent.scalar().as<std::int64_t>(), 0);
  const bool is_known = kernel.type(extent) == Type{ElementType::I64, {}};
  const std::optional<std::size_t> parameter =
      is_known ? parameter_of(kernel, extent) : std::nullopt;
  return parameter ? std::max<std::int64_t>(number_of(arguments, *parameter), 0) : 1;
}

/// Statements that are run, as far as extents are known; each branch counts.
double statements_run(const Function& kernel, const Body& body, std::span<const Datum> arguments) {
  double sum = 0;
  for (const Statement& statement : body.statements) {
    double inside = 0;
    for_each_body(statement.operation,
                  [&](const Body& inner) { inside += statements_run(kernel, inner, arguments); });
    if (const auto* soac = std::get_if<Soac>(&statement.operation))
      inside *= static_cast<double>(rounds_of(kernel, soac->extent, arguments));
    sum += 1 + inside;
  }
  return sum;
}

} // namespace

double row_nanoseconds(const Function& kernel, std::span<const Datum> arguments) {
  constexpr double statement_nanoseconds = 0.5; // (with a branch not taken or two)
  const Nest nest = nest_of(kernel);
  const Soac& last = *nest.soacs.back();
  const std::int64_t extent = rounds_of(kernel, last.extent, arguments);
  const std::int64_t elements = nest.makes_rows && is_short(extent) ? extent : 1;
  return statement_nanoseconds * static_cast<double>(elements) *
         statements_run(kernel, last.body, arguments);
}

double least_making_nanoseconds(const Function& kernel) {
  constexpr double least = 5e6, statement = 0.1e6;
  return std::max(least, statement * static_cast<double>(statement_count(kernel.body)));
}

// ---- times -------------------------------------------------------------------------------------

bool ShortRowsTimes::is_worth_making(std::int64_t rows, double row_nanoseconds,
                                     double making_nanoseconds, double times) const {
  constexpr double least = 10e6;
  /// With these a single launch takes longer than code, if that is not much.
  constexpr std::int64_t very_many = std::int64_t{1} << 21;
  constexpr double not_much = 60e6;
  constexpr double much_longer = 4;
  if (rows >= very_many && making_nanoseconds < not_much) return true;
  if (static_cast<double>(rows) * row_nanoseconds > much_longer * making_nanoseconds) return true;
  return spent_ > times * std::max(least, making_nanoseconds);
}

ShortRowsTimes::Times& ShortRowsTimes::times(std::int64_t rows) {
  const auto width = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(rows)));
  return by_size_[width / 3];
}

ShortRowsTimes::Code ShortRowsTimes::choose(std::int64_t rows) {
  constexpr unsigned tries = 3;
  Times& known = times(rows);
  ++known.launches;
  if (known.special_runs < tries || known.general == 0) return Code::Special;
  const bool is_special_better = known.special <= known.general;
  const bool is_trial = known.launches >= 32 && std::has_single_bit(known.launches);
  // (A trial of what is much slower is no small matter.)
  constexpr double most = 2;
  if (is_special_better)
    return is_trial && known.general < most * known.special ? Code::General : Code::Special;
  return is_trial ? Code::Special : Code::General;
}

void ShortRowsTimes::note(Code code, std::int64_t rows, double nanoseconds) {
  Times& known = times(rows);
  const double a_row = nanoseconds / static_cast<double>(rows);
  double& best = code == Code::General ? known.general : known.special;
  if (code == Code::General) spent_ += nanoseconds;
  // (The first run compiles.)
  if (code == Code::Special && known.special_runs++ == 0) return;
  best = best == 0 ? a_row : std::min(best, a_row);
}

} // namespace sinter::jit
