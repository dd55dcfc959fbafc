#include "lang/values/elements.h"

#include "lang/base/interruptible.h"
#include "lang/base/runtime_error.h"
#include "lang/values/strided.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace sinter {

namespace {

const std::byte* address(const Leaf& leaf, std::int64_t offset) {
  return leaf.buffer->contents() + offset * static_cast<std::int64_t>(byte_size(leaf.element));
}
/// The same, to be written.
std::byte* place(const Leaf& leaf, std::int64_t offset) {
  return leaf.buffer->overwrite() + offset * static_cast<std::int64_t>(byte_size(leaf.element));
}

std::span<const std::int64_t> from(const Extents& list, std::size_t first) {
  return std::span<const std::int64_t>(list).subspan(first);
}

std::int64_t element_offset(const Leaf& leaf, std::span<const std::int64_t> indices) {
  std::int64_t at = leaf.offset;
  // (Where there are no elements, strides may be absurd.)
  for (std::size_t i = 0; i < indices.size() && !is_empty(leaf.extents); ++i)
    at += indices[i] * leaf.strides[i];
  return at;
}

/// A leaf with its first dimensions fixed.
Leaf part_of(const Leaf& leaf, std::span<const std::int64_t> indices) {
  return {.buffer = leaf.buffer,
          .element = leaf.element,
          .offset = element_offset(leaf, indices),
          .extents = Extents(from(leaf.extents, indices.size())),
          .strides = Extents(from(leaf.strides, indices.size()))};
}

[[noreturn]] void irregular(std::span<const std::int64_t> found,
                            std::span<const std::int64_t> expected) {
  throw RuntimeError("shape-mismatch", "irregular array: an element of shape " + shape_text(found) +
                                           " among elements of shape " + shape_text(expected));
}

/// Writes what an array of `count` leaves shows of a representation's extents.
void extents_of_leaves(std::span<const Leaf> leaves, const Representation* representation,
                       std::span<std::int64_t> out) {
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const std::vector<std::uint32_t>& dimensions = representation->leaves[i].dimensions;
    for (std::size_t d = 0; d < dimensions.size(); ++d)
      out[dimensions[d]] = leaves[i].extents[d];
  }
}

void collect_extents(const Value& value, const Representation* representation,
                     std::span<std::int64_t> out) {
  if (representation->is_array()) {
    extents_of_leaves(value.array()->leaves, representation, out);
  } else if (representation->is_record()) {
    const std::vector<FieldRepresentation>& fields = representation->record().fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      collect_extents(value.fields()[i], fields[i].type, out);
      out = out.subspan(fields[i].type->extent_count);
    }
  } else if (representation->is_sum()) {
    const std::vector<ConstructorRepresentation>& constructors = representation->sum().constructors;
    for (std::uint32_t tag = 0; tag < constructors.size(); ++tag)
      for (std::size_t i = 0; i < constructors[tag].payload.size(); ++i) {
        const Representation* part = constructors[tag].payload[i];
        if (tag == value.tag()) collect_extents(value.fields()[i], part, out);
        out = out.subspan(part->extent_count);
      }
  }
}

} // namespace

std::uint32_t extent_count(const Representation* representation) {
  return representation->extent_count;
}

Extents element_extents(const Value& value, const Representation* representation) {
  Extents extents(representation->extent_count, unknown_extent);
  collect_extents(value, representation, extents);
  return extents;
}

Extents array_extents(const ArrayRef& array) {
  std::size_t rank = array->shape.size();
  Extents extents(rank + array->element->extent_count, unknown_extent);
  std::copy(array->shape.begin(), array->shape.end(), extents.begin());
  for (std::size_t i = 0; i < array->leaves.size(); ++i) {
    const std::vector<std::uint32_t>& dimensions = array->element->leaves[i].dimensions;
    for (std::size_t d = 0; d < dimensions.size(); ++d)
      extents[rank + dimensions[d]] = array->leaves[i].extents[rank + d];
  }
  return extents;
}

