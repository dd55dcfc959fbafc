// Zip archives (and so .npz) through libzip, in memory.
#include "lang/base/byte_text.h"
#include "lang/base/interruptible.h"
#include "lang/values/file_memory.h"
#include "repl/pictures/codecs/parts.h"

#include <zip.h>

#include <algorithm>
#include <deque>
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

/// What the library says went wrong.
class Failure {
public:
  Failure() { zip_error_init(&error_); }
  ~Failure() { zip_error_fini(&error_); }
  Failure(const Failure&) = delete;
  Failure& operator=(const Failure&) = delete;

  zip_error_t* get() { return &error_; }
  const char* text() { return zip_error_strerror(&error_); }

private:
  zip_error_t error_;
};

[[noreturn]] void fail(const std::string& message) {
  poll_interruption(); // which may be why
  throw FormatError(message);
}

/// Bytes that the library reads in small pieces, and none of them once it is to stop: how long
/// packing one takes depends on what is in it, and nothing else is asked so often.  (No exception
/// goes through the library: it hears of an error, and who called it polls.)
class PolledBytes {
public:
  explicit PolledBytes(std::string_view bytes) : bytes_(bytes) {}

  /// A source for an archive.  It needs these bytes for as long as it lives.
  Source source() {
    Failure failure;
    Source source(zip_source_function_create(obey, this, failure.get()));
    if (!source) fail(failure.text());
    return source;
  }

private:
  static zip_int64_t obey(void* self, void* data, zip_uint64_t size, zip_source_cmd_t command) {
    return static_cast<PolledBytes*>(self)->obey(data, size, command);
  }
  zip_int64_t obey(void* data, zip_uint64_t size, zip_source_cmd_t command) {
    switch (command) {
    case ZIP_SOURCE_OPEN:
      at_ = 0;
      return 0;
    case ZIP_SOURCE_READ:
      return read(static_cast<char*>(data), size);
    case ZIP_SOURCE_SEEK: {
      const zip_int64_t to =
          zip_source_seek_compute_offset(at_, bytes_.size(), data, size, failure_.get());
      if (to < 0) return -1;
      at_ = static_cast<std::size_t>(to);
      return 0;
    }
    case ZIP_SOURCE_TELL:
      return static_cast<zip_int64_t>(at_);
    case ZIP_SOURCE_STAT: {
      auto* status = static_cast<zip_stat_t*>(data);
      zip_stat_init(status);
      status->valid = ZIP_STAT_SIZE;
      status->size = bytes_.size();
      return 0;
    }
    case ZIP_SOURCE_ERROR:
      return zip_error_to_data(failure_.get(), data, size);
    case ZIP_SOURCE_SUPPORTS:
      return ZIP_SOURCE_SUPPORTS_SEEKABLE;
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
      return 0;
    default:
      zip_error_set(failure_.get(), ZIP_ER_OPNOTSUPP, 0);
      return -1;
    }
  }
  zip_int64_t read(char* data, zip_uint64_t size) {
    if (Interruptible::is_due()) {
      zip_error_set(failure_.get(), ZIP_ER_CANCELLED, 0);
      return -1;
    }
    const std::size_t count = bytes_.copy(data, size, at_);
    at_ += count;
    return static_cast<zip_int64_t>(count);
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  Failure failure_;
};

/// The archive that a source holds; the source is kept by the caller too.
Archive open(zip_source_t* source, int flags) {
  Failure failure;
  zip_source_keep(source);
  Archive archive(zip_open_from_source(source, flags, failure.get()));
  if (archive) return archive;
  zip_source_free(source);
  fail("this is not a valid archive: " + std::string(failure.text()));
}

/// What has been written to a source.
std::string contents_of(zip_source_t* source) {
  constexpr const char* failure = "the archive cannot be written";
  zip_stat_t status;
  zip_stat_init(&status);
  if (zip_source_stat(source, &status) != 0 || zip_source_open(source) != 0) fail(failure);
  std::string bytes;
  reserve(bytes, status.size);
  while (bytes.size() < status.size) {
    poll_interruption();
    const std::size_t before = bytes.size();
    bytes.resize(std::min<std::size_t>(status.size, before + bytes_at_once));
    const zip_int64_t got = zip_source_read(source, bytes.data() + before, bytes.size() - before);
    if (got != static_cast<zip_int64_t>(bytes.size() - before)) fail(failure);
  }
  zip_source_close(source);
  return bytes;
}

} // namespace

std::vector<ArchiveMember> read_archive(std::string_view bytes, std::size_t max_bytes,
                                        std::span<const std::size_t> known) {
  PolledBytes polled(bytes);
  Source source = polled.source();
  Archive archive = open(source.get(), ZIP_RDONLY | ZIP_CHECKCONS);
  zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  if (count > max_members) throw FormatError("the archive has too many members");
  std::vector<ArchiveMember> members;
  std::size_t total = 0;
  for (zip_int64_t i = 0; i < count; ++i) {
    auto index = static_cast<zip_uint64_t>(i);
    const char* name = zip_get_name(archive.get(), index, 0);
    if (name && std::ranges::binary_search(known, index)) {
      members.emplace_back(name, std::string());
      continue;
    }
    Member file(zip_fopen_index(archive.get(), index, 0));
    if (!name || !file)
      fail("a member of the archive cannot be read: " + std::string(zip_strerror(archive.get())));
    GrowingBytes contents(name);
    for (;;) {
      poll_interruption();
      const std::span<char> room = contents.room();
      zip_int64_t got = zip_fread(file.get(), room.data(), room.size());
      if (got < 0) fail("the member `" + std::string(name) + "` is damaged");
      if (got == 0) break;
      total += static_cast<std::size_t>(got);
      if (total > max_bytes)
        throw FormatError("the archive's contents take more than the " + byte_text(max_bytes) +
                          " that memory has room for");
      contents.add(static_cast<std::size_t>(got));
    }
    members.emplace_back(name, contents.take());
  }
  return members;
}

std::string write_archive(std::span<const ArchiveMember> members) {
  Failure failure;
  Source target(zip_source_buffer_create(nullptr, 0, 0, failure.get()));
  if (!target) fail("the archive cannot be written: " + std::string(failure.text()));
  std::deque<PolledBytes> polled; // longer than the archive
  Archive archive = open(target.get(), ZIP_TRUNCATE);
  const auto fail_writing = [&] {
    fail("the archive cannot be written: " + std::string(zip_strerror(archive.get())));
  };
  for (const auto& [name, contents] : members) {
    Source source = polled.emplace_back(contents).source();
    const zip_int64_t at =
        zip_file_add(archive.get(), name.c_str(), source.get(), ZIP_FL_ENC_UTF_8);
    if (at < 0) fail_writing();
    (void)source.release(); // it is the archive's
    const auto index = static_cast<zip_uint64_t>(at);
    // As zlib would choose: the library's own choice, the highest, takes up to 17 times as long and
    // is hardly smaller.
    constexpr zip_uint32_t level = 6;
    if (zip_set_file_compression(archive.get(), index, ZIP_CM_DEFAULT, level) != 0) fail_writing();
    // The same contents give the same bytes, whenever they are written.
    constexpr std::uint16_t first_day = 1 << 5 | 1; // 1 January 1980
    zip_file_set_dostime(archive.get(), index, 0, first_day, 0);
  }
  if (zip_close(archive.get()) != 0) fail_writing();
  (void)archive.release();
  return contents_of(target.get());
}

} // namespace sinter::repl::parts
