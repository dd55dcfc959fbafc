#include "repl/streaming/mapped_elements.h"

#include <cassert>
#include <utility>

namespace sinter::repl {

std::optional<MappedElements> MappedElements::map(int descriptor, const std::string& name,
                                                  const FilePlace& place, std::size_t scalar_bytes,
                                                  MemoryBudget& memory) {
  if (place.bytes < MappedFile::least_bytes || place.begin % scalar_bytes != 0) return std::nullopt;
  std::shared_ptr<MappedFile> file = MappedFile::map(descriptor, name, MappedFile::Growth::IsNone);
  // (It may have been cut since somebody found the place.)
  if (!file || file->bytes().size() < place.begin ||
      file->bytes().size() - place.begin < place.bytes)
    return std::nullopt;
  file->read_in_order();
  const std::string_view all = file->bytes().substr(place.begin, place.bytes);
  return MappedElements(std::move(file), all, memory);
}

MappedElements::MappedElements(std::shared_ptr<MappedFile> file, std::string_view all,
                               MemoryBudget& memory)
    : file_(std::move(file)), memory_(&memory), ahead_(std::make_unique<FetchAhead>(file_, all)),
      rest_(all) {}

MappedElements::Taken MappedElements::take(std::size_t count) {
  assert(count <= rest_.size());
  ahead_->await(taken_ + count, taken_);
  taken_ += count;
  const char* const data = rest_.data();
  rest_.remove_prefix(count);
  const std::size_t behind = reinterpret_cast<std::uintptr_t>(data) % Buffer::alignment;
  return {Buffer::in_file(*memory_, file_, data - behind, behind + count), behind};
}

} // namespace sinter::repl