// ---- reading -----------------------------------------------------------------------------------

namespace {

/// Reads the parts of one element, leaf after leaf.
class ElementReader {
public:
  ElementReader(const ArrayObject& array, std::span<const std::int64_t> indices)
      : array_(array), indices_(indices) {}

  Value read(const Representation* representation) {
    struct Visitor {
      ElementReader& reader;
      const Representation* representation;

      Value operator()(const ScalarRepresentation&) const { return reader.scalar(); }
      Value operator()(const ArrayRepresentation& array) const { return reader.inner_array(array); }
      Value operator()(const RecordRepresentation& record) const {
        Value value = Value::record_of_size(record.fields.size());
        for (std::size_t i = 0; i < record.fields.size(); ++i)
          value.fields()[i] = reader.read(record.fields[i].type);
        if (record.fields.empty()) ++reader.next_;
        return value;
      }
      Value operator()(const SumRepresentation& sum) const {
        auto tag = static_cast<std::uint32_t>(reader.scalar().bits);
        const std::size_t end = reader.next_ - 1 + representation->leaf_count;
        for (std::uint32_t i = 0; i < tag; ++i)
          for (const Representation* part : sum.constructors[i].payload)
            reader.next_ += part->leaf_count;
        const std::vector<const Representation*>& payload = sum.constructors[tag].payload;
        Value value = Value::sum_of_size(tag, payload.size());
        for (std::size_t i = 0; i < payload.size(); ++i)
          value.fields()[i] = reader.read(payload[i]);
        reader.next_ = end;
        return value;
      }
      Value operator()(FunctionRepresentation) const { __builtin_unreachable(); }
      Value operator()(AccumulatorRepresentation) const { __builtin_unreachable(); }
    };
    return std::visit(Visitor{*this, representation}, representation->node);
  }

private:
  std::int64_t offset(const Leaf& leaf) const { return element_offset(leaf, indices_); }
  Scalar scalar() {
    const Leaf& leaf = array_.leaves[next_++];
    return load_scalar(leaf.element, leaf.buffer->contents(), offset(leaf));
  }
  Value inner_array(const ArrayRepresentation& representation) {
    ArrayRef view = ArrayRef::adopt(new ArrayObject);
    view->element = representation.element;
    std::uint32_t count = representation.element->leaf_count;
    view->leaves.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const Leaf& leaf = array_.leaves[next_++];
      view->leaves.push_back(part_of(leaf, indices_));
    }
    view->shape = Extents(
        std::span<const std::int64_t>(view->leaves.front().extents).first(representation.rank));
    return view;
  }

  const ArrayObject& array_;
  std::span<const std::int64_t> indices_;
  std::size_t next_ = 0;
};

} // namespace

Value get_element_slow(const ArrayObject& array, std::span<const std::int64_t> indices) {
  if (indices.size() == array.shape.size())
    return ElementReader(array, indices).read(array.element);
  // A row: as index_view, which wants a reference.
  ArrayRef view = ArrayRef::adopt(new ArrayObject);
  view->element = array.element;
  view->shape = Extents(from(array.shape, indices.size()));
  view->leaves.reserve(array.leaves.size());
  for (const Leaf& leaf : array.leaves)
    view->leaves.push_back(part_of(leaf, indices));
  return view;
}

// ---- writing -----------------------------------------------------------------------------------

namespace {

/// Writes one element, or row, over the leaves of an array: first `check`, then `write`.
class ElementWriter {
public:
  ElementWriter(MemoryBudget& memory, ArrayObject& array, std::span<const std::int64_t> indices)
      : memory_(memory), array_(array), indices_(indices) {}

