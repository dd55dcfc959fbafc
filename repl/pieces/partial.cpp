#include "repl/pieces/partial.h"

#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <cassert>

#include <zlib.h>

namespace sinter::repl {

namespace {

/// Inputs whose contents are compared have at most so many bytes.
constexpr std::size_t most_digested = std::size_t{1} << 20;

ArrayRef array_of(const Leaf& leaf, Representations& representations) {
  auto* object = new ArrayObject;
  object->element = representations.scalar(leaf.element);
  object->shape = leaf.extents;
  object->leaves.push_back(leaf);
  return ArrayRef::adopt(object);
}

const Leaf& leaf_of(const Partial& partial, std::size_t component) {
  return std::get<Leaf>(partial.state[component]);
}

/// One array behind the other.
Leaf joined(const std::vector<Partial>& partials, std::size_t component, MemoryBudget& memory,
            Representations& representations) {
  Extents extents = leaf_of(partials[0], component).extents;
  extents[0] = 0;
  std::size_t one = 0;
  for (const Partial& partial : partials) {
    const Leaf& leaf = leaf_of(partial, component);
    if (!std::equal(leaf.extents.begin() + 1, leaf.extents.end(), extents.begin() + 1,
                    extents.end()))
      throw FormatError(partial.source + ": its rows have other sizes than those of " +
                        partials[one].source);
    extents[0] += leaf.extents[0];
  }
  const Representation* element = representations.scalar(leaf_of(partials[0], component).element);
  const ArrayRef result = allocate_array(memory, element, extents);
  std::int64_t begin = 0;
  for (const Partial& partial : partials) {
    const Leaf& leaf = leaf_of(partial, component);
    const ArrayRef target = slice_view(result, 0, begin, leaf.extents[0], 1);
    copy_into(*target, *array_of(leaf, representations));
    begin += leaf.extents[0];
  }
  return result->leaves.front();
}

Scalar sum(const std::vector<Partial>& partials, std::size_t component) {
  std::uint64_t result = 0;
  for (const Partial& partial : partials)
    result +=
        static_cast<std::uint64_t>(std::get<Scalar>(partial.state[component]).as<std::int64_t>());
  return Scalar::of(static_cast<std::int64_t>(result));
}

std::string range(const Partial& partial) {
  return partial.source + " (indices " + std::to_string(partial.first) + " to " +
         std::to_string(partial.first + partial.count) + ")";
}

/// Throws FormatError unless they follow each other.
void require_order(const std::vector<Partial>& partials) {
  for (std::size_t i = 1; i < partials.size(); ++i) {
    const Partial& before = partials[i - 1];
    const Partial& here = partials[i];
    const std::int64_t end = before.first + before.count;
    if (here.first < end)
      throw FormatError(range(here) + " and " + range(before) + " are of the same indices");
    if (here.first > end)
      throw FormatError("between " + range(before) + " and " + range(here) + " a piece is missing");
  }
}

} // namespace

jit::PieceState stacked(jit::PieceState state, const std::vector<jit::StateComponent>& components,
                        MemoryBudget& memory, Representations& representations) {
  assert(state.size() == components.size());
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (components[i].role != jit::StateRole::Stacked) continue;
    if (const auto* scalar = std::get_if<Scalar>(&state[i])) {
      const ArrayRef array =
          allocate_array(memory, representations.scalar(components[i].element), {1});
      Leaf& leaf = array->leaves.front();
      store_scalar(leaf.element, leaf.buffer->overwrite(), 0, *scalar);
      state[i] = leaf;
      continue;
    }
    Leaf& leaf = std::get<Leaf>(state[i]);
    const std::int64_t one = 1, none = 0;
    leaf.extents.insert(leaf.extents.begin(), one);
    leaf.strides.insert(leaf.strides.begin(), none);
  }
  return state;
}

