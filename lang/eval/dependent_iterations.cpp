#include "lang/eval/dependent_iterations.h"

#include "lang/eval/real_difference.h"
#include "lang/eval/witness_text.h"
#include "lang/values/elements.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace sinter::eval {

namespace {

/// Elements that are noted of all loops that run, for the sake of memory.
constexpr std::int64_t most_noted_elements = 1 << 23;

/// Calls `visit(name, array)` for each array in a loop's state, in the same order each time.
template <typename Visit>
void for_each_array(const Value& state, const std::string& name, Visit&& visit) {
  if (state.is_array())
    visit(name, state.array());
  else if (state.kind() == Value::Kind::Record)
    for (const Value& field : state.fields())
      for_each_array(field, name, visit);
}
template <typename Visit>
void for_each_array(const core::ParallelMark& mark, const core::Pattern& pattern,
                    const Value& state, Visit&& visit) {
  if (const auto* record = std::get_if<core::RecordPattern>(&pattern.node)) {
    for (std::size_t i = 0; i < record->fields.size(); ++i)
      for_each_array(mark, *record->fields[i], state.fields()[i], visit);
  } else if (const auto* slot = std::get_if<core::SlotPattern>(&pattern.node)) {
    const auto named =
        std::ranges::find(mark.names, slot->slot, &std::pair<core::Slot, std::string>::first);
    for_each_array(state, named == mark.names.end() ? std::string() : named->second, visit);
  }
}
template <typename Visit>
void for_each_array(const core::Loop& loop, const Value& state, Visit&& visit) {
  for_each_array(*loop.parallel, *loop.pattern, state, visit);
}

/// The first leaf that is no unit.
std::optional<std::size_t> leaf_with_memory(const ArrayObject& array) {
  for (std::size_t i = 0; i < array.leaves.size(); ++i)
    if (array.leaves[i].buffer) return i;
  return std::nullopt;
}
const Buffer* first_memory(const Leaf& leaf) {
  return leaf.buffer.get();
}

bool has_dense_strides(const Leaf& leaf) {
  std::int64_t stride = 1;
  for (std::size_t i = leaf.extents.size(); i-- > 0; stride *= leaf.extents[i])
    if (leaf.extents[i] != 1 && leaf.strides[i] != stride) return false;
  return true;
}

/// Calls `visit(indices)` for all elements of a shape, in row-major order.
template <typename Visit>
void for_each_place(const Extents& shape, Visit&& visit) {
  if (element_count(shape) == 0) return;
  Extents indices(shape.size(), 0);
  for (;;) {
    visit(std::span<const std::int64_t>(indices));
    std::size_t i = shape.size();
    while (i-- > 0) {
      if (++indices[i] < shape[i]) break;
      indices[i] = 0;
      if (i == 0) return;
    }
  }
}

std::string iterations_text(std::int32_t first, std::int32_t second) {
  return "iterations " + std::to_string(std::min(first, second)) + " and " +
         std::to_string(std::max(first, second));
}

} // namespace

// ---- loops -------------------------------------------------------------------------------------

DependentIterations::Run::Run(DependentIterations& all, const LoopPlace<Concrete>& place,
                              std::int64_t iterations)
    : all_(all) {
  auto [known, is_new] = all.combining_.try_emplace(place.loop);
  if (is_new) known->second = combining_writes(place);
  if (all.runs_.empty()) all.noted_ = 0;
  all.runs_.push_back({place.loop, &known->second, iterations, 0, {}});
}

void DependentIterations::Run::begin(std::int64_t iteration, const Value& state) {
  Loop& loop = all_.runs_.back();
  if (iteration > std::numeric_limits<std::int32_t>::max()) {
    loop.arrays.clear();
    return;
  }
  loop.iteration = static_cast<std::int32_t>(iteration);
  std::size_t next = 0;
  for_each_array(std::get<core::Loop>(loop.expr->node), state,
                 [&](const std::string& name, const ArrayRef& array) {
                   if (next == loop.arrays.size()) loop.arrays.emplace_back().name = name;
                   Carried& carried = loop.arrays[next++];
                   carried.kept.clear();
                   follow(carried, array);
                 });
}

void DependentIterations::Run::end(const Value& state) {
  Loop& loop = all_.runs_.back();
  std::size_t next = 0;
  for_each_array(std::get<core::Loop>(loop.expr->node), state,
                 [&](const std::string&, const ArrayRef& array) {
                   if (next >= loop.arrays.size()) return;
                   Carried& carried = loop.arrays[next++];
                   if (!carried.buffer || element_count(array->shape) == 0) return;
                   if (!is_carried_itself(carried, *array)) all_.make_anew(loop, carried);
                 });
}

