#include "jit/emit/skeletons.h"

#include <algorithm>
#include <variant>

namespace sinter::jit {
namespace {

/// What a row of skeletons.def says; a kind without a row is an error of the compiler.
template <typename GroupType>
struct Skeleton;

std::span<const ir::Operand> one_count() {
  static const ir::Operand any = ir::Operand::i64(0);
  return {&any, 1};
}

using phases::Combine, phases::Finish, phases::Run;
#define SINTER_SKELETON(Kind, partials, in_phases)                                                 \
  template <>                                                                                      \
  struct Skeleton<ir::Kind##Group> {                                                               \
    static constexpr unsigned phases = in_phases;                                                  \
    static std::span<const ir::Operand>                                                            \
    partial_values([[maybe_unused]] const ir::Kind##Group& o) {                                    \
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

std::span<const ir::Operand> partial_values(const ir::Group& group) {
  return std::visit(
      []<typename GroupType>(const GroupType& kind) {
        return Skeleton<GroupType>::partial_values(kind);
      },
      group);
}

std::vector<GroupPosition> group_positions(const ir::Soac& soac) {
  std::vector<GroupPosition> positions;
  GroupPosition next;
  for (const ir::Group& group : soac.groups) {
    positions.push_back(next);
    const ir::GroupArity arity = ir::arity(group);
    next.body_result += arity.body_results;
    next.result += arity.results;
    next.partial += partial_values(group).size();
  }
  return positions;
}

} // namespace sinter::jit
