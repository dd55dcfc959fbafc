#include "lang/values/byte_sink.h"

#include "lang/base/interruptible.h"
#include "lang/values/file_memory.h"
#include "lang/values/strided.h"

#include <algorithm>
#include <vector>

namespace sinter {

namespace {

/// A part of leaves that have all the same extents.
using Part = std::vector<Leaf>;

Part rows(const Part& whole, std::int64_t begin, std::int64_t count) {
  Part part = whole;
  for (Leaf& leaf : part) {
    leaf.offset += begin * leaf.strides[0];
    leaf.extents[0] = count;
  }
  return part;
}

Part row(const Part& whole, std::int64_t index) {
  Part part = rows(whole, index, 1);
  for (Leaf& leaf : part) {
    leaf.extents = Extents(leaf.extents.begin() + 1, leaf.extents.end());
    leaf.strides = Extents(leaf.strides.begin() + 1, leaf.strides.end());
  }
  return part;
}

/// Calls `action` with parts that follow each other in row-major order, and have at most so many
/// elements.
template <typename Action>
void in_parts(const Part& whole, std::int64_t most, const Action& action) {
  const std::int64_t count = element_count(whole.front().extents);
  if (count <= most) return action(whole);
  const std::int64_t all_rows = whole.front().extents[0], row_size = count / all_rows;
  if (row_size > most) {
    for (std::int64_t i = 0; i < all_rows; ++i)
      in_parts(row(whole, i), most, action);
    return;
  }
  const std::int64_t step = most / row_size;
  for (std::int64_t begin = 0; begin < all_rows; begin += step)
    action(rows(whole, begin, std::min(step, all_rows - begin)));
}

/// The elements of two or more leaves by turns.
std::string by_turns(const Part& part) {
  std::vector<std::string> each(part.size());
  for (std::size_t i = 0; i < part.size(); ++i)
    append_dense(each[i], part[i]);
  const std::size_t size = byte_size(part.front().element);
  std::string all;
  all.reserve(each.front().size() * part.size());
  for (std::size_t at = 0; at < each.front().size(); at += size)
    for (const std::string& one : each)
      all.append(one, at, size);
  return all;
}

} // namespace

void StringSink::reserve(const Value& value) {
  constexpr std::size_t for_header = 1024;
  std::size_t bytes = for_header;
  if (value.is_array())
    for (const Leaf& leaf : value.array()->leaves)
      bytes += block_bytes(leaf.element, leaf.extents);
  sinter::reserve(out_, out_.size() + bytes);
}

void write_elements(ByteSink& sink, std::span<const Leaf> leaves) {
  const Part whole(leaves.begin(), leaves.end());
  if (is_empty(whole.front().extents)) return;
  const auto size = static_cast<std::int64_t>(byte_size(whole.front().element));
  const bool lies_as_written =
      whole.size() == 1 && is_row_major(whole.front()) && !whole.front().buffer->is_in_file();
  if (lies_as_written) {
    std::string_view bytes(reinterpret_cast<const char*>(first_element(whole.front())),
                           block_bytes(whole.front().element, whole.front().extents));
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), bytes_at_once))) {
      poll_interruption();
      sink.write(bytes.substr(0, bytes_at_once));
    }
    return;
  }
  const auto most = static_cast<std::int64_t>(bytes_at_once) / size;
  in_parts(whole, most, [&](const Part& part) {
    poll_interruption();
    sink.write(by_turns(part));
  });
  for (const Leaf& leaf : whole)
    if (const MappedFile* file = leaf.buffer->file()) file->require_unchanged();
}

} // namespace sinter