void DependentIterations::follow(Carried& carried, const ArrayRef& array) {
  const std::optional<std::size_t> leaf = leaf_with_memory(*array);
  if (!(carried.shape == array->shape)) { // of another size: made anew
    carried.elements.clear();
    carried.some_elements.clear();
  }
  carried.shape = array->shape;
  carried.buffer = nullptr;
  if (!leaf) return;
  const Leaf& first = array->leaves[*leaf];
  carried.leaf = *leaf;
  carried.buffer = first_memory(first);
  carried.offset = first.offset;
  carried.inner = 1;
  for (std::size_t i = array->shape.size(); i < first.extents.size(); ++i)
    carried.inner *= first.extents[i];
  carried.is_dense = has_dense_strides(first) && carried.inner > 0;
}

bool DependentIterations::is_carried_itself(const Carried& carried, const ArrayObject& array) {
  return carried.leaf < array.leaves.size() &&
         first_memory(array.leaves[carried.leaf]) == carried.buffer &&
         array.leaves[carried.leaf].offset == carried.offset && array.shape == carried.shape;
}

template <typename Visit>
void DependentIterations::for_each_carrier(const ArrayObject& array, Visit&& visit) {
  for (std::size_t i = 0; i < runs_.size(); ++i)
    for (std::size_t k = 0; k < runs_[i].arrays.size(); ++k) {
      Carried& carried = runs_[i].arrays[k];
      if (carried.buffer && carried.leaf < array.leaves.size() &&
          first_memory(array.leaves[carried.leaf]) == carried.buffer)
        visit(runs_[i], carried, Written{i, k});
    }
}

std::optional<std::int64_t> DependentIterations::place_of(const Carried& carried,
                                                          const ArrayObject& array,
                                                          std::span<const std::int64_t> indices) {
  if (is_carried_itself(carried, array)) {
    std::int64_t place = 0;
    for (std::size_t d = 0; d < indices.size(); ++d)
      place = place * array.shape[d] + indices[d];
    return place;
  }
  if (!carried.is_dense) return std::nullopt;
  const Leaf& leaf = array.leaves[carried.leaf];
  std::int64_t at = leaf.offset - carried.offset;
  for (std::size_t d = 0; d < indices.size(); ++d)
    at += indices[d] * leaf.strides[d];
  const std::int64_t place = at / carried.inner;
  return at >= 0 && place < element_count(carried.shape) ? std::optional(place) : std::nullopt;
}

// ---- elements ----------------------------------------------------------------------------------

DependentIterations::Element* DependentIterations::element(Loop& loop, Carried& carried,
                                                           std::int64_t place) {
  if (!carried.elements.empty()) return &carried.elements[static_cast<std::size_t>(place)];
  const std::int64_t count = element_count(carried.shape);
  if (carried.some_elements.empty() && count / 4 <= loop.iterations &&
      noted_ + count <= most_noted_elements) {
    noted_ += count;
    carried.elements.resize(static_cast<std::size_t>(count));
    return &carried.elements[static_cast<std::size_t>(place)];
  }
  const auto known = carried.some_elements.find(place);
  if (known != carried.some_elements.end()) return &known->second;
  if (noted_ >= most_noted_elements) return nullptr;
  ++noted_;
  return &carried.some_elements[place];
}

std::string DependentIterations::text_of(const Carried& carried, std::int64_t place) {
  std::string indices;
  for (std::size_t d = carried.shape.size(); d-- > 0; place /= carried.shape[d])
    indices = std::to_string(place % carried.shape[d]) + (indices.empty() ? "" : ", ") + indices;
  return "`" + (carried.name.empty() ? "array" : carried.name) + "[" + indices + "]`";
}

void DependentIterations::read(Loop& loop, Carried& carried, std::int64_t place,
                               bool is_combining) {
  if (carried.anew >= 0 && carried.anew != loop.iteration)
    report_(*loop.expr, "iteration " + std::to_string(loop.iteration) + " reads " +
                            text_of(carried, place) + ", which iteration " +
                            std::to_string(carried.anew) + " has made anew");
  Element* const known = element(loop, carried, place);
  if (!known || (is_combining && (known->writer < 0 || known->is_combined))) return;
  if (known->writer >= 0 && known->writer != loop.iteration && known->is_changed)
    report_(*loop.expr, "iteration " + std::to_string(loop.iteration) + " reads " +
                            text_of(carried, place) + ", which iteration " +
                            std::to_string(known->writer) + " has written");
  if (is_combining) return;
  if (known->first_reader < 0) known->first_reader = loop.iteration;
  known->last_reader = loop.iteration;
}