  /// Throws if the value does not fit; makes room for payloads that are seen for the first time.
  void check(const Value& value, const Representation* representation, std::size_t leaf,
             std::span<const LeafLayout> layout) {
    if (representation->is_array()) {
      check_leaves(*value.array(), leaf, layout);
    } else if (representation->is_record()) {
      const std::vector<FieldRepresentation>& fields = representation->record().fields;
      for (std::size_t i = 0; i < fields.size(); ++i) {
        check(value.fields()[i], fields[i].type, leaf, layout);
        leaf += fields[i].type->leaf_count;
        layout = layout.subspan(fields[i].type->leaf_count);
      }
    } else if (representation->is_sum()) {
      ++leaf;
      layout = layout.subspan(1);
      const std::vector<ConstructorRepresentation>& constructors =
          representation->sum().constructors;
      for (std::uint32_t tag = 0; tag < constructors.size(); ++tag)
        for (std::size_t i = 0; i < constructors[tag].payload.size(); ++i) {
          const Representation* part = constructors[tag].payload[i];
          if (tag == value.tag()) check(value.fields()[i], part, leaf, layout);
          leaf += part->leaf_count;
          layout = layout.subspan(part->leaf_count);
        }
    }
  }

  /// Writes from leaf `leaf` on.
  void write(const Value& value, const Representation* representation, std::size_t leaf) {
    if (representation->is_scalar()) {
      write_scalar(leaf, value.scalar());
    } else if (representation->is_array()) {
      write_leaves(*value.array(), leaf);
    } else if (representation->is_record()) {
      const std::vector<FieldRepresentation>& fields = representation->record().fields;
      for (std::size_t i = 0; i < fields.size(); ++i) {
        write(value.fields()[i], fields[i].type, leaf);
        leaf += fields[i].type->leaf_count;
      }
    } else if (representation->is_sum()) {
      write_scalar(leaf++, Scalar::of(value.tag()));
      const std::vector<ConstructorRepresentation>& constructors =
          representation->sum().constructors;
      for (std::uint32_t tag = 0; tag < constructors.size(); ++tag)
        for (std::size_t i = 0; i < constructors[tag].payload.size(); ++i) {
          const Representation* part = constructors[tag].payload[i];
          if (tag == value.tag())
            write(value.fields()[i], part, leaf);
          else
            clear(leaf, part->leaf_count);
          leaf += part->leaf_count;
        }
    }
  }

  void check_leaves(const ArrayObject& source, std::size_t leaf,
                    std::span<const LeafLayout> layout) {
    for (std::size_t i = 0; i < source.leaves.size(); ++i)
      check_leaf(source.leaves[i].extents, array_.leaves[leaf + i], layout[i].is_payload);
  }
  void write_leaves(const ArrayObject& source, std::size_t leaf) {
    for (std::size_t i = 0; i < source.leaves.size(); ++i)
      write_leaf(leaf + i, source.leaves[i]);
  }

private:
  std::int64_t offset(const Leaf& leaf) const { return element_offset(leaf, indices_); }

  void check_leaf(const Extents& found, Leaf& target, bool is_payload) {
    std::span<const std::int64_t> room = from(target.extents, indices_.size());
    if (std::equal(found.begin(), found.end(), room.begin(), room.end())) return;
    // A payload without elements may only be one whose size nobody has known so far.
    if (is_payload && is_empty(found)) return;
    if (!is_payload || !is_empty(room)) irregular(found, room);
    target.extents.resize(indices_.size());
    target.extents.append(found);
    if (!target.buffer) {
      target.strides.assign(target.extents.size(), 0);
      return;
    }
    target.strides = row_major_strides(target.extents);
    target.offset = 0;
    target.buffer = Buffer::allocate_zeroed(memory_, block_bytes(target.element, target.extents));
  }

  void write_scalar(std::size_t leaf, Scalar scalar) {
    Leaf& target = array_.leaves[leaf];
    store_scalar(target.element, target.buffer->overwrite(), offset(target), scalar);
  }

  void write_leaf(std::size_t leaf, const Leaf& source) {
    Leaf& target = array_.leaves[leaf];
    if (!target.buffer || is_empty(source.extents)) {
      clear(leaf, 1);
      return;
    }
    std::optional<Leaf> kept;
    if (may_overlap(target, source)) kept = copy(memory_, source);
    const Leaf& read = kept ? *kept : source;
    copy_strided(place(target, offset(target)), from(target.strides, indices_.size()),
                 address(read, read.offset), read.strides, read.extents, byte_size(target.element));
  }

