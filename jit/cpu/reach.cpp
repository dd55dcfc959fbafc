#include "jit/cpu/reach.h"

#include "jit/ir/index_positions.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <unordered_map>

namespace sinter::jit {

using primitives::Operation;

namespace {

/// Farther than this is anywhere: sums of a few such numbers and sizes do not wrap around.
constexpr std::int64_t far_away = std::int64_t{1} << 40;

/// Where a number that follows from the index lies.  What clamps it from above may lie anywhere
/// before it, but not for the last index; what clamps it from below, for the first.
struct Place {
  std::int64_t least = 0, greatest = 0; ///< distances from the index
  std::vector<Distance> upper, lower;   ///< bounds that took its place
};

class ReachFinder {
public:
  explicit ReachFinder(const ir::Function& function) : function_(function) {
    const std::vector<ir::ValueId>& parameters = function.body.parameters;
    reaches_.resize(parameters.size());
    for (std::uint32_t i = 0; i < parameters.size(); ++i) {
      parameters_.emplace(parameters[i].index, i);
      if (!function.type(parameters[i]).is_scalar()) reaches_[i] = Reach{};
    }
  }

  std::vector<std::optional<Reach>> run() {
    const auto* soac = function_.body.statements.size() == 1
                           ? std::get_if<ir::Soac>(&function_.body.statements[0].operation)
                           : nullptr;
    if (!soac) return std::vector<std::optional<Reach>>(reaches_.size());
    places_.define(soac->body.parameters);
    places_.set(soac->body.parameters[0], Place{});
    for (const ir::ValueId input : soac->inputs)
      note(input, Place{});
    visit(soac->body);
    return std::move(reaches_);
  }

private:
  std::optional<std::uint32_t> parameter(ir::ValueId value) const {
    const auto found = parameters_.find(value.index);
    if (found == parameters_.end()) return std::nullopt;
    return found->second;
  }
  /// A number that is known at launch.
  std::optional<SizeTerm> term(const ir::Operand& operand) const {
    if (operand.is_constant()) return SizeTerm{operand.scalar().as<std::int64_t>(), {}};
    if (const auto known = parameter(operand.value())) return SizeTerm{0, known};
    return std::nullopt;
  }

  void note(ir::ValueId array, const Place& at) {
    const auto known = parameter(array);
    if (!known || !reaches_[*known]) return;
    Reach& reach = *reaches_[*known];
    reach.least.push_back({at.least, {}});
    reach.greatest.push_back({at.greatest, {}});
    reach.least.insert(reach.least.end(), at.upper.begin(), at.upper.end());
    reach.greatest.insert(reach.greatest.end(), at.lower.begin(), at.lower.end());
  }
  void note_anywhere(const ir::Operand& operand) {
    if (operand.is_constant()) return;
    if (const auto known = parameter(operand.value())) reaches_[*known].reset();
  }

  void visit(const ir::Body& body) {
    places_.define(body.parameters);
    for (const ir::Statement& statement : body.statements) {
      const ir::Operation& operation = statement.operation;
      places_.define(statement.results);
      if (const auto* index = std::get_if<ir::Index>(&operation)) {
        if (const Place* const at = places_.find(index->indices[0]))
          note(index->array, *at);
        else
          note_anywhere(index->array);
      } else {
        ir::for_each_operand(operation,
                             [&](const ir::Operand& operand) { note_anywhere(operand); });
      }
      if (const auto* primitive = std::get_if<ir::Primitive>(&operation))
        visit(statement.results[0], *primitive);
      ir::for_each_body(operation, [&](const ir::Body& inner) { visit(inner); });
    }
    for (const ir::Operand& result : body.results)
      note_anywhere(result);
  }

  void visit(ir::ValueId result, const ir::Primitive& op) {
    const auto step = places_.step(op);
    if (!step.from) return;
    const std::optional<std::int64_t> by =
        step.by.is_constant() ? std::optional(step.by.scalar().as<std::int64_t>()) : std::nullopt;
    std::optional<Place> to;
    const Operation operation = op.primitive->operation;
    if (operation == Operation::Add && by) {
      to = moved(*step.from, *by);
    } else if (operation == Operation::Subtract && by && !step.is_exchanged && *by != INT64_MIN) {
      to = moved(*step.from, -*by);
    } else if (operation == Operation::Minimum || operation == Operation::Maximum) {
      if (const std::optional<SizeTerm> bound = term(step.by)) {
        to = *step.from;
        (operation == Operation::Minimum ? to->upper : to->lower).push_back({0, bound});
      }
    }
    if (to) places_.set(result, std::move(*to));
  }

  static std::optional<Place> moved(Place place, std::int64_t by) {
    if (by <= -far_away || by >= far_away) return std::nullopt;
    const auto add = [&](std::int64_t& number) {
      number += by;
      return number > -far_away && number < far_away;
    };
    bool is_near = add(place.least) && add(place.greatest);
    for (std::vector<Distance>* bounds : {&place.upper, &place.lower})
      for (Distance& bound : *bounds)
        is_near = add(bound.constant) && is_near;
    if (!is_near) return std::nullopt;
    return place;
  }

  const ir::Function& function_;
  std::unordered_map<std::uint32_t, std::uint32_t> parameters_;
  ir::IndexPositions<Place> places_;
  std::vector<std::optional<Reach>> reaches_;
};

} // namespace

std::vector<std::optional<Reach>> reaches(const ir::Function& function) {
  return ReachFinder(function).run();
}

namespace {

/// A bound's place, or the index's own.
std::int64_t place_of(const Distance& distance, std::span<const std::uint64_t> scalars) {
  if (!distance.bound) return 0;
  return std::clamp(value_of(*distance.bound, scalars), -far_away, far_away);
}

} // namespace

std::int64_t farthest_before(const Reach& reach, std::int64_t count,
                             std::span<const std::uint64_t> scalars) {
  std::int64_t result = 0;
  for (const Distance& distance : reach.least) {
    const std::int64_t from = distance.bound ? count - 1 : 0;
    result = std::max(result, from - place_of(distance, scalars) - distance.constant);
  }
  return result;
}

std::int64_t farthest_behind(const Reach& reach, std::span<const std::uint64_t> scalars) {
  std::int64_t result = 0;
  for (const Distance& distance : reach.greatest)
    result = std::max(result, place_of(distance, scalars) + distance.constant);
  return result;
}

std::int64_t farthest(const Reach& reach, std::int64_t count,
                      std::span<const std::uint64_t> scalars) {
  return std::max(farthest_before(reach, count, scalars), farthest_behind(reach, scalars));
}

} // namespace sinter::jit
