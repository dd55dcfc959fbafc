// What is true of each kind of group: the table groups.def, to be asked.
#pragma once

#include "jit/ir/ir.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace sinter::ir {

enum class GroupKind : std::uint8_t {
#define SINTER_IR_GROUP(Kind, ...) Kind,
#include "jit/ir/groups.def"
#undef SINTER_IR_GROUP
};

inline GroupKind kind_of(const Group& group) {
  return static_cast<GroupKind>(group.index());
}
/// As in the text form: "map", "reduce", ….
std::string_view name(GroupKind kind);

/// What kind of work a kernel does: that of the group that demands most, or no SOAC's.
enum class Skeleton : std::uint8_t {
#define SINTER_IR_GROUP(Kind, ...) Kind,
#include "jit/ir/groups.def"
#undef SINTER_IR_GROUP
  Sequential,
  Walked, ///< it has no code: the host does its steps
};
/// "map", "reduce", …, "sequential", "walked".
std::string_view name(Skeleton skeleton);
/// As in groups.def.
std::string_view text_of(GroupKind kind);

/// How many of its SOAC's body results a group takes, and how many results it gives.
struct GroupArity {
  std::size_t body_results = 1, results = 1;
};
GroupArity arity(const Group& group);

/// The arrays that the group writes into: they are consumed, and its first results have their
/// memory, in order.
std::span<const Operand> destinations(const Group& group);
std::span<Operand> destinations(Group& group);
/// What becomes of a scan's prefixes, if that is not arrays; null for other groups.
const Post* post_of(const Group& group);
/// Whether a scan of the SOAC has a post.
bool has_post(const Soac& soac);
/// A post's text, as groups.def has those of groups.
inline constexpr std::string_view post_text = " post % %% end";
/// Its text.
inline constexpr std::string_view before_text = " after % (%)";
/// What a fold goes on from; null where that is nothing, or the group is no fold.
const Before* before_of(const Group& group);
/// Whether a fold of the SOAC, or of its posts, goes on from something.
bool has_before(const Soac& soac);
/// The operator, if the group has one.
const Body* operator_of(const Group& group);

/// Calls `visit(group, first body result, first result)` for each group of a SOAC or of a post,
/// where results are counted from that one's first.
template <typename SoacType, typename Visit>
void for_each_group(SoacType& soac, Visit&& visit) {
  std::size_t body_result = 0, result = 0;
  for (auto& group : soac.groups) {
    const GroupArity size = arity(group);
    visit(group, body_result, result);
    body_result += size.body_results;
    result += size.results;
  }
}

} // namespace sinter::ir
