#include "jit/emit/skeletons.h"

#include <algorithm>
#include <iterator>
#include <variant>

namespace sinter::jit {
namespace {

/// What a row of skeletons.def says; a kind without a row is an error of the compiler.
template <typename GroupType>
struct Skeleton;

std::vector<ir::Operand> one_count() {
  return {ir::Operand::i64(0)};
}

/// What is carried on, then what the post's groups leave.
std::vector<ir::Operand> of_scan(const ir::ScanGroup& scan) {
  std::vector<ir::Operand> values = scan.neutral;
  for (const ir::Post& post : scan.post)
    for (const ir::Group& group : post.groups)
      std::ranges::copy(partial_values(group), std::back_inserter(values));
  return values;
}

using phases::Combine, phases::Finish, phases::Run;
#define SINTER_SKELETON(Kind, partials, in_phases)                                                 \
  template <>                                                                                      \
  struct Skeleton<ir::Kind##Group> {                                                               \
    static constexpr unsigned phases = in_phases;                                                  \
    static std::vector<ir::Operand> partial_values([[maybe_unused]] const ir::Kind##Group& o) {    \
      return partials;                                                                             \
    }                                                                                              \
  };
#include "jit/emit/skeletons.def"
#undef SINTER_SKELETON

} // namespace

bool takes_part(const ir::Group& group, phases::Phase phase) {
  return std::visit([&]<typename GroupType>(
                        const GroupType&) { return (Skeleton<GroupType>::phases & phase) != 0; },
                    group);
}

bool takes_part(const ir::Soac& soac, phases::Phase phase) {
  return std::any_of(soac.groups.begin(), soac.groups.end(),
                     [&](const ir::Group& group) { return takes_part(group, phase); });
}

std::vector<ir::Operand> partial_values(const ir::Group& group) {
  return std::visit(
      []<typename GroupType>(const GroupType& kind) {
        return Skeleton<GroupType>::partial_values(kind);
      },
      group);
}

namespace {

std::vector<GroupPosition> positions_from(const std::vector<ir::Group>& groups,
                                          GroupPosition next) {
  std::vector<GroupPosition> positions;
  for (const ir::Group& group : groups) {
    positions.push_back(next);
    const ir::GroupArity arity = ir::arity(group);
    next.body_result += arity.body_results;
    next.result += arity.results;
    next.partial += partial_values(group).size();
  }
  return positions;
}

} // namespace

std::vector<GroupPosition> group_positions(const ir::Soac& soac) {
  return positions_from(soac.groups, {});
}

std::vector<GroupPosition> group_positions(const ir::ScanGroup& scan, const GroupPosition& at) {
  return positions_from(
      scan.post[0].groups,
      {.body_result = 0, .result = at.result, .partial = at.partial + scan.neutral.size()});
}

} // namespace sinter::jit
