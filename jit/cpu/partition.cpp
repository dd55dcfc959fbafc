#include "jit/cpu/partition.h"

#include "jit/ir/costs.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace sinter::jit {

namespace {

constexpr double chunk_nanoseconds = 12'000;
/// Up to so many chunks they are a power of two, which threads share evenly.
constexpr double few_chunks = 64;
/// Enough chunks for uneven work to balance on many cores.
constexpr std::int64_t most_chunks = 1024;
/// A chunk is not interrupted: the more work, the more chunks after all.
constexpr double longest_chunk_nanoseconds = 5e6;
/// Whatever the work is: so many are gone through at once when it is interrupted.
constexpr double most_chunks_ever = 1 << 21;
constexpr double cached_chunk_bytes = 256 << 10;
/// Of fewer indices each is so much work, if they are cut up at all, that threads share them
/// evenly, even if vectors are not whole then.
constexpr std::int64_t few_indices = 64;

} // namespace

double nanoseconds(const PartitionQuestion& question) {
  const double element = std::max(question.element_nanoseconds, 0.01) +
                         question.element_bytes * costs::nanoseconds_per_byte;
  return static_cast<double>(question.count) * element;
}

Partition partition(const PartitionQuestion& question) {
  Partition result;
  result.count = question.count;
  result.chunks = 1;
  result.chunk_size = std::max<std::int64_t>(question.count, 1);
  const double work = nanoseconds(question);
  if (work >= question.least_nanoseconds && question.count > 1 && question.chunk_limit > 1) {
    double wanted =
        std::clamp(std::floor(work / chunk_nanoseconds), 2.0, static_cast<double>(most_chunks));
    if (wanted < few_chunks)
      wanted = static_cast<double>(std::bit_ceil(static_cast<std::uint64_t>(wanted)));
    wanted = std::max(wanted, std::floor(work / longest_chunk_nanoseconds));
    if (question.reads_twice)
      wanted = std::max(wanted, static_cast<double>(question.count) *
                                    std::max(question.element_bytes, 1.0) / cached_chunk_bytes);
    wanted = std::min({wanted, most_chunks_ever, static_cast<double>(question.chunk_limit),
                       static_cast<double>(question.count)});
    const bool are_few = question.count < few_indices;
    if (are_few) wanted = std::min(wanted, static_cast<double>(question.threads));
    auto size = static_cast<std::int64_t>(
        std::ceil(static_cast<double>(question.count) / std::max(wanted, 1.0)));
    // Whole vectors, and whole cache lines of every element type.
    std::int64_t multiple = size >= 1024 ? 64 : 16;
    if (question.count >= question.lanes * std::int64_t{question.threads})
      multiple = std::max(multiple, question.lanes);
    if (question.row > 1 && size >= question.row) multiple = question.row;
    if (are_few) multiple = 1;
    size = (size + multiple - 1) / multiple * multiple;
    result.chunk_size = size;
    result.chunks = (question.count + size - 1) / size;
  }
  return result;
}

std::int64_t slice_size(double element_nanoseconds) {
  constexpr double slice_nanoseconds = 5e6;
  constexpr std::int64_t whole_vectors = 64;
  const double size = slice_nanoseconds / std::max(element_nanoseconds, 0.5);
  return std::max<std::int64_t>(static_cast<std::int64_t>(size) / whole_vectors, 1) * whole_vectors;
}

} // namespace sinter::jit
