#include "jit/passes/read_directions.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <unordered_map>
#include <utility>

namespace sinter::jit {

using namespace ir;

namespace {

class DirectionFinder {
public:
  explicit DirectionFinder(const Function& function) : function_(function) {}

  std::vector<DirectedRead> find() && {
    body(function_.body);
    return std::move(reads_);
  }

private:
  /// Levels of SOACs around, as bits from the outermost on, on whose indices a number depends.
  using Levels = std::uint64_t;
  static constexpr unsigned most_levels = 60;

  /// What a value looks at, and by which indices so far.
  struct Seen {
    ValueId array;
    std::vector<Levels> places;
    bool is_transposed = false;
    bool is_unclear = false; ///< other dimensions have changed places
  };
  /// The innermost SOAC around.
  struct Around {
    ValueId index;
    unsigned level = 0;
    bool is_map = false;
    bool is_loop = false; ///< there is one inside, around what is at hand
  };

  Levels levels(const Operand& operand) const {
    const auto found = operand.is_value() ? levels_.find(operand.value().index) : levels_.end();
    return found == levels_.end() ? 0 : found->second;
  }

  void body(const Body& body) {
    for (const Statement& statement : body.statements)
      this->statement(statement);
    for (const Operand& result : body.results)
      use(result);
  }

  void statement(const Statement& statement) {
    if (const auto* soac = std::get_if<Soac>(&statement.operation)) {
      this->soac(*soac);
      for (const ValueId result : statement.results)
        levels_[result.index] = all_levels();
      return;
    }
    Levels together = 0;
    for_each_operand(statement.operation,
                     [&](const Operand& operand) { together |= levels(operand); });
    if (is_strided_view(statement.operation))
      look(statement);
    else
      for_each_operand(statement.operation, [&](const Operand& operand) { use(operand); });
    const bool is_choice = std::holds_alternative<If>(statement.operation);
    const auto* const loop = std::get_if<For>(&statement.operation);
    const std::optional<Around> around = around_;
    if (loop && around_)
      around_->is_loop = true;
    else if (!is_choice)
      around_.reset();
    for_each_body(statement.operation, [&](const Body& inner) {
      for (const ValueId parameter : inner.parameters)
        levels_[parameter.index] = all_levels();
      if (loop) levels_[inner.parameters[0].index] = 0;
      body(inner);
      for (const Operand& result : inner.results)
        together |= levels(result);
    });
    around_ = around;
    for (const ValueId result : statement.results)
      levels_[result.index] = together;
  }

  void soac(const Soac& soac) {
    const std::optional<Around> around = around_;
    around_.reset();
    for (const Group& group : soac.groups) {
      for_each_operand(group, [&](const Operand& operand) { use(operand); });
      for_each_body(group, [&](const Body& inner) { body(inner); });
    }
    const ValueId index = soac.body.parameters[0];
    const unsigned level = std::min(depth_, most_levels);
    around_ = Around{index, level, has_only<MapGroup>(soac)};
    ++depth_;
    levels_[index.index] = Levels{1} << level;
    for (std::size_t i = 0; i < soac.inputs.size(); ++i) {
      const ValueId element = soac.body.parameters[i + 1];
      Seen view = this->view(soac.inputs[i]);
      view.places.push_back(levels(index));
      levels_[element.index] = levels(index);
      see(element, std::move(view));
    }
    body(soac.body);
    --depth_;
    around_ = around;
  }
  Levels all_levels() const { return (Levels{1} << std::min(depth_, most_levels)) - 1; }

  Seen view(ValueId array) const {
    const auto found = views_.find(array.index);
    return found == views_.end() ? Seen{array, {}} : found->second;
  }

  void look(const Statement& statement) {
    Seen view = this->view(source_array(statement.operation));
    if (const auto* index = std::get_if<ir::Index>(&statement.operation)) {
      for (const Operand& each : index->indices)
        view.places.push_back(levels(each));
    } else if (const auto* transpose = std::get_if<Transpose>(&statement.operation)) {
      if (transpose->permutation == std::vector<std::uint32_t>{1, 0} && view.places.empty())
        view.is_transposed = !view.is_transposed;
      else
        view.is_unclear = true;
    }
    see(statement.results[0], std::move(view));
  }

  /// What is seen is an element, which is read here, or an array.
  void see(ValueId seen, Seen view) {
    if (!function_.type(seen).is_scalar()) {
      views_.insert_or_assign(seen.index, std::move(view));
      return;
    }
    DirectedRead read{view.array};
    if (around_) {
      read.index = around_->index;
      read.is_in_loop = around_->is_loop;
      read.direction = direction(view, around_->level);
      if (around_->level > 0) read.if_swapped = direction(view, around_->level - 1);
    }
    reads_.push_back(read);
  }

  Direction direction(const Seen& view, unsigned level) const {
    std::vector<Levels> places = view.places;
    if (view.is_unclear || places.size() < 2) return Direction::Neither;
    if (view.is_transposed) std::swap(places[0], places[1]);
    const auto goes_along = [&](Levels levels) { return (levels >> level & 1) != 0; };
    const bool by_neighbours = goes_along(places.back());
    const bool by_rows = std::any_of(places.begin(), places.end() - 1, goes_along);
    if (by_neighbours == by_rows) return Direction::Neither;
    if (by_neighbours) return Direction::InOrder;
    return around_->is_map ? Direction::Across : Direction::Neither;
  }

  void use(const Operand& operand) {
    if (!operand.is_value() || function_.type(operand).is_scalar()) return;
    const Seen view = this->view(operand.value());
    const Direction direction = view.is_unclear      ? Direction::Neither
                                : view.is_transposed ? Direction::Across
                                                     : Direction::InOrder;
    reads_.push_back({view.array, direction, direction});
  }

  const Function& function_;
  std::optional<Around> around_; ///< nothing in loops and operators
  unsigned depth_ = 0;
  std::unordered_map<std::uint32_t, Levels> levels_; ///< of scalars, by value
  std::unordered_map<std::uint32_t, Seen> views_;    ///< by value
  std::vector<DirectedRead> reads_;
};

} // namespace

std::vector<DirectedRead> directed_reads(const Function& function) {
  return DirectionFinder(function).find();
}

} // namespace sinter::jit
