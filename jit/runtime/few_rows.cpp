#include "jit/runtime/few_rows.h"

#include "jit/ir/groups.h"
#include "jit/ir/walk.h"
#include "jit/runtime/launch_numbers.h"

#include <algorithm>

namespace sinter::jit {

using namespace ir;

namespace {

/// Fewer elements inside are not worth launches of their own.
constexpr std::int64_t least_worth_launches = 1 << 15;
/// So many do not stay in a thread's caches: a step over them takes memory's time, which all
/// threads together use better than each with a row of its own.  Of up to so many rows, as these
/// then need not be a multiple of the threads, either.
constexpr std::int64_t least_large = 1 << 22, most_large_rows = 64;
/// Where loops go over the same ones again and again, those that do not stay in the cache of one
/// thread may in the caches of all, and launches that follow each other are run piece by piece.
constexpr std::int64_t least_large_again = 1 << 18;

/// Calls `visit` for the SOACs that are launches where the host goes through the body.
template <typename Visit>
void for_each_soac_at_host_level(const Body& body, const Visit& visit) {
  for (const Statement& statement : body.statements) {
    if (const auto* soac = std::get_if<Soac>(&statement.operation))
      visit(*soac);
    else
      for_each_body(statement.operation,
                    [&](const Body& inner) { for_each_soac_at_host_level(inner, visit); });
  }
}

/// Whether what becomes of elements is little for the host beside what they are made of.
bool are_walked_well(const Function& function, const Soac& soac) {
  bool are = true;
  for_each_group(soac, [&](const Group& group, std::size_t first, std::size_t) {
    if (std::holds_alternative<MapGroup>(group)) return;
    are = are &&
          (std::holds_alternative<ReduceGroup>(group) || std::holds_alternative<ScanGroup>(group));
    for (std::size_t i = 0; are && i < arity(group).body_results; ++i)
      are = function.type(soac.body.results[first + i]).is_scalar();
  });
  return are;
}

} // namespace

std::optional<FewRows> FewRows::of(const Function& kernel) {
  if (kernel.body.statements.size() != 1) return std::nullopt;
  const auto* const outer = std::get_if<Soac>(&kernel.body.statements[0].operation);
  if (!outer || !are_walked_well(kernel, *outer)) return std::nullopt;
  FewRows rows;
  const std::optional<std::size_t> extent = parameter_of(kernel, outer->extent);
  if (!extent) return std::nullopt;
  rows.extent_ = *extent;
  rows.makes_rows_alone_ = true;
  rows.has_loops_ = std::ranges::any_of(outer->body.statements, [](const Statement& statement) {
    return std::holds_alternative<For>(statement.operation) ||
           std::holds_alternative<While>(statement.operation);
  });
  rows.makes_rows_ = std::ranges::any_of(
      outer->body.results, [&](const Operand& result) { return !kernel.type(result).is_scalar(); });
  for_each_soac_at_host_level(outer->body, [&](const Soac& soac) {
    if (const std::optional<std::size_t> inside = parameter_of(kernel, soac.extent))
      rows.inside_.push_back(*inside);
    rows.makes_rows_alone_ = rows.makes_rows_alone_ && has_only<MapGroup>(soac);
  });
  if (rows.inside_.empty()) return std::nullopt;
  return rows;
}

bool FewRows::applies(std::span<const Datum> arguments, unsigned threads,
                      std::int64_t least_inside) const {
  if (threads < 2) return false;
  const std::int64_t count = number_of(arguments, extent_);
  if (count < 1 || (count > 1 && makes_rows_alone_)) return false;
  const bool are_fewer = count < std::int64_t{threads};
  if (!are_fewer && (count > most_large_rows || (makes_rows_ && !has_loops_))) return false;
  const std::int64_t least = least_inside != 0 ? least_inside
                             : are_fewer       ? least_worth_launches
                             : has_loops_      ? least_large_again
                                               : least_large;
  return std::ranges::any_of(
      inside_, [&](std::size_t parameter) { return number_of(arguments, parameter) >= least; });
}

} // namespace sinter::jit
