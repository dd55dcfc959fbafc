// Stencils whose neighbours are a few elements away (edge_reads.h): vectors are read once, in
// order, and moved for the neighbours.  By one element:
//
//   before = t[lo - 1, clamped] in the last lane
//   at     = t[lo … lo + W - 1]
//   for first in steps of W
//     after = t[first + W …], or, at the end, t[first + W, clamped] in the first lane
//     the body, with    p c0 c1 c2    c0 c1 c2 c3    c1 c2 c3 n
//     before, at = at, after
//
// What is left over (parts of vectors, at the ends, and what lies beyond a bound) is computed with
// clamped indices in each lane, under a mask.
#include "jit/emit/body.h"
#include "jit/emit/edge_reads.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::jit {

using llvm::Value;
using primitives::Operation;

namespace {

using Clamps = std::vector<std::pair<Operation, Value*>>;

/// A row of which vectors are read, one after the other.
struct MovingRow {
  const EdgeRow* row = nullptr;
  ArrayView elements;
  Clamps before_clamps, after_clamps;
  Variable before, at, after;
};

std::int64_t farthest(const EdgeReads& reads) {
  std::int64_t result = 0;
  for (const EdgeRow& row : reads.rows)
    for (const std::vector<EdgeRow::Neighbour>* side : {&row.before, &row.after})
      for (const EdgeRow::Neighbour& read : *side)
        result = std::max(result, read.distance);
  return result;
}

/// What reads of rows give for the vector at hand, by the results of their statements.
class MovingRows {
public:
  using Reads = std::unordered_map<std::uint32_t, LaneValue>;
  MovingRows(LaneBuilder& builder, std::vector<MovingRow> rows, Reads& reads)
      : b(builder), rows_(std::move(rows)), reads_(reads) {}

  const std::vector<MovingRow>& rows() const { return rows_; }

  /// In lane code, as all below.
  void begin(Value* first) {
    for (MovingRow& row : rows_) {
      if (!row.row->before.empty()) {
        row.before = b.variable(row.elements.element, Shape::Varying);
        b.set(row.before, beside(row, first, -1));
      }
      if (!row.row->after.empty()) {
        row.after = b.variable(row.elements.element, Shape::Varying);
        row.at = b.variable(row.elements.element, Shape::Varying);
        b.set(row.at, vector_at(row, first));
      }
    }
  }

  void read_and_move(Value* first, Value* end) {
    read_behind(b.ir.CreateAdd(first, b.i64(b.lanes())), end);
    for (const MovingRow& row : rows_) {
      const bool has_before = !row.row->before.empty(), has_after = !row.row->after.empty();
      const LaneValue at = has_after ? b.get(row.at) : vector_at(row, first);
      for (const ir::ValueId result : row.row->at)
        reads_[result.index] = at;
      if (has_before) {
        for (const EdgeRow::Neighbour& read : row.row->before)
          reads_[read.result.index] =
              moved(b.get(row.before), at, std::int64_t{b.lanes()} - read.distance);
        b.set(row.before, at);
      }
      if (has_after) {
        for (const EdgeRow::Neighbour& read : row.row->after)
          reads_[read.result.index] = moved(at, b.get(row.after), read.distance);
        b.set(row.at, b.get(row.after));
      }
    }
  }

