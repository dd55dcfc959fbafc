#include "repl/data/stored_members.h"

#include "lang/values/format.h"
#include "repl/data/data.h"
#include "repl/pictures/codecs.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>

using namespace sinter;

namespace {

std::string number(std::uint64_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i)
    text += static_cast<char>(i < 8 ? value >> 8 * i & 0xff : 0);
  return text;
}

std::uint32_t checksum(std::string_view bytes) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> all{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      all[i] = i;
      for (int bit = 0; bit < 8; ++bit)
        all[i] = all[i] >> 1 ^ (all[i] & 1 ? 0xedb88320u : 0);
    }
    return all;
  }();
  std::uint32_t sum = 0xffffffff;
  for (const char c : bytes)
    sum = sum >> 8 ^ table[(sum ^ static_cast<unsigned char>(c)) & 0xff];
  return ~sum;
}

/// An archive of members that are not packed; `is_wide`: with sizes of 64 bits.
std::string archive_of(const std::vector<std::pair<std::string, std::string>>& members,
                       bool is_wide, const std::string& comment = "") {
  std::string bytes, directory;
  for (const auto& [name, contents] : members) {
    const std::uint64_t place = bytes.size(), size = contents.size(), all = 0xffffffff;
    const std::string extra =
        is_wide ? number(1, 2) + number(16, 2) + number(size, 8) + number(size, 8) : "";
    const std::string common = number(is_wide ? 45 : 20, 2) + number(0, 8) +
                               number(checksum(contents), 4) + number(is_wide ? all : size, 4) +
                               number(is_wide ? all : size, 4) + number(name.size(), 2) +
                               number(extra.size(), 2);
    bytes += "PK\3\4" + common + name + extra + contents;
    directory +=
        "PK\1\2" + number(20, 2) + common + number(0, 10) + number(place, 4) + name + extra;
  }
  const std::uint64_t begin = bytes.size(), count = members.size();
  bytes += directory;
  if (is_wide) {
    const std::uint64_t wide = bytes.size();
    bytes += "PK\6\6" + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8) +
             number(count, 8) + number(count, 8) + number(directory.size(), 8) + number(begin, 8);
    bytes += "PK\6\7" + number(0, 4) + number(wide, 8) + number(1, 4);
  }
  bytes += "PK\5\6" + number(0, 4) + number(is_wide ? 0xffff : count, 2) +
           number(is_wide ? 0xffff : count, 2) + number(directory.size(), 4) +
           number(is_wide ? 0xffffffff : begin, 4) + number(comment.size(), 2) + comment;
  return bytes;
}

const std::vector<std::pair<std::string, std::string>> some = {
    {"one", "first"}, {"empty", ""}, {"three", std::string(3000, 'x')}};

} // namespace

TEST_CASE("members that are not packed are found where they lie") {
  for (const bool is_wide : {false, true})
    for (const std::string comment : {"", "PK is what archives begin with"}) {
      const std::string archive = archive_of(some, is_wide, comment);
      // It is one that others read.
      REQUIRE(repl::codecs().read_archive(archive, 1 << 20) == some);
      const std::vector<repl::StoredMember> found = repl::stored_members(archive);
      REQUIRE(found.size() == some.size());
      for (std::size_t i = 0; i < some.size(); ++i) {
        CHECK(found[i].index == i);
        CHECK(found[i].name == some[i].first);
        CHECK(found[i].contents == some[i].second);
      }
    }
  const std::vector<repl::ArchiveMember> packed = {{"a", std::string(5000, 'a')}};
  CHECK(repl::stored_members(repl::codecs().write_archive(packed)).empty());
}

TEST_CASE("no archive that is cut or damaged leads anywhere outside of it") {
  const std::string archive = archive_of(some, true);
  for (std::size_t size = 0; size < archive.size(); ++size)
    CHECK(repl::stored_members(archive.substr(0, size)).empty());
  for (std::size_t at = 0; at < archive.size(); ++at)
    for (const char byte : {'\0', '\x7f', '\xff'}) {
      std::string damaged = archive;
      damaged[at] = byte;
      for (const repl::StoredMember& member : repl::stored_members(damaged)) {
        const std::string_view all = damaged;
        const bool lies_inside =
            member.contents.data() >= all.data() &&
            member.contents.data() + member.contents.size() <= all.data() + all.size();
        REQUIRE(lies_inside);
      }
    }
}

TEST_CASE("a large member that is not packed is not read") {
  MemoryBudget memory;
  Representations types;
  std::string text = "[0u8";
  for (int i = 1; i < 1000; ++i)
    text += ", " + std::to_string(i % 100);
  text += "]";
  ValueReader reader(text, memory, types);
  const Representation* bytes = types.array(1, types.scalar(ElementType::U8));
  std::string small, large;
  write_npy(small, reader.read(ElementType::U8, 1).value, bytes);
  large = small;
  large.replace(large.find("(1000,), }"), 14, "(2000000,), } ");
  large.resize(128 + 2'000'000, '\3');
  const tests::TemporaryFolder folder;
  const std::string path = folder.write(
      "x.npz", archive_of({{"few.npy", small}, {"many.npy", large}, {"note", "words"}}, false));
  const std::size_t before = memory.in_use();
  const repl::Data data = repl::read_data(path, {}, memory, types);
  CHECK(memory.in_use() - before == 1000);
  REQUIRE(data.value.fields().size() == 2);
  const Leaf& many = data.value.fields()[1].array()->leaves.front();
  CHECK(many.buffer->is_in_file());
  CHECK(many.extents == Extents{2'000'000});
  CHECK(many.buffer->contents()[many.offset + 1'999'999] == std::byte{3});
  const Leaf& few = data.value.fields()[0].array()->leaves.front();
  CHECK(few.buffer->contents()[99] == std::byte{99});
}
