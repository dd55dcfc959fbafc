#include "gpu/skeletons/segment_tile_code.h"

#include "lang/primitives/fold_order.h"

#include <bit>

namespace sinter::gpu {

using jit::LaneBuilder;
using llvm::Value;
using primitives::row_length;

namespace {
constexpr std::int64_t row_bits_of_order = std::countr_zero(std::uint64_t{row_length});
}

SegmentTileMemory::SegmentTileMemory(const std::vector<ElementType>& types) {
  const std::int64_t count = elements_of_segment_tile(types);
  elements = component_arrays(types, count + (count >> least_position_bits));
  totals = component_arrays(types, count >> least_position_bits);
}

SegmentTileCode::SegmentTileCode(EntryBuilder& entry, const SegmentFunctions& functions,
                                 std::size_t rank, BodyFunctions::Maps maps)
    : entry_(entry), functions_(functions), folds_(functions.folds()), rank_(rank), maps_(maps),
      memory_(folds_.types()), shared_(entry.call(AbstractFunction::shared_memory)),
      is_calm_(entry.b.variable(ElementType::Bool, jit::Shape::Uniform)) {
  entry.b.set(is_calm_, entry.b.uniform(entry.b.ir.getTrue(), ElementType::Bool));
}

// ---- places ------------------------------------------------------------------------------------

Value* SegmentTileCode::number(SegmentNumber which) const {
  return entry_.number(static_cast<unsigned>(which));
}
Value* SegmentTileCode::power(SegmentNumber bits) const {
  return entry_.b.ir.CreateShl(entry_.b.i64(1), number(bits));
}
Value* SegmentTileCode::leaves(SegmentTotals totals) const {
  return entry_.b.ir.CreateICmpEQ(number(SegmentNumber::Totals),
                                  entry_.b.i64(static_cast<std::int64_t>(totals)));
}
SegmentIndices SegmentTileCode::indices_of(Value* segment) const {
  return segment_indices(entry_, rank_, segment);
}

Value* SegmentTileCode::line_of_row(Value* segment_in_tile, Value* row_in_tile) const {
  LaneBuilder& b = entry_.b;
  return b.ir.CreateAdd(b.ir.CreateShl(row_in_tile, number(SegmentNumber::SegmentBits)),
                        segment_in_tile);
}

SegmentTileCode::Place SegmentTileCode::line_of(Value* line) const {
  LaneBuilder& b = entry_.b;
  Value* const in_group =
      b.ir.CreateAnd(line, b.ir.CreateSub(power(SegmentNumber::SegmentBits), b.i64(1)));
  Value* const row = b.ir.CreateLShr(line, number(SegmentNumber::SegmentBits));
  return {b.ir.CreateAdd(first_segment_, in_group), b.ir.CreateAdd(first_row_, row), line, nullptr};
}

SegmentTileCode::Place SegmentTileCode::place_of(Value* number_in_tile) const {
  LaneBuilder& b = entry_.b;
  const auto field = [&](SegmentNumber shift, SegmentNumber bits) {
    return b.ir.CreateAnd(b.ir.CreateLShr(number_in_tile, number(shift)),
                          b.ir.CreateSub(power(bits), b.i64(1)));
  };
  Value* const segment = field(SegmentNumber::SegmentShift, SegmentNumber::SegmentBits);
  Value* const row = field(SegmentNumber::RowShift, SegmentNumber::RowBits);
  return {b.ir.CreateAdd(first_segment_, segment), b.ir.CreateAdd(first_row_, row),
          line_of_row(segment, row),
          field(SegmentNumber::PositionShift, SegmentNumber::PositionBits)};
}

SegmentTileCode::Place SegmentTileCode::place_by_rows(Value* number_in_tile) const {
  LaneBuilder& b = entry_.b;
  const auto low = [&](Value* value, SegmentNumber bits) {
    return b.ir.CreateAnd(value, b.ir.CreateSub(power(bits), b.i64(1)));
  };
  Value* const rows = b.ir.CreateLShr(number_in_tile, number(SegmentNumber::PositionBits));
  Value* const row = low(rows, SegmentNumber::RowBits);
  Value* const segment = b.ir.CreateLShr(rows, number(SegmentNumber::RowBits));
  return {b.ir.CreateAdd(first_segment_, segment), b.ir.CreateAdd(first_row_, row),
          line_of_row(segment, row), low(number_in_tile, SegmentNumber::PositionBits)};
}

Value* SegmentTileCode::position_in_segment(const Place& element) const {
  LaneBuilder& b = entry_.b;
  return b.ir.CreateAdd(b.ir.CreateShl(element.row, row_bits_of_order), element.position);
}

Value* SegmentTileCode::is_there(const Place& element) const {
  LaneBuilder& b = entry_.b;
  return b.ir.CreateAnd(
      b.ir.CreateICmpSLT(position_in_segment(element), number(SegmentNumber::Length)),
      b.ir.CreateICmpSLT(element.segment, segment_word(entry_, SegmentWord::Segments)));
}

Value* SegmentTileCode::begin_of(Value* line) const {
  LaneBuilder& b = entry_.b;
  return b.ir.CreateAdd(b.ir.CreateShl(line, number(SegmentNumber::PositionBits)), line);
}

Value* SegmentTileCode::elements_of_tile() const {
  LaneBuilder& b = entry_.b;
  return b.ir.CreateShl(
      power(SegmentNumber::SegmentBits),
      b.ir.CreateAdd(number(SegmentNumber::RowBits), number(SegmentNumber::PositionBits)));
}

Value* SegmentTileCode::rows_of_tile() const {
  LaneBuilder& b = entry_.b;
  return b.lesser_of(power(SegmentNumber::RowBits),
                     b.ir.CreateSub(number(SegmentNumber::Rows), first_row_));
}

// ---- shared memory -----------------------------------------------------------------------------

Value* SegmentTileCode::totals() const {
  return entry_.b.ir.CreateConstGEP1_64(entry_.b.ir.getInt8Ty(), shared_,
                                        static_cast<std::uint64_t>(memory_.elements.bytes));
}
Components SegmentTileCode::element_at(Value* place) const {
  return folds_.load(entry_, shared_, memory_.elements, place);
}
void SegmentTileCode::set_element(Value* place, const Components& values) const {
  folds_.store(entry_, shared_, memory_.elements, place, values);
}
Components SegmentTileCode::total(Value* line) const {
  return folds_.load(entry_, totals(), memory_.totals, line);
}
void SegmentTileCode::set_total(Value* line, const Components& values) const {
  folds_.store(entry_, totals(), memory_.totals, line, values);
}

// ---- tiles -------------------------------------------------------------------------------------

void SegmentTileCode::for_each_item(const std::function<void(const Item&)>& body) {
  LaneBuilder& b = entry_.b;
  Value* const own = entry_.wide(AbstractFunction::thread_index);
  entry_.for_each(
      entry_.wide(AbstractFunction::block_index_x), number(SegmentNumber::Items),
      entry_.wide(AbstractFunction::grid_size_x), [&](Value* item) {
        Value* const items = number(SegmentNumber::ItemsOfGroup);
        Value* const group = quotient_below_2_31(entry_, item, items);
        first_segment_ = b.ir.CreateShl(group, number(SegmentNumber::SegmentBits));
        Value* const segment = b.ir.CreateAdd(first_segment_, own);
        body({b.ir.CreateSub(item, b.ir.CreateMul(group, items)), segment,
              b.ir.CreateAnd(
                  {b.ir.CreateNot(leaves(SegmentTotals::Rows)),
                   b.ir.CreateICmpSLT(own, power(SegmentNumber::SegmentBits)),
                   b.ir.CreateICmpSLT(segment, segment_word(entry_, SegmentWord::Segments))})});
      });
}

void SegmentTileCode::for_each_piece(const Item& item, const std::function<void()>& body) {
  LaneBuilder& b = entry_.b;
  Value* const pieces = number(SegmentNumber::PiecesOfItem);
  Value* const first = b.ir.CreateMul(item.chunk, pieces);
  b.loop(first, b.lesser_of(b.ir.CreateAdd(first, pieces), number(SegmentNumber::Pieces)), 1,
         [&](Value* piece) {
           b.set(is_calm_, b.uniform(b.ir.CreateAnd(b.get(is_calm_).value, entry_.may_go_on()),
                                     ElementType::Bool));
           first_row_ = b.ir.CreateShl(piece, number(SegmentNumber::RowBits));
           compute_elements();
           entry_.barrier();
           body();
         });
}

void SegmentTileCode::compute_elements() {
  LaneBuilder& b = entry_.b;
  if (functions_.lanes() == 1) return compute_each();
  b.if_then_else(
      b.ir.CreateICmpNE(number(SegmentNumber::IsWide), b.i64(0)), [&] { compute_wide(); },
      [&] { compute_each(); });
}

/// Of tiles whose rows are made of whole accesses.
void SegmentTileCode::compute_wide() {
  compute_by(functions_.lanes(), functions_.accesses_at_once(),
             [&](const Place& place, Value* is_wanted) {
               return functions_.elements(entry_, indices_of(place.segment),
                                          position_in_segment(place), is_wanted);
             });
}

void SegmentTileCode::compute_each() {
  compute_by(1, functions_.elements_at_once(), [&](const Place& place, Value* is_wanted) {
    return std::vector<Components>{functions_.element(
        entry_, indices_of(place.segment), position_in_segment(place), is_wanted, maps_)};
  });
}

/// So many elements an access, so many accesses on their way at a time: `elements` gives those from
/// a place on.
template <typename Elements>
void SegmentTileCode::compute_by(std::int64_t width, std::int64_t at_once, Elements&& elements) {
  LaneBuilder& b = entry_.b;
  Value* const step = b.ir.CreateMul(entry_.wide(AbstractFunction::block_size), b.i64(width));
  Value* const end = elements_of_tile();
  struct Computed {
    Value *is_there, *place;
    std::vector<Components> values;
  };
  entry_.for_each(
      b.ir.CreateMul(entry_.wide(AbstractFunction::thread_index), b.i64(width)), end,
      b.ir.CreateMul(step, b.i64(at_once)), [&](Value* first) {
        std::vector<Computed> computed;
        for (std::int64_t i = 0; i < at_once; ++i) {
          Value* const in_tile = b.ir.CreateAdd(first, b.ir.CreateMul(step, b.i64(i)));
          const Place place = place_of(in_tile);
          Value* const is_wanted = b.ir.CreateAnd(
              {b.get(is_calm_).value, b.ir.CreateICmpSLT(in_tile, end), is_there(place)});
          computed.push_back({is_wanted, b.ir.CreateAdd(begin_of(place.line), place.position),
                              elements(place, is_wanted)});
        }
        for (const Computed& access : computed)
          b.if_then(access.is_there, [&] {
            for (std::size_t lane = 0; lane < access.values.size(); ++lane)
              set_element(b.ir.CreateAdd(access.place, b.i64(static_cast<std::int64_t>(lane))),
                          access.values[lane]);
          });
      });
}

void SegmentTileCode::fold_rows(
    const std::function<void(const Place&, const RunningValues&)>& done,
    const std::function<void(Value*, const RunningValues&)>& after) const {
  LaneBuilder& b = entry_.b;
  Value* const lines =
      b.ir.CreateShl(power(SegmentNumber::SegmentBits), number(SegmentNumber::RowBits));
  entry_.for_each_of_block(b.i64(0), lines, [&](Value* line) {
    const Place row = line_of(line);
    Value* const is_there = b.ir.CreateAnd(
        b.ir.CreateICmpSLT(row.row, number(SegmentNumber::Rows)),
        b.ir.CreateICmpSLT(row.segment, segment_word(entry_, SegmentWord::Segments)));
    b.if_then(is_there, [&] {
      Value* const begin = begin_of(line);
      Value* const length = b.lesser_of(b.i64(row_length),
                                        b.ir.CreateSub(number(SegmentNumber::Length),
                                                       b.ir.CreateShl(row.row, row_bits_of_order)));
      const RunningValues sum =
          folds_.running(entry_, functions_.neutral(entry_, indices_of(row.segment)));
      folds_.fold_in_order(entry_, sum, begin, b.ir.CreateAdd(begin, length),
                           [&](Value* place) { return element_at(place); },
                           {.after =
                                [&](Value* place) {
                                  if (after) after(place, sum);
                                },
                            .words_at_once = after ? words_beside_prefixes : words_of_folds});
      done(row, sum);
    });
  });
}

void SegmentTileCode::for_each_element(
    const std::function<void(const Place&, Value*)>& body) const {
  LaneBuilder& b = entry_.b;
  entry_.for_each_of_block(b.i64(0), elements_of_tile(), [&](Value* in_tile) {
    const Place place = place_by_rows(in_tile);
    b.if_then(is_there(place),
              [&] { body(place, b.ir.CreateAdd(begin_of(place.line), place.position)); });
  });
}

} // namespace sinter::gpu
