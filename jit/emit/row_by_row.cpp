// What lanes that each go along a row of memory compute in scalar code, a row after the other, in
// lanes along the row (rows.cpp).
#include "jit/emit/body.h"

#include "jit/ir/walk.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace sinter::jit {

using llvm::Value;

namespace {

/// Fewer lanes are not gone through at a time along rows.
constexpr unsigned least_row_lanes = 4;

} // namespace

/// A number of each lane, as one that is read in scalar code with the lane's number.
BodyEmitter::ByLane BodyEmitter::by_lane(const LaneValue& value) {
  if (value.shape == Shape::Uniform) return {value, nullptr};
  if (value.shape == Shape::Linear) return {value, nullptr};
  Value* vector = value.value;
  if (value.element == ElementType::Bool)
    vector = b.ir.CreateZExt(
        vector, llvm::FixedVectorType::get(b.memory_type(ElementType::Bool), b.lanes()));
  auto* const place = b.stack(vector->getType(), 1);
  place->setAlignment(llvm::Align(64));
  b.ir.CreateStore(vector, place);
  return {value, place};
}

LaneValue BodyEmitter::of_lane(const ByLane& saved, Value* lane) {
  const LaneValue& value = saved.value;
  if (value.shape == Shape::Uniform) return value;
  if (value.shape == Shape::Linear)
    return b.uniform(b.ir.CreateAdd(value.value, b.ir.CreateTrunc(lane, value.value->getType())),
                     value.element);
  llvm::Type* const type = b.memory_type(value.element);
  Value* one = b.ir.CreateLoad(type, b.ir.CreateGEP(type, saved.place, lane));
  if (value.element == ElementType::Bool)
    one = b.ir.CreateICmpNE(one, llvm::Constant::getNullValue(type));
  return b.uniform(one, value.element);
}

/// Runs `body` in scalar code for each lane, with its number and its end of the range (`begin` for
/// lanes that are not active); what the SOAC knows of the lanes is then what it knows of that one.
void BodyEmitter::for_each_lane_of(
    const ir::Soac& soac, const std::vector<GroupState>& states, Value* begin, const LaneValue& end,
    const std::function<void(Value* lane, Value* end, std::vector<GroupState>& row)>& body) {
  struct Known {
    std::uint32_t value;
    Emitted emitted;
    ByLane number; ///< itself, or an array's offset
  };
  std::vector<Known> known;
  std::vector<ir::ValueId> used = ir::free_values(source_, soac.body);
  used.insert(used.end(), soac.inputs.begin(), soac.inputs.end());
  for (const ir::Group& group : soac.groups)
    if (const auto* reduce = std::get_if<ir::ReduceGroup>(&group)) {
      for (const ir::ValueId value : ir::free_values(source_, reduce->combine))
        used.push_back(value);
      for (const ir::Operand& neutral : reduce->neutral)
        if (neutral.is_value()) used.push_back(neutral.value());
    }
  for (const ir::ValueId value : used) {
    const bool is_known = std::any_of(
        known.begin(), known.end(), [&](const Known& other) { return other.value == value.index; });
    if (is_known || !environment_[value.index]) continue;
    const Emitted& emitted = *environment_[value.index];
    const auto* view = std::get_if<ArrayView>(&emitted);
    const LaneValue number = view ? view->offset : std::get<LaneValue>(emitted);
    if (number.shape != Shape::Uniform) known.push_back({value.index, emitted, by_lane(number)});
  }
  std::vector<ByLane> places;
  places.reserve(states.size());
  for (const GroupState& state : states)
    places.push_back(stored_of(state) ? by_lane(stored_of(state)->places[0].offset) : ByLane{});
  LaneValue last = end;
  if (b.mask)
    last = b.varying(b.ir.CreateSelect(b.mask, b.vector(end), b.splat(begin)), ElementType::I64);
  const ByLane last_of_lanes = by_lane(last);
  const std::optional<ByLane> outer =
      outer_index_ ? std::optional(by_lane(*outer_index_)) : std::nullopt;

  ir::for_each_body(soac, [&](const ir::Body& inner) { uniformity_.analyse(inner); });
  Value* const mask = b.mask;
  const unsigned lanes = b.lanes();
  const auto saved_outer = outer_index_;
  auto saved_turned = std::exchange(turned_, std::nullopt);
  b.leave_lanes();
  b.kernel.width = b.kernel.row_width;
  b.loop(b.i64(0), b.i64(lanes), 1, [&](Value* lane) {
    for (const Known& one : known) {
      Emitted emitted = one.emitted;
      if (auto* view = std::get_if<ArrayView>(&emitted))
        view->offset = of_lane(one.number, lane);
      else
        emitted = of_lane(one.number, lane);
      environment_[one.value] = std::move(emitted);
    }
    std::vector<GroupState> row = states;
    for (std::size_t g = 0; g < row.size(); ++g)
      if (Stored* stored = stored_of(row[g])) stored->places[0].offset = of_lane(places[g], lane);
    if (outer) outer_index_ = of_lane(*outer, lane);
    body(lane, of_lane(last_of_lanes, lane).value, row);
  });
  b.kernel.width = lanes;
  b.enter_lanes(mask);
  turned_ = std::move(saved_turned);
  outer_index_ = saved_outer;
  for (const Known& one : known)
    environment_[one.value] = one.emitted;
}

