// Zip archives (and so .npz) through libzip, in memory.
#include "lang/base/interruptible.h"
#include "repl/pictures/codecs/parts.h"

#include <zip.h>

#include <memory>

namespace sinter::repl::parts {

namespace {

constexpr zip_int64_t max_members = 100'000;

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* file) const { zip_fclose(file); }
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Archive = std::unique_ptr<zip_t, Discard>;
using Source = std::unique_ptr<zip_source_t, Discard>;
using Member = std::unique_ptr<zip_file_t, Discard>;

[[noreturn]] void fail(const std::string& what, zip_error_t& error) {
  std::string message = what + ": " + zip_error_strerror(&error);
  zip_error_fini(&error);
  throw FormatError(message);
}

/// The archive that a source holds; the source is kept by the caller too.
Archive open(zip_source_t* source, int flags) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_keep(source);
  Archive archive(zip_open_from_source(source, flags, &error));
  if (!archive) {
    zip_source_free(source);
    fail("this is not a valid archive", error);
  }
  zip_error_fini(&error);
  return archive;
}

Source source_of(std::string_view bytes) {
  zip_error_t error;
  zip_error_init(&error);
  Source source(zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error));
  if (!source) fail("the archive cannot be opened", error);
  zip_error_fini(&error);
  return source;
}

} // namespace

std::vector<ArchiveMember> read_archive(std::string_view bytes, std::size_t max_bytes) {
  Source source = source_of(bytes);
  Archive archive = open(source.get(), ZIP_RDONLY | ZIP_CHECKCONS);
  zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  if (count > max_members) throw FormatError("the archive has too many members");
  std::vector<ArchiveMember> members;
  std::size_t total = 0;
  for (zip_int64_t i = 0; i < count; ++i) {
    auto index = static_cast<zip_uint64_t>(i);
    const char* name = zip_get_name(archive.get(), index, 0);
    Member file(zip_fopen_index(archive.get(), index, 0));
    if (!name || !file)
      throw FormatError("a member of the archive cannot be read: " +
                        std::string(zip_strerror(archive.get())));
    std::string contents;
    char piece[1 << 16];
    for (;;) {
      poll_interruption();
      zip_int64_t got = zip_fread(file.get(), piece, sizeof piece);
      if (got < 0) throw FormatError("the member `" + std::string(name) + "` is damaged");
      if (got == 0) break;
      total += static_cast<std::size_t>(got);
      if (total > max_bytes) throw FormatError("the archive's contents are too large");
      contents.append(piece, static_cast<std::size_t>(got));
    }
    members.emplace_back(name, std::move(contents));
  }
  return members;
}

std::string write_archive(std::span<const ArchiveMember> members) {
  Source target = source_of({});
  Archive archive = open(target.get(), ZIP_TRUNCATE);
  for (const auto& [name, contents] : members) {
    zip_source_t* source = zip_source_buffer(archive.get(), contents.data(), contents.size(), 0);
    zip_int64_t at =
        source ? zip_file_add(archive.get(), name.c_str(), source, ZIP_FL_ENC_UTF_8) : -1;
    if (at < 0) {
      zip_source_free(source);
      throw FormatError("the archive cannot be written: " +
                        std::string(zip_strerror(archive.get())));
    }
    // The same contents give the same bytes, whenever they are written.
    constexpr std::uint16_t first_day = 1 << 5 | 1; // 1 January 1980
    zip_file_set_dostime(archive.get(), static_cast<zip_uint64_t>(at), 0, first_day, 0);
  }
  // (No exception goes through the library: it asks whether to stop, and the poll says so then.)
  zip_register_cancel_callback_with_state(
      archive.get(), [](zip_t*, void*) -> int { return Interruptible::is_due(); }, nullptr,
      nullptr);
  if (zip_close(archive.get()) != 0) {
    poll_interruption();
    throw FormatError("the archive cannot be written: " + std::string(zip_strerror(archive.get())));
  }
  archive.release();
  zip_stat_t status;
  zip_stat_init(&status);
  if (zip_source_stat(target.get(), &status) != 0 || zip_source_open(target.get()) != 0)
    throw FormatError("the archive cannot be written");
  std::string bytes(status.size, '\0');
  zip_int64_t got = zip_source_read(target.get(), bytes.data(), bytes.size());
  zip_source_close(target.get());
  if (got != static_cast<zip_int64_t>(bytes.size()))
    throw FormatError("the archive cannot be written");
  return bytes;
}

} // namespace sinter::repl::parts