  void clear(std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i) {
      Leaf& leaf = array_.leaves[i];
      if (!leaf.buffer) continue;
      std::span<const std::int64_t> extents = from(leaf.extents, indices_.size());
      if (!is_empty(extents))
        clear_strided(place(leaf, offset(leaf)), from(leaf.strides, indices_.size()), extents,
                      byte_size(leaf.element));
    }
  }

  MemoryBudget& memory_;
  ArrayObject& array_;
  std::span<const std::int64_t> indices_;
};

} // namespace

void set_element_slow(MemoryBudget& memory, ArrayObject& array,
                      std::span<const std::int64_t> indices, const Value& value) {
  ElementWriter writer(memory, array, indices);
  if (indices.size() == array.shape.size()) {
    writer.check(value, array.element, 0, array.element->leaves);
    writer.write(value, array.element, 0);
    return;
  }
  // A row: its leaves are the array's.
  const ArrayObject& source = *value.array();
  writer.check_leaves(source, 0, array.element->leaves);
  writer.write_leaves(source, 0);
}

// ---- making arrays -----------------------------------------------------------------------------

namespace {

const Representation* base_element(const Representation* element) {
  return element->is_array() ? element->array().element : element;
}

/// An array of `count` elements of a representation with these extents; unknown ones are 0.
ArrayRef allocate_elements(MemoryBudget& memory, const Representation* element, std::int64_t count,
                           std::span<const std::int64_t> extents, bool zeroed) {
  auto extent = [&](std::uint32_t dimension) {
    return dimension < extents.size() ? std::max<std::int64_t>(extents[dimension], 0) : 0;
  };
  Extents shape{count};
  if (element->is_array())
    for (std::uint32_t i = 0; i < element->array().rank; ++i)
      shape.push_back(extent(i));
  std::vector<Extents> inner(element->leaf_count);
  for (std::size_t i = 0; i < inner.size(); ++i) {
    std::span<const std::uint32_t> dimensions = element->leaves[i].dimensions;
    for (std::uint32_t dimension : dimensions.subspan(shape.size() - 1))
      inner[i].push_back(extent(dimension));
  }
  return allocate_array(memory, base_element(element), std::move(shape), inner, zeroed);
}

} // namespace

ArrayRef allocate_with_extents(MemoryBudget& memory, const Representation* array,
                               std::span<const std::int64_t> extents, bool zeroed) {
  assert(extents.size() == array->extent_count);
  std::uint32_t rank = array->array().rank;
  Extents shape(extents.first(rank));
  std::vector<Extents> inner(array->leaf_count);
  for (std::size_t i = 0; i < inner.size(); ++i)
    for (std::uint32_t dimension : std::span(array->leaves[i].dimensions).subspan(rank))
      inner[i].push_back(std::max<std::int64_t>(extents[dimension], 0));
  return allocate_array(memory, array->array().element, std::move(shape), inner, zeroed);
}

ArrayBuilder::ArrayBuilder(MemoryBudget& memory, const Representation* element, std::int64_t count,
                           std::span<const std::int64_t> known)
    : memory_(memory), element_(element), count_(count), known_(known) {
  if (!element->is_scalar()) return;
  array_ = allocate_elements(memory_, element_, count_, {}, false);
  scalars_ = array_->leaves.front().buffer->overwrite();
  scalar_type_ = element->scalar();
}

void ArrayBuilder::append_slow(const Value& value) {
  assert(filled_ < count_);
  if (!array_) {
    Extents extents = element_extents(value, element_);
    for (std::size_t i = 0; i < extents.size(); ++i)
      if (extents[i] == unknown_extent && i < known_.size()) extents[i] = known_[i];
    array_ = allocate_elements(memory_, element_, count_, extents, false);
  }
  set_element_slow(memory_, *array_, std::span<const std::int64_t>(&filled_, 1), value);
  ++filled_;
}

