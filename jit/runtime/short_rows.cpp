#include "jit/runtime/short_rows.h"

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

/// The SOAC whose elements are rows: the kernel's, or the last one of a nest of maps, whose extents
/// are those that lanes and threads lie on.  Where the last one's elements are not all alike, but
/// go by their places, it makes a row itself.  `around`: of each SOAC before.
template <typename Visit>
const Soac& soac_of_rows(const Function& kernel, const Visit& around) {
  const auto* soac = &std::get<Soac>(kernel.body.statements[0].operation);
  const std::vector<std::uint32_t> uses = count_uses(kernel);
  while (const Soac* const rest = rest_of_nest(*soac)) {
    const bool goes_by_places = uses[rest->body.parameters[0].index] != 0;
    if (goes_by_places && !rest_of_nest(*rest)) break;
    around(*soac);
    soac = rest;
  }
  return *soac;
}

template <typename Visit>
void for_each_extent(const Body& body, const Visit& visit) {
  for (const Statement& statement : body.statements) {
    if (const auto* soac = std::get_if<Soac>(&statement.operation)) visit(soac->extent);
    if (const auto* loop = std::get_if<For>(&statement.operation)) visit(loop->bound);
    for_each_body(statement.operation, [&](const Body& inner) { for_each_extent(inner, visit); });
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
  const auto lies_outside = [&](const Soac& soac) {
    if (const std::optional<std::size_t> outside = parameter(soac.extent))
      rows.outside_.push_back(*outside);
  };
  const Soac& soac = soac_of_rows(kernel, lies_outside);
  lies_outside(soac);
  const auto is_new = [&](std::size_t found) {
    return std::ranges::find(rows.outside_, found) == rows.outside_.end() &&
           std::ranges::find(rows.inside_, found) == rows.inside_.end();
  };
  for_each_extent(soac.body, [&](const Operand& extent) {
    const std::optional<std::size_t> inside = parameter(extent);
    if (inside && is_new(*inside) && rows.inside_.size() < most_extents)
      rows.inside_.push_back(*inside);
  });
  if (rows.outside_.empty() || rows.inside_.empty()) return std::nullopt;
  return rows;
}

std::optional<ShortRows::Launch> ShortRows::met(std::span<const Datum> arguments,
                                                std::int64_t least) const {
  Launch launch;
  launch.rows = 1;
  for (const std::size_t parameter : outside_)
    launch.rows =
        std::min(most_rows, launch.rows * std::clamp<std::int64_t>(number_of(arguments, parameter),
                                                                   0, most_rows));
  if (launch.rows < least) return std::nullopt;
  for (std::size_t i = 0; i < inside_.size(); ++i)
    if (const std::int64_t extent = number_of(arguments, inside_[i]);
        extent >= 1 && extent <= longest)
      launch.extents[i] = static_cast<std::uint8_t>(extent);
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

/// Statements that are run, as far as extents are known; each branch counts.
double statements_run(const Function& kernel, const Body& body, std::span<const Datum> arguments) {
  const auto rounds = [&](const Operand& extent) {
    if (extent.is_constant()) return extent.scalar().as<std::int64_t>();
    const bool is_known = kernel.type(extent) == Type{ElementType::I64, {}};
    const std::optional<std::size_t> parameter =
        is_known ? parameter_of(kernel, extent) : std::nullopt;
    return parameter ? number_of(arguments, *parameter) : std::int64_t{1};
  };
  double sum = 0;
  for (const Statement& statement : body.statements) {
    double inside = 0;
    for_each_body(statement.operation,
                  [&](const Body& inner) { inside += statements_run(kernel, inner, arguments); });
    if (const auto* soac = std::get_if<Soac>(&statement.operation))
      inside *= static_cast<double>(std::max<std::int64_t>(rounds(soac->extent), 0));
    sum += 1 + inside;
  }
  return sum;
}

} // namespace

double row_nanoseconds(const Function& kernel, std::span<const Datum> arguments) {
  constexpr double statement_nanoseconds = 0.5; // (with a branch not taken or two)
  const Soac& rows = soac_of_rows(kernel, [](const Soac&) {});
  return statement_nanoseconds * statements_run(kernel, rows.body, arguments);
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
