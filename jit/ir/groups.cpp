#include "jit/ir/groups.h"

#include "jit/ir/operations.h"
#include "lang/base/overloaded.h"

#include <algorithm>
#include <array>
#include <variant>

namespace sinter::ir {
namespace {

constexpr std::array group_texts = {
#define SINTER_IR_GROUP(Kind, text, ...) std::string_view(text),
#include "jit/ir/groups.def"
#undef SINTER_IR_GROUP
};

std::size_t passed_values(const ScanGroup& scan) {
  return scan.post.empty() ? 0 : scan.post[0].value_count;
}
std::size_t results_of(const ScanGroup& scan) {
  if (scan.post.empty()) return scan.neutral.size();
  std::size_t count = 0;
  for (const Group& group : scan.post[0].groups)
    count += arity(group).results;
  return count;
}

#define SINTER_IR_GROUP(Kind, text, body_results, results, ...)                                    \
  GroupArity arity_of([[maybe_unused]] const Kind##Group& o) {                                     \
    return {body_results, results};                                                                \
  }
#include "jit/ir/groups.def"
#undef SINTER_IR_GROUP

template <typename GroupType, typename Destination>
std::span<Destination> destinations_of(GroupType& group) {
  if (auto* scatter = std::get_if<ScatterGroup>(&group)) return {&scatter->destination, 1};
  if (auto* histogram = std::get_if<HistogramGroup>(&group)) return histogram->destinations;
  return {};
}

} // namespace

std::string_view text_of(GroupKind kind) {
  return group_texts[static_cast<std::size_t>(kind)];
}

std::string_view name(GroupKind kind) {
  const std::string_view text = text_of(kind);
  return text.substr(0, text.find(' '));
}

std::string_view name(Skeleton skeleton) {
  if (skeleton == Skeleton::Sequential) return "sequential";
  if (skeleton == Skeleton::Walked) return "walked";
  return name(static_cast<GroupKind>(skeleton));
}

GroupArity arity(const Group& group) {
  return std::visit([](const auto& g) { return arity_of(g); }, group);
}

std::span<const Operand> destinations(const Group& group) {
  return destinations_of<const Group, const Operand>(group);
}
std::span<Operand> destinations(Group& group) {
  return destinations_of<Group, Operand>(group);
}

const Post* post_of(const Group& group) {
  const auto* scan = std::get_if<ScanGroup>(&group);
  return scan && !scan->post.empty() ? &scan->post[0] : nullptr;
}

const Before* before_of(const Group& group) {
  const auto* reduce = std::get_if<ReduceGroup>(&group);
  const auto* scan = std::get_if<ScanGroup>(&group);
  if (reduce && !reduce->before.empty()) return &reduce->before[0];
  return scan && !scan->before.empty() ? &scan->before[0] : nullptr;
}

bool has_before(const Soac& soac) {
  return std::ranges::any_of(soac.groups, [](const Group& group) {
    const Post* const post = post_of(group);
    return before_of(group) || (post && std::ranges::any_of(post->groups, before_of));
  });
}

bool has_post(const Soac& soac) {
  return std::ranges::any_of(soac.groups, [](const Group& group) { return post_of(group); });
}

const Body* operator_of(const Group& group) {
  return std::visit(
      [](const auto& g) -> const Body* {
        if constexpr (requires { g.combine; }) return &g.combine;
        return nullptr;
      },
      group);
}

} // namespace sinter::ir