void ArrayBuilder::append_all(const ArrayRef& elements) {
  assert(array_ && filled_ > 0);
  const std::int64_t more = elements->shape.front();
  assert(filled_ + more <= count_);
  ArrayRef target = slice_view(array_, 0, filled_, more, 1);
  if (more == 0) return;
  const Extents room = array_extents(target), found = array_extents(elements);
  if (room != found)
    irregular(std::span<const std::int64_t>(found).subspan(1),
              std::span<const std::int64_t>(room).subspan(1));
  copy_into(*target, *elements);
  filled_ += more;
}

ArrayRef ArrayBuilder::finish() {
  assert(filled_ == count_);
  if (!array_) array_ = allocate_elements(memory_, element_, count_, known_, false);
  scalars_ = nullptr;
  return std::move(array_);
}

ArrayRef make_array_from_elements(MemoryBudget& memory, const Representation* element,
                                  std::span<const Value> elements,
                                  std::span<const std::int64_t> known) {
  ArrayBuilder builder(memory, element, static_cast<std::int64_t>(elements.size()), known);
  for (const Value& value : elements)
    builder.append(value);
  return builder.finish();
}

ArrayRef replicate(MemoryBudget& memory, const Representation* element, std::int64_t count,
                   const Value& value) {
  ArrayRef array =
      allocate_elements(memory, element, count, element_extents(value, element), false);
  if (count == 0) return array;
  set_element(memory, *array, 0, value);
  for (Leaf& leaf : array->leaves) {
    if (!leaf.buffer) continue;
    // What is filled doubles with each copy, until that is as much as may be done at once.
    constexpr std::size_t piece = std::size_t{1} << 18;
    const std::size_t whole = leaf.buffer->bytes(), one = whole / static_cast<std::size_t>(count);
    std::byte* data = leaf.buffer->overwrite();
    for (std::size_t filled = one; filled < whole;) {
      const std::size_t begin = filled % one;
      const std::size_t more = std::min({filled - begin, whole - filled, piece});
      poll_interruption();
      std::memcpy(data + filled, data + begin, more);
      filled += more;
    }
  }
  return array;
}

ArrayRef concatenate(MemoryBudget& memory, std::span<const ArrayRef> arrays,
                     std::uint32_t dimension) {
  assert(!arrays.empty());
  const ArrayRef& first = arrays.front();
  std::size_t rank = first->shape.size();
  Extents shape = first->shape;
  std::vector<Extents> inner;
  for (const Leaf& leaf : first->leaves)
    inner.emplace_back(from(leaf.extents, rank));
  for (const ArrayRef& array : arrays.subspan(1)) {
    for (std::size_t d = 0; d < rank; ++d)
      if (d != dimension && array->shape[d] != shape[d])
        throw RuntimeError("shape-mismatch", "cannot join arrays of shapes " +
                                                 shape_text(first->shape) + " and " +
                                                 shape_text(array->shape));
    if (__builtin_add_overflow(shape[dimension], array->shape[dimension], &shape[dimension]))
      throw RuntimeError(FailureKind::OutOfMemory,
                         "out of memory: the joined array has more elements than can be counted");
    for (std::size_t i = 0; i < inner.size(); ++i) {
      std::span<const std::int64_t> found = from(array->leaves[i].extents, rank);
      if (std::equal(found.begin(), found.end(), inner[i].begin(), inner[i].end())) continue;
      // As for elements: a payload without elements may be one of unknown size.
      bool is_payload = first->element->leaves[i].is_payload;
      if (is_payload && is_empty(found)) continue;
      if (!is_payload || !is_empty(inner[i])) irregular(found, inner[i]);
      inner[i] = Extents(found);
    }
  }
  ArrayRef result = allocate_array(memory, first->element, shape, inner);
  std::int64_t begin = 0;
  for (const ArrayRef& array : arrays) {
    const std::int64_t count = array->shape[dimension];
    for (std::size_t i = 0; i < result->leaves.size(); ++i) {
      Leaf& target = result->leaves[i];
      const Leaf& source = array->leaves[i];
      if (!target.buffer || is_empty(target.extents) || count == 0) continue;
      Extents block = target.extents;
      block[dimension] = count;
      std::byte* first = place(target, begin * target.strides[dimension]);
      std::size_t size = byte_size(target.element);
      if (source.extents == block)
        copy_strided(first, target.strides, address(source, source.offset), source.strides, block,
                     size);
      else
        clear_strided(first, target.strides, block, size);
    }
    begin += count;
  }
  return result;
}

