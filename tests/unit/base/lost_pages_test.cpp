#include "lang/base/lost_pages.h"

#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <csignal>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sinter;

namespace {

/// A file of so many pages, all bytes alike, that is mapped.
class MappedPages {
public:
  MappedPages(const tests::TemporaryFolder& folder, const std::string& name, std::size_t pages)
      : path_(folder.write(name, std::string(pages * page, 'x'))), bytes_(pages * page) {
    const int file = open(path_.c_str(), O_RDONLY);
    REQUIRE(file >= 0);
    void* const base = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file, 0);
    REQUIRE(base != MAP_FAILED);
    base_ = static_cast<const char*>(base);
    close(file);
  }
  ~MappedPages() { munmap(const_cast<char*>(base_), bytes_); }
  MappedPages(const MappedPages&) = delete;
  MappedPages& operator=(const MappedPages&) = delete;

  void cut(std::size_t pages) const {
    REQUIRE(truncate(path_.c_str(), static_cast<off_t>(pages * page)) == 0);
  }
  char at(std::size_t in_page) const {
    return *const_cast<const volatile char*>(base_ + in_page * page);
  }
  const std::byte* base() const { return reinterpret_cast<const std::byte*>(base_); }
  std::size_t bytes() const { return bytes_; }

  static inline const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

private:
  std::string path_;
  const char* base_ = nullptr;
  std::size_t bytes_;
};

/// How a process ends that does this.
int ending_of(void (*action)(const MappedPages&), const MappedPages& pages) {
  const pid_t child = fork();
  if (child == 0) {
    (void)!freopen("/dev/null", "w", stderr); // what a sanitizer has to say
    action(pages);
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return status;
}

} // namespace

TEST_CASE("what a cut file has lost is zero, on every thread, and is known") {
  const tests::TemporaryFolder folder;
  const MappedPages cut(folder, "cut", 40), whole(folder, "whole", 4);
  InterruptSource interrupt;
  const LostPages lost(cut.base(), cut.bytes(), &interrupt);
  const LostPages kept(whole.base(), whole.bytes());
  CHECK(cut.at(39) == 'x');
  cut.cut(8);
  CHECK(cut.at(7) == 'x');
  CHECK_FALSE(lost.is_damaged());
  std::vector<std::thread> threads;
  std::vector<char> seen(8, 'y');
  for (std::size_t i = 0; i < seen.size(); ++i)
    threads.emplace_back([&, i] {
      for (std::size_t page = 39 - i; page >= 8; page -= 2)
        seen[i] = cut.at(page);
    });
  for (std::thread& thread : threads)
    thread.join();
  for (const char byte : seen)
    CHECK(byte == '\0');
  CHECK(lost.is_damaged());
  CHECK_FALSE(kept.is_damaged());
  CHECK(interrupt.reason() == InterruptSource::Reason::LostPages);
  CHECK(interrupt.epoch() == 1);
  CHECK(cut.at(7) == 'x');
  CHECK(whole.at(3) == 'x');
}

TEST_CASE("what is written to lost pages ends nothing") {
  const tests::TemporaryFolder folder;
  const auto page = MappedPages::page;
  const std::string path = folder.write("written", std::string(4 * page, 'x'));
  const int file = open(path.c_str(), O_RDWR);
  REQUIRE(file >= 0);
  void* const mapped = mmap(nullptr, 4 * page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  REQUIRE(mapped != MAP_FAILED);
  auto* const bytes = static_cast<volatile char*>(mapped);
  {
    InterruptSource interrupt;
    const LostPages lost(static_cast<const std::byte*>(mapped), 4 * page, &interrupt,
                         LostPages::Access::Write);
    REQUIRE(ftruncate(file, static_cast<off_t>(page)) == 0);
    bytes[3 * page] = 'y';
    bytes[0] = 'z';
    CHECK(bytes[3 * page] == 'y');
    CHECK(bytes[2 * page] == '\0');
    CHECK(lost.is_damaged());
    CHECK(interrupt.reason() == InterruptSource::Reason::LostPages);
  }
  munmap(mapped, 4 * page);
  close(file);
}

TEST_CASE("memory that is watched no more, and other memory, is lost as ever") {
  const tests::TemporaryFolder folder;
  const MappedPages pages(folder, "pages", 4), others(folder, "others", 4);
  {
    const LostPages lost(pages.base(), pages.bytes());
    others.cut(1);
    CHECK(ending_of([](const MappedPages& lost) { (void)lost.at(2); }, others) != 0);
    CHECK(ending_of([](const MappedPages& lost) { (void)lost.at(0); }, others) == 0);
  }
  pages.cut(1);
  CHECK(ending_of([](const MappedPages& lost) { (void)lost.at(2); }, pages) != 0);
  // A signal that is no fault ends the process as it did.
  CHECK(ending_of([](const MappedPages&) { raise(SIGBUS); }, pages) != 0);
}

TEST_CASE("places are used again, and a new one is not damaged") {
  const tests::TemporaryFolder folder;
  for (int i = 0; i < 3; ++i) {
    const MappedPages pages(folder, std::to_string(i), 4);
    const LostPages lost(pages.base(), pages.bytes());
    CHECK_FALSE(lost.is_damaged());
    pages.cut(1);
    CHECK(pages.at(1) == '\0');
    CHECK(lost.is_damaged());
  }
}
