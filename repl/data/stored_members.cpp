// The format: PKWARE's APPNOTE.TXT, 4.3 (records) and 4.5.3 (sizes of 64 bits).
#include "repl/data/stored_members.h"

#include <algorithm>
#include <cstring>

namespace sinter::repl {

namespace {

/// What stands in a record where the number is elsewhere, as it needs 64 bits.
constexpr std::uint64_t wide_16 = 0xffff, wide_32 = 0xffffffff;

/// Thrown, and caught here, where a number would lie outside.
struct NotUnderstood {};

/// Little-endian numbers at places of an archive.
class Numbers {
public:
  explicit Numbers(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t at(std::uint64_t place, std::size_t size) const {
    const std::string_view digits = part(place, size);
    std::uint64_t number = 0;
    std::memcpy(&number, digits.data(), size);
    return number;
  }
  std::string_view part(std::uint64_t place, std::uint64_t size) const {
    if (place > bytes_.size() || size > bytes_.size() - place) throw NotUnderstood();
    return bytes_.substr(place, size);
  }
  bool has_mark(std::uint64_t place, std::string_view mark) const {
    return part(place, mark.size()) == mark;
  }
  std::uint64_t size() const { return bytes_.size(); }

private:
  std::string_view bytes_;
};

constexpr std::string_view of_end = "PK\5\6", of_wide_end = "PK\6\6", of_wide_place = "PK\6\7",
                           of_entry = "PK\1\2", of_member = "PK\3\4";

struct Directory {
  std::uint64_t begin = 0;
  std::uint64_t count = 0;
};

Directory find_directory(const Numbers& archive, std::string_view bytes) {
  constexpr std::uint64_t end_size = 22, longest_comment = 0xffff, wide_place_size = 20;
  const std::uint64_t first = bytes.size() - std::min(bytes.size(), end_size + longest_comment);
  const std::size_t found = bytes.substr(first).rfind(of_end);
  if (found == std::string_view::npos) throw NotUnderstood();
  const std::uint64_t end = first + found;
  (void)archive.part(end, end_size); // it is there as a whole
  Directory directory{archive.at(end + 16, 4), archive.at(end + 10, 2)};
  if (directory.begin != wide_32 && directory.count != wide_16) return directory;
  if (end < wide_place_size || !archive.has_mark(end - wide_place_size, of_wide_place))
    return directory;
  const std::uint64_t wide = archive.at(end - wide_place_size + 8, 8);
  if (!archive.has_mark(wide, of_wide_end)) throw NotUnderstood();
  return {archive.at(wide + 48, 8), archive.at(wide + 32, 8)};
}

/// The numbers of 64 bits that an entry has behind its name, in the order of those that need them.
void widen(const Numbers& archive, std::uint64_t place, std::uint64_t size,
           std::initializer_list<std::uint64_t*> numbers) {
  constexpr std::uint64_t wide_numbers = 1;
  for (const std::uint64_t end = place + size; place + 4 <= end;) {
    const std::uint64_t kind = archive.at(place, 2), length = archive.at(place + 2, 2);
    place += 4;
    if (kind == wide_numbers) {
      std::uint64_t at = place;
      for (std::uint64_t* number : numbers)
        if (*number == wide_32) {
          *number = archive.at(at, 8);
          at += 8;
        }
      return;
    }
    place += length;
  }
}

} // namespace

std::vector<StoredMember> stored_members(std::string_view bytes) {
  constexpr std::uint64_t is_encrypted = 1, entry_size = 46, member_size = 30;
  const Numbers archive(bytes);
  std::vector<StoredMember> members;
  try {
    const Directory directory = find_directory(archive, bytes);
    std::uint64_t entry = directory.begin;
    for (std::uint64_t i = 0; i < directory.count; ++i) {
      if (!archive.has_mark(entry, of_entry)) throw NotUnderstood();
      const std::uint64_t flags = archive.at(entry + 8, 2), method = archive.at(entry + 10, 2);
      std::uint64_t packed = archive.at(entry + 20, 4), size = archive.at(entry + 24, 4);
      std::uint64_t place = archive.at(entry + 42, 4);
      const std::uint64_t name_size = archive.at(entry + 28, 2);
      const std::uint64_t extra_size = archive.at(entry + 30, 2);
      const std::uint64_t comment_size = archive.at(entry + 32, 2);
      widen(archive, entry + entry_size + name_size, extra_size, {&size, &packed, &place});
      if (method == 0 && packed == size && (flags & is_encrypted) == 0) {
        if (!archive.has_mark(place, of_member)) throw NotUnderstood();
        const std::uint64_t before =
            member_size + archive.at(place + 26, 2) + archive.at(place + 28, 2);
        members.push_back({i, std::string(archive.part(entry + entry_size, name_size)),
                           archive.part(place + before, size)});
      }
      entry += entry_size + name_size + extra_size + comment_size;
    }
  } catch (const NotUnderstood&) {
    members.clear();
  }
  return members;
}

} // namespace sinter::repl