ArrayRef reshape(MemoryBudget& memory, const ArrayRef& array, Extents outer_shape,
                 std::uint32_t replaced_dimensions) {
  if (ArrayRef view = reshape_view(array, outer_shape, replaced_dimensions)) return view;
  return reshape_view(row_major(memory, array), std::move(outer_shape), replaced_dimensions);
}

// ---- arrays of records -------------------------------------------------------------------------

ArrayRef zip(const Representation* record, std::span<const ArrayRef> fields, std::uint32_t rank) {
  assert(record->record().fields.size() == fields.size() && !fields.empty());
  ArrayRef result = ArrayRef::adopt(new ArrayObject);
  result->element = record;
  result->shape = Extents(std::span<const std::int64_t>(fields[0]->shape).first(rank));
  result->leaves.reserve(record->leaf_count);
  for (const ArrayRef& field : fields) {
    std::span<const std::int64_t> outer = std::span<const std::int64_t>(field->shape).first(rank);
    if (!std::equal(outer.begin(), outer.end(), result->shape.begin()))
      throw RuntimeError("shape-mismatch", "cannot zip arrays of shapes " +
                                               shape_text(result->shape) + " and " +
                                               shape_text(outer));
    result->leaves.insert(result->leaves.end(), field->leaves.begin(), field->leaves.end());
  }
  assert(result->leaves.size() == record->leaf_count);
  return result;
}

ArrayRef project(const ArrayRef& records, std::uint32_t field) {
  const std::vector<FieldRepresentation>& fields = records->element->record().fields;
  std::size_t first = 0;
  for (std::uint32_t i = 0; i < field; ++i)
    first += fields[i].type->leaf_count;
  const Representation* type = fields[field].type;
  auto begin = records->leaves.begin() + static_cast<std::ptrdiff_t>(first);
  ArrayRef result = ArrayRef::adopt(new ArrayObject);
  result->element = base_element(type);
  result->leaves.assign(begin, begin + static_cast<std::ptrdiff_t>(type->leaf_count));
  std::size_t rank = records->shape.size() + (type->is_array() ? type->array().rank : 0);
  result->shape =
      Extents(std::span<const std::int64_t>(result->leaves.front().extents).first(rank));
  return result;
}

Value unzip(const ArrayRef& records) {
  std::size_t count = records->element->record().fields.size();
  Value value = Value::record_of_size(count);
  for (std::uint32_t i = 0; i < count; ++i)
    value.fields()[i] = project(records, i);
  return value;
}

// ---- questions ---------------------------------------------------------------------------------