/// Where the tiles of each lane begin, for `compute_row`.
std::vector<std::vector<BodyEmitter::ByLane>>
BodyEmitter::tiles_by_lane(const std::vector<FoldedRows>& folded) {
  std::vector<std::vector<ByLane>> tiles;
  for (const FoldedRows& rows : folded) {
    tiles.emplace_back();
    for (const ArrayView& elements : rows.elements)
      tiles.back().push_back(by_lane(elements.offset));
  }
  return tiles;
}

/// In scalar code: what is computed of a lane's row goes into the lane's part of the tiles.
void BodyEmitter::fold_into_tiles(std::vector<GroupState>& row,
                                  const std::vector<FoldedRows>& folded,
                                  const std::vector<std::vector<ByLane>>& tiles, Value* lane) {
  for (std::size_t f = 0; f < folded.size(); ++f) {
    Folding into;
    into.tile = folded[f].elements;
    for (std::size_t i = 0; i < into.tile.size(); ++i) {
      into.tile[i].offset = of_lane(tiles[f][i], lane);
      into.is_input.push_back(!folded[f].are_in_tile[i]);
    }
    fold_of(row[folded[f].group])->folding = std::move(into);
  }
}

/// In scalar code: the elements of one lane's row.
void BodyEmitter::compute_row(const ir::Soac& soac, std::vector<GroupState>& row, Value* begin,
                              Value* end) {
  const bool across = std::exchange(across_lanes_, true);
  elements_in_lanes(soac, row, begin, end);
  across_lanes_ = across;
}

/// The same, of a row that is often no longer than a vector, or half of one: that is one under a
/// mask then.  (Where elements come from afar, by gathers, what stands between two of them counts:
/// the fewer instructions, the more of them are under way.  A gather of lanes that are not there
/// takes as many as any.)
void BodyEmitter::compute_short_row(const ir::Soac& soac, std::vector<GroupState>& row,
                                    Value* end) {
  const auto any_row = [&] { compute_row(soac, row, b.i64(0), end); };
  if (b.kernel.is_compact || !is_light(soac.body) || wants_pieces(soac)) return any_row();
  const unsigned whole = b.kernel.width;
  const auto one_vector = [&](unsigned width) {
    const bool across = std::exchange(across_lanes_, true);
    b.kernel.width = width;
    Value* const count = b.ir.CreateTrunc(end, b.ir.getInt32Ty());
    b.enter_lanes(b.first_lanes_of(width, b.ir.CreateVectorSplat(width, count)));
    element(soac, row, b.linear(b.i64(0)));
    b.leave_lanes();
    b.kernel.width = whole;
    across_lanes_ = across;
  };
  const auto is_at_most = [&](unsigned width) {
    return b.ir.CreateICmpSLE(end, b.i64(std::int64_t{width}));
  };
  const auto whole_or_longer = [&] {
    b.if_then_else(
        is_at_most(whole), [&] { one_vector(whole); }, any_row);
  };
  if (whole < least_row_lanes * 2 || !reads_elements(soac.body)) return whole_or_longer();
  b.if_then_else(
      is_at_most(whole / 2), [&] { one_vector(whole / 2); }, whole_or_longer);
}

} // namespace sinter::jit