void DependentIterations::write(Loop& loop, Carried& carried, std::int64_t place, bool is_combining,
                                const Value& old, const Value& value, const Representation* type) {
  carried.is_written = true;
  Element* const known = element(loop, carried, place);
  if (!known) return;
  const std::int32_t now = loop.iteration;
  const bool is_other = known->writer >= 0 && known->writer != now;
  const bool combines = is_combining && (known->writer < 0 || known->is_combined);
  const bool is_change = !is_same(old, value, type);
  if (is_change && is_other && !combines)
    report_(*loop.expr, iterations_text(known->writer, now) + " write different values, " +
                            witness_text(old, type) + " and " + witness_text(value, type) +
                            ", to " + text_of(carried, place));
  for (const std::int32_t reader : {known->first_reader, known->last_reader})
    if (is_change && reader >= 0 && reader != now) {
      report_(*loop.expr, "iteration " + std::to_string(reader) + " reads " +
                              text_of(carried, place) + ", which iteration " + std::to_string(now) +
                              " writes");
      break;
    }
  known->is_changed = is_change || (known->is_changed && known->writer == now);
  known->is_combined = combines;
  known->writer = now;
}

void DependentIterations::make_anew(Loop& loop, Carried& carried) {
  if (carried.anew >= 0 && carried.anew != loop.iteration)
    report_(*loop.expr, iterations_text(carried.anew, loop.iteration) + " make all of `" +
                            carried.name + "` anew");
  if (carried.anew < 0 && carried.is_written)
    report_(*loop.expr, "iteration " + std::to_string(loop.iteration) + " makes all of `" +
                            carried.name + "` anew, which another one has written");
  carried.anew = loop.iteration;
}

// ---- accesses ----------------------------------------------------------------------------------

void DependentIterations::note_read(const core::Expr& site, const Value& array,
                                    std::span<const ConcreteIndexPart> parts) {
  const ArrayObject& object = *array.array();
  if (parts.size() != object.shape.size()) return; // a view, of which nothing is read yet
  std::optional<Extents> indices;
  for_each_carrier(object, [&](Loop& loop, Carried& carried, Written) {
    if (!indices) {
      indices.emplace();
      for (std::size_t d = 0; d < parts.size(); ++d) {
        if (parts[d].is_slice || parts[d].index.bits >= static_cast<std::uint64_t>(object.shape[d]))
          return;
        indices->push_back(parts[d].index.as<std::int64_t>());
      }
    }
    if (indices->size() != parts.size()) return; // a view again, or out of bounds
    if (const auto place = place_of(carried, object, *indices))
      read(loop, carried, *place, loop.combining->reads.contains(&site));
  });
}

void DependentIterations::note_read_of_all(const Value& value) {
  if (value.kind() == Value::Kind::Record)
    for (const Value& field : value.fields())
      note_read_of_all(field);
  if (!value.is_array()) return;
  const ArrayObject& object = *value.array();
  for_each_carrier(object,
                   [&](Loop& loop, Carried& carried, Written) { read_all(loop, carried, object); });
}

void DependentIterations::read_all(Loop& loop, Carried& carried, const ArrayObject& array) {
  for_each_place(array.shape, [&](std::span<const std::int64_t> indices) {
    if (const auto place = place_of(carried, array, indices)) read(loop, carried, *place, false);
  });
}

void DependentIterations::note_written_anew(const Value& array) {
  if (!array.is_array()) return;
  for_each_carrier(*array.array(),
                   [&](Loop& loop, Carried& carried, Written) { make_anew(loop, carried); });
}

std::vector<DependentIterations::Written>
DependentIterations::note_write(const core::Expr& site, const Value& array, Value old,
                                std::span<const ConcreteIndexPart> parts,
                                const Value& replacement) {
  std::vector<Written> written;
  const ArrayRef& object = array.array();
  for_each_carrier(*object, [&](Loop& loop, Carried& carried, const Written& at) {
    if (!is_carried_itself(carried, *object)) return read_all(loop, carried, *object); // copied
    written.push_back(at);
    const bool is_combining = loop.combining->updates.contains(&site);
    if (!old.is_array() || parts.size() == object->shape.size()) {
      bool is_element = true;
      Extents indices;
      for (const ConcreteIndexPart& part : parts) {
        is_element = is_element && !part.is_slice;
        indices.push_back(part.index.as<std::int64_t>());
      }
      if (is_element) {
        write(loop, carried, *place_of(carried, *object, indices), is_combining, old, replacement,
              object->element);
        return;
      }
    }
    const ArrayRef &before = old.array(), &after = replacement.array();
    if (!(before->shape == after->shape)) return; // an error
    for_each_place(before->shape, [&](std::span<const std::int64_t> indices) {
      if (const auto place = place_of(carried, *before, indices))
        write(loop, carried, *place, is_combining, get_element(before, indices),
              get_element(after, indices), object->element);
    });
  });
  old = Value(); // a view is an owner, too
  // Where the array will be copied, its memory must not become another one's in this iteration.
  for (const Written& each : written) {
    Carried& carried = runs_[each.loop].arrays[each.array];
    if (!object.unique() || !object->leaves[carried.leaf].buffer.unique())
      carried.kept.push_back(object);
  }
  return written;
}

void DependentIterations::move_to(std::span<const Written> written, const Value& result) {
  for (const Written& each : written)
    follow(runs_[each.loop].arrays[each.array], result.array());
}

} // namespace sinter::eval