std::optional<std::string> difference(const Partial& a, const Partial& b) {
  const auto differ = [&](const std::string& what) {
    return a.source + " and " + b.source + " are of " + what;
  };
  if (a.work.version != b.work.version)
    return differ("versions " + a.work.version + " and " + b.work.version + " of Sinter");
  if (a.work.entry != b.work.entry)
    return differ("different entry points: `" + a.work.entry + "` and `" + b.work.entry + "`");
  if (a.work.program != b.work.program) return differ("different programs");
  if (a.work.extent != b.work.extent)
    return differ("runs over " + std::to_string(a.work.extent) + " and " +
                  std::to_string(b.work.extent) + " indices");
  if (a.work.inputs != b.work.inputs) return differ("runs with different inputs");
  const auto is_same = [](const jit::StateComponent& x, const jit::StateComponent& y) {
    return x.role == y.role && x.element == y.element && x.rank == y.rank;
  };
  if (!std::ranges::equal(a.work.state, b.work.state, is_same))
    return differ("states of different form");
  return std::nullopt;
}

Partial combined(std::vector<Partial> partials, MemoryBudget& memory,
                 Representations& representations) {
  assert(!partials.empty());
  for (const Partial& partial : partials)
    if (const auto wrong = difference(partials[0], partial)) throw FormatError(*wrong);
  std::ranges::stable_sort(partials, [](const Partial& a, const Partial& b) {
    return a.first != b.first ? a.first < b.first : a.count < b.count;
  });
  require_order(partials);
  Partial result;
  result.work = partials[0].work;
  result.first = partials[0].first;
  result.count = partials.back().first + partials.back().count - result.first;
  result.source = partials[0].source;
  for (std::size_t i = 0; i < result.work.state.size(); ++i)
    switch (result.work.state[i].role) {
    case jit::StateRole::Shared:
      result.state.push_back(partials[0].state[i]);
      break;
    case jit::StateRole::Sum:
      result.state.emplace_back(sum(partials, i));
      break;
    case jit::StateRole::Joined:
    case jit::StateRole::Stacked:
      result.state.emplace_back(joined(partials, i, memory, representations));
      break;
    }
  return result;
}

std::string description(const Value& value, const Representation* type, bool with_digest) {
  std::string text;
  std::size_t bytes = 0;
  if (value.is_array()) {
    const Extents& shape = value.array()->shape;
    bytes = static_cast<std::size_t>(element_count(shape));
    for (std::int64_t extent : shape)
      text += "[" + std::to_string(extent) + "]";
    std::size_t of_element = 0;
    for (const LeafLayout& leaf : value.array()->element->leaves)
      of_element += byte_size(leaf.element);
    bytes *= of_element;
    text += print(value.array()->element);
  } else {
    text = print(type);
  }
  if (!with_digest || bytes > most_digested) return text;
  std::string contents;
  try {
    write_binary(contents, value, type);
  } catch (const FormatError&) {
    return text; // no type of the format's
  }
  const auto digest =
      crc32(0, reinterpret_cast<const Bytef*>(contents.data()), static_cast<uInt>(contents.size()));
  return text + " " + std::to_string(digest);
}

std::int64_t cut_before(std::int64_t number, std::int64_t pieces, std::int64_t extent,
                        std::int64_t row) {
  assert(0 <= number && number <= pieces && pieces > 0);
  if (number == pieces) return extent;
  // Blocks make states smaller; for few of them, pieces would be uneven.
  constexpr std::int64_t many_blocks = 16;
  const std::int64_t blocks = extent / pieces / primitives::block_length;
  const std::int64_t unit = row > 1 && blocks >= many_blocks ? primitives::block_length : row;
  const std::int64_t units = (extent + unit - 1) / unit;
  // (Neither factor's product leaves 64 bits: extents are below 2^48.)
  const std::int64_t even = units / pieces, rest = units % pieces;
  return std::min(extent, (even * number + rest * number / pieces) * unit);
}

} // namespace sinter::repl