namespace {

bool equal_scalars(ElementType element, Scalar a, Scalar b) {
  return with_cpp_type(element, [&]<typename T>() { return a.as<T>() == b.as<T>(); });
}

bool equal_arrays(const ArrayRef& a, const ArrayRef& b) {
  if (a->shape != b->shape) return false;
  bool same_extents = true;
  for (std::size_t i = 0; i < a->leaves.size(); ++i)
    same_extents &= a->leaves[i].extents == b->leaves[i].extents;
  if (same_extents) {
    // Inactive payloads are zeros, so leaves may be compared as a whole.
    for (std::size_t i = 0; i < a->leaves.size(); ++i) {
      const Leaf& x = a->leaves[i];
      const Leaf& y = b->leaves[i];
      if (x.buffer && !is_empty(x.extents) &&
          !equal_strided(x.element, address(x, x.offset), x.strides, address(y, y.offset),
                         y.strides, x.extents))
        return false;
    }
    return true;
  }
  if (is_empty(a->shape)) return true;
  // Inner sizes differ: equal only if the elements that show them are (payloads whose size only
  // one of the arrays knows).
  std::int64_t count = a->shape.front();
  for (std::int64_t i = 0; i < count; ++i) {
    Value x = get_element(a, i), y = get_element(b, i);
    bool same = a->shape.size() > 1 ? equal_arrays(x.array(), y.array()) : equal(x, y, a->element);
    if (!same) return false;
  }
  return true;
}

std::optional<std::int64_t>
extent_in_leaves(std::span<const Leaf> leaves, const Representation* representation,
                 std::size_t prefix, std::span<const std::uint32_t> path, std::uint32_t dimension) {
  for (;;) {
    if (path.empty()) {
      if (!representation->is_array() || dimension >= representation->array().rank)
        return std::nullopt;
      return leaves.front().extents[prefix + dimension];
    }
    if (representation->is_array()) {
      prefix += representation->array().rank;
      representation = representation->array().element;
    } else if (representation->is_record()) {
      const std::vector<FieldRepresentation>& fields = representation->record().fields;
      for (std::uint32_t i = 0; i < path[0]; ++i)
        leaves = leaves.subspan(fields[i].type->leaf_count);
      representation = fields[path[0]].type;
      path = path.subspan(1);
    } else if (representation->is_sum() && path.size() >= 2) {
      leaves = leaves.subspan(1);
      const std::vector<ConstructorRepresentation>& constructors =
          representation->sum().constructors;
      for (std::uint32_t tag = 0; tag <= path[0]; ++tag)
        for (std::uint32_t i = 0; i < constructors[tag].payload.size(); ++i) {
          if (tag == path[0] && i == path[1]) break;
          leaves = leaves.subspan(constructors[tag].payload[i]->leaf_count);
        }
      representation = constructors[path[0]].payload[path[1]];
      path = path.subspan(2);
    } else {
      return std::nullopt;
    }
  }
}

} // namespace

bool equal(const Value& a, const Value& b, const Representation* representation) {
  if (representation->is_scalar())
    return equal_scalars(representation->scalar(), a.scalar(), b.scalar());
  if (representation->is_array()) return equal_arrays(a.array(), b.array());
  if (representation->is_record()) {
    const std::vector<FieldRepresentation>& fields = representation->record().fields;
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (!equal(a.fields()[i], b.fields()[i], fields[i].type)) return false;
    return true;
  }
  assert(representation->is_sum());
  if (a.tag() != b.tag()) return false;
  const std::vector<const Representation*>& payload =
      representation->sum().constructors[a.tag()].payload;
  for (std::size_t i = 0; i < payload.size(); ++i)
    if (!equal(a.fields()[i], b.fields()[i], payload[i])) return false;
  return true;
}

std::optional<std::int64_t> extent_at(const Value& value, std::span<const std::uint32_t> fields,
                                      std::uint32_t dimension) {
  const Value* at = &value;
  while (!fields.empty()) {
    if (at->kind() == Value::Kind::Record) {
      at = &at->fields()[fields[0]];
      fields = fields.subspan(1);
    } else if (at->kind() == Value::Kind::Sum && fields.size() >= 2) {
      if (at->tag() != fields[0]) return std::nullopt;
      at = &at->fields()[fields[1]];
      fields = fields.subspan(2);
    } else {
      break;
    }
  }
  if (!at->is_array()) return std::nullopt;
  const ArrayObject& array = *at->array();
  if (fields.empty()) {
    if (dimension < array.shape.size()) return array.shape[dimension];
    return std::nullopt;
  }
  return extent_in_leaves(array.leaves, array.element, array.shape.size(), fields, dimension);
}

std::string shape_text(std::span<const std::int64_t> extents) {
  std::string text;
  for (std::int64_t extent : extents)
    text += "[" + std::to_string(extent) + "]";
  return text;
}

} // namespace sinter