  void read_in_place(Value* first) {
    for (const MovingRow& row : rows_) {
      for (const ir::ValueId result : row.row->at)
        reads_[result.index] = vector_at(row, first);
      for (const EdgeRow::Neighbour& read : row.row->before)
        reads_[read.result.index] = vector_at(row, b.ir.CreateSub(first, b.i64(read.distance)));
      for (const EdgeRow::Neighbour& read : row.row->after)
        reads_[read.result.index] = vector_at(row, b.ir.CreateAdd(first, b.i64(read.distance)));
    }
  }

private:
  void read_behind(Value* behind, Value* end) {
    const auto each = [&](const auto& read) {
      for (const MovingRow& row : rows_)
        if (!row.row->after.empty()) b.set(row.after, read(row));
    };
    b.if_then_else(
        b.ir.CreateICmpSLT(behind, end),
        [&] { each([&](const MovingRow& row) { return vector_at(row, behind); }); },
        [&] { each([&](const MovingRow& row) { return beside(row, behind, 1); }); });
  }
  LaneValue vector_at(const MovingRow& row, Value* first) {
    const LaneValue index = b.linear(first);
    return b.load(row.elements, b.element_offset(row.elements, {&index, 1}));
  }
  /// The elements that come in before (`direction` is -1) or after (1) the place.
  LaneValue beside(const MovingRow& row, Value* place, std::int64_t direction) {
    const bool is_before = direction < 0;
    std::int64_t count = 0;
    for (const EdgeRow::Neighbour& read : is_before ? row.row->before : row.row->after)
      count = std::max(count, read.distance);
    Value* vector = nullptr;
    for (std::int64_t i = 0; i < count; ++i) {
      Value* at = b.ir.CreateAdd(place, b.i64(is_before ? -1 - i : i));
      for (const auto& [operation, bound] : is_before ? row.before_clamps : row.after_clamps)
        at = operation == Operation::Maximum ? b.greater_of(at, bound) : b.lesser_of(at, bound);
      const LaneValue index = b.uniform(at);
      Value* const element =
          b.load(row.elements, b.element_offset(row.elements, {&index, 1})).value;
      const std::int64_t lane = is_before ? std::int64_t{b.lanes()} - 1 - i : i;
      vector = vector ? b.ir.CreateInsertElement(vector, element, b.i64(lane)) : b.splat(element);
    }
    return b.varying(vector, row.elements.element);
  }
  /// As many elements of both, one after the other, from `begin` on.
  LaneValue moved(const LaneValue& low, const LaneValue& high, std::int64_t begin) {
    std::vector<int> lanes;
    for (unsigned lane = 0; lane < b.lanes(); ++lane)
      lanes.push_back(static_cast<int>(begin + lane));
    return b.varying(b.ir.CreateShuffleVector(low.value, high.value, lanes), low.element);
  }
  LaneBuilder& b;
  std::vector<MovingRow> rows_;
  Reads& reads_;
};

} // namespace

/// Whether the rows' elements lie beside each other in memory.
bool BodyEmitter::may_move_edges(const EdgeReads& reads) {
  if (2 * farthest(reads) > std::int64_t{b.kernel.width}) return false;
  return std::all_of(reads.rows.begin(), reads.rows.end(), [&](const EdgeRow& row) {
    const ArrayView& view = array(row.array);
    const auto* const stride = llvm::dyn_cast<llvm::ConstantInt>(view.strides.back());
    return stride && stride->isOne() && !view.is_private && view.offset.shape == Shape::Uniform &&
           view.strides.size() == row.leading.size() + 1;
  });
}

