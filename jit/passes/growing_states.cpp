#include "jit/passes/growing_states.h"

#include "jit/ir/walk.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace sinter::jit {

using namespace ir;

namespace {

using ScalarOperation = primitives::Operation;

/// Growth by more a round is not followed.
constexpr std::int64_t most_growth = 64;

/// By how much a round's values are more than a state of it.
class Growth {
public:
  Growth(const Body& body, const Knowledge& known) : known_(known) { note(body); }

  /// Of a value and a state: at most; nothing if it may be less than nothing, or is not known.
  std::optional<std::int64_t> of(const Operand& value, ValueId state) {
    state_ = state;
    steps_ = 0;
    return of(value);
  }

private:
  static constexpr unsigned most_steps = 32;

  std::optional<std::int64_t> of(const Operand& value) {
    const Operand resolved = known_.substitution.resolve(value);
    if (resolved == Operand(state_)) return 0;
    if (resolved.is_constant()) return std::nullopt;
    const auto found = definitions_.find(resolved.value().index);
    if (found == definitions_.end() || ++steps_ > most_steps) return std::nullopt;
    const Statement& statement = *found->second;
    if (const auto* select = std::get_if<Select>(&statement.operation))
      return greater(of(select->then_value), of(select->else_value));
    if (const auto* choice = std::get_if<If>(&statement.operation)) {
      const auto at = static_cast<std::size_t>(
          std::ranges::find(statement.results, resolved.value()) - statement.results.begin());
      return greater(of(choice->then_body.results[at]), of(choice->else_body.results[at]));
    }
    const auto* primitive = std::get_if<Primitive>(&statement.operation);
    if (!primitive || primitive->primitive->operation != ScalarOperation::Add) return std::nullopt;
    for (const std::size_t side : {0, 1})
      if (const auto step = constant_step(primitive->arguments[1 - side]))
        if (const auto before = of(primitive->arguments[side]))
          return *before + *step <= most_growth ? std::optional(*before + *step) : std::nullopt;
    return std::nullopt;
  }

  static std::optional<std::int64_t> greater(std::optional<std::int64_t> a,
                                             std::optional<std::int64_t> b) {
    return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
  }
  /// What is added at most, if that is not less than nothing.
  std::optional<std::int64_t> constant_step(const Operand& operand) const {
    const Operand resolved = known_.substitution.resolve(operand);
    if (resolved.is_constant()) {
      const auto number = resolved.scalar().as<std::int64_t>();
      return number >= 0 && number <= most_growth ? std::optional(number) : std::nullopt;
    }
    const auto found = definitions_.find(resolved.value().index);
    const auto* convert =
        found == definitions_.end() ? nullptr : std::get_if<Primitive>(&found->second->operation);
    const bool is_truth = convert && convert->primitive->operation == ScalarOperation::Convert &&
                          convert->primitive->operand == ElementType::Bool;
    return is_truth ? std::optional<std::int64_t>(1) : std::nullopt;
  }
  /// Of the body, and of branches inside.
  void note(const Body& body) {
    for (const Statement& statement : body.statements) {
      for (const ValueId result : statement.results)
        definitions_.emplace(result.index, &statement);
      if (const auto* choice = std::get_if<If>(&statement.operation)) {
        note(choice->then_body);
        note(choice->else_body);
      }
    }
  }

  const Knowledge& known_;
  ValueId state_;
  std::unordered_map<std::uint32_t, const Statement*> definitions_;
  unsigned steps_ = 0;
};

/// A number of 32 bits does not wrap around while the rounds are counted in as many.
bool has_short_bound(const For& loop, const Knowledge& known) {
  if (loop.index_type == ElementType::I32) return true;
  if (loop.bound.is_constant())
    return loop.bound.scalar().as<std::int64_t>() < std::int64_t{1} << 31;
  const Primitive* const made = known.primitive(loop.bound);
  return made && made->primitive == primitives::conversion(ElementType::I32, ElementType::I64);
}

/// Calls `note(state, growth)` for each state that grows from a number that is not negative.
template <typename Note>
void for_each_growing(const For& loop, Knowledge& known, const Note& note) {
  if (!is_signed(loop.index_type)) return;
  std::optional<Growth> growth;
  for (std::size_t i = 0; i < loop.initial.size(); ++i) {
    const ValueId state = loop.body.parameters[i + 1];
    const Type& type = known.function.type(state);
    const bool is_long = type == Type{ElementType::I64, {}};
    const bool is_short = type == Type{ElementType::I32, {}} && loop.initial[i].is_constant() &&
                          loop.initial[i].scalar().as<std::int64_t>() == 0;
    if (!is_long && !is_short) continue;
    if (!growth) growth.emplace(loop.body, known);
    const std::optional<std::int64_t> most = growth->of(loop.body.results[i], state);
    if (!most || (is_short && (*most > 1 || !has_short_bound(loop, known)))) continue;
    note(i, *most);
  }
}

} // namespace

void note_growing_states(const For& loop, Knowledge& known) {
  for_each_growing(loop, known, [&](std::size_t i, std::int64_t most) {
    known.facts.grows(loop.body.parameters[i + 1], loop.initial[i], loop.body.parameters[0], most);
  });
}

void note_grown_states(const For& loop, const Statement& statement, Knowledge& known) {
  const Operand none = Operand::constant(loop.index_type, Scalar::of<std::int64_t>(0));
  if (!known.facts.is_at_most(none, loop.bound)) return;
  for_each_growing(loop, known, [&](std::size_t i, std::int64_t most) {
    known.facts.grows(statement.results[i], loop.initial[i], loop.bound, most);
  });
}

} // namespace sinter::jit