/// From scalar code.
void BodyEmitter::elements_by_edges(const ir::Soac& soac, std::vector<GroupState>& states,
                                    Value* begin, Value* end, const EdgeReads& reads) {
  const std::int64_t width = b.kernel.width;
  Value* lowest = begin;
  Value* highest = b.ir.CreateSub(end, b.i64(1));
  for (const IndexClamp& clamp : reads.clamps) {
    Value* const bound = scalar(clamp.bound).value;
    if (clamp.operation == Operation::Maximum)
      lowest = b.greater_of(lowest, bound);
    else
      highest = b.lesser_of(highest, bound);
  }
  Value* holds = b.ir.getTrue();
  for (const EdgeReads::Precondition& condition : reads.preconditions) {
    Value* const left = scalar(condition.left).value;
    Value* const right = scalar(condition.right).value;
    holds =
        b.ir.CreateAnd(holds, condition.order == Operation::Less ? b.ir.CreateICmpSLT(left, right)
                                                                 : b.ir.CreateICmpSLE(left, right));
  }
  for (const ir::ValueId condition : reads.checked_outside)
    holds = b.ir.CreateAnd(holds, scalar(condition).value);
  Value* const limit =
      b.ir.CreateSelect(holds, b.ir.CreateAdd(highest, b.i64(1)), b.i64(INT64_MIN));
  Value* const origin = vectors_begin(states, begin, end);
  const Variable next = b.variable(ElementType::I64, Shape::Uniform);
  b.set(next, b.uniform(begin));
  has_few_shortcuts_ = true;
  const std::int64_t distance = farthest(reads);
  const auto whole_vectors = [&](Value* from) {
    const auto range = [&](Value* stop, bool is_inside) {
      vectors_by_edges(soac, states, from, stop, reads, is_inside);
      b.set(next, b.uniform(stop));
    };
    // (Only vectors of a whole cache line always lie across two if they are not aligned.)
    if (b.kernel.facts().vector_bytes >= 64) return range(b.end_of_whole(from, limit), false);
    Value* const inner_limit = b.ir.CreateSub(limit, b.i64(distance));
    Value* const behind = b.ir.CreateAdd(from, b.i64(width));
    b.if_then_else(
        b.ir.CreateAnd(b.ir.CreateICmpSGE(from, b.ir.CreateAdd(lowest, b.i64(distance))),
                       b.ir.CreateICmpSLE(behind, inner_limit)),
        [&] { range(b.end_of_whole(from, inner_limit), true); }, [&] { range(behind, false); });
  };
  const auto part = [&](Value* from, Value* stop) {
    b.masked_lanes(from, stop, [&](Value* first) {
      const LaneValue index = b.linear(first);
      element(soac, states, index);
    });
    b.set(next, b.uniform(stop));
  };
  b.while_loop(
      [&] { return b.ir.CreateICmpSLT(b.get(next).value, end); },
      [&] {
        Value* const from = b.get(next).value;
        Value* const in_vector = b.ir.CreateAnd(b.ir.CreateSub(from, origin), b.i64(width - 1));
        Value* const behind = b.ir.CreateAdd(b.ir.CreateSub(from, in_vector), b.i64(width));
        Value* const are_whole =
            b.ir.CreateAnd(b.ir.CreateAnd(b.ir.CreateICmpEQ(in_vector, b.i64(0)),
                                          b.ir.CreateICmpSGE(from, lowest)),
                           b.ir.CreateICmpSLE(behind, limit));
        b.if_then_else(
            are_whole, [&] { whole_vectors(from); }, [&] { part(from, b.lesser_of(behind, end)); });
      });
  has_few_shortcuts_ = false;
}

/// [begin, end): whole vectors, at least one, in which no bound lies; all checks hold.  If none
/// lies beside them, either (`is_inside`), neighbours are read where they are.
void BodyEmitter::vectors_by_edges(const ir::Soac& soac, std::vector<GroupState>& states,
                                   Value* begin, Value* end, const EdgeReads& reads,
                                   bool is_inside) {
  const auto known = [&](const std::vector<IndexClamp>& clamps) {
    Clamps result;
    for (const IndexClamp& clamp : clamps)
      result.emplace_back(clamp.operation, scalar(clamp.bound).value);
    return result;
  };
  std::vector<MovingRow> moving;
  for (const EdgeRow& row : reads.rows)
    moving.push_back({&row,
                      b.subarray(array(row.array), scalars(row.leading)),
                      known(row.before_clamps),
                      known(row.after_clamps),
                      {},
                      {},
                      {}});
  MovingRows rows(b, std::move(moving), edges_);
  b.enter_lanes(nullptr);
  if (!is_inside) rows.begin(begin);
  b.leave_lanes();
  std::vector<std::pair<ir::ValueId, Emitted>> outside;
  for (const ir::ValueId condition : reads.checked_outside) {
    outside.emplace_back(condition, emitted(condition));
    bind(condition, b.uniform(b.ir.getTrue(), ElementType::Bool));
  }
  for (const ir::ValueId condition : reads.checked)
    settled_[condition.index] = b.ir.getTrue();
  // (Results that are larger than the caches are of arrays that are.)
  comes_from_memory_ = std::any_of(states.begin(), states.end(), [](const GroupState& state) {
    const Stored* const stored = stored_of(state);
    return stored && !stored->places.empty() && stored->places[0].is_streamed;
  });
  b.whole_lanes(begin, end, [&](Value* first) {
    const LaneValue here = b.linear(first);
    for (const MovingRow& row : rows.rows())
      if (comes_from_memory_)
        fetch_ahead(row.elements, b.element_offset(row.elements, {&here, 1}).value, 1);
    if (is_inside)
      rows.read_in_place(first);
    else
      rows.read_and_move(first, end);
    element(soac, states, here);
  });
  comes_from_memory_ = false;
  edges_.clear();
  settled_.clear();
  for (auto& [condition, value] : outside)
    bind(condition, std::move(value));
}

} // namespace sinter::jit
