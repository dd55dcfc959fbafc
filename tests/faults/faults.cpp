// Makes one call of a kind fail, from `main` on (before it, nobody is there to tell): preloaded
// into a program (LD_PRELOAD), told by its environment.
//
//   FAULTS=write:7         the seventh write fails, as on a full disk
//   FAULTS=write:7+        so do all that follow
//   FAULTS=write:7!        the program is killed instead of writing
//   FAULTS=write:7/        half of the bytes are written, and the writes that follow fail
//   FAULTS=write           nothing fails
//   FAULTS_COUNT=PATH      a file that gets the number of calls when the program ends
//
// Kinds: write, open (of files to be written), rename, sync, close, map, allocate; change: the
// first five, and the making and removing of files and folders.
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

enum Kind : unsigned {
  Write = 1,
  Open = 2,
  Rename = 4,
  Sync = 8,
  Close = 16,
  Folder = 32,
  Map = 64,
  Allocate = 128,
  Change = Write | Open | Rename | Sync | Close | Folder
};
enum class Way { Once, FromThenOn, Kill, Half };

// No memory may be allocated here, and nothing be called that does: so no objects.
std::atomic<bool> armed{false};
std::atomic<std::uint64_t> calls{0};
unsigned kinds = 0;
std::uint64_t failing = 0; ///< 0: none
Way way = Way::Once;

unsigned kind_of(std::string_view name) {
  if (name == "write") return Write;
  if (name == "open") return Open;
  if (name == "rename") return Rename;
  if (name == "sync") return Sync;
  if (name == "close") return Close;
  if (name == "map") return Map;
  if (name == "allocate") return Allocate;
  if (name == "change") return Change;
  return 0;
}

void arm() {
  const char* text = std::getenv("FAULTS");
  if (!text) return;
  std::string_view told = text;
  const std::size_t colon = told.find(':');
  kinds = kind_of(told.substr(0, colon));
  if (colon != told.npos) {
    char* end = nullptr;
    failing = std::strtoull(text + colon + 1, &end, 10);
    way = *end == '+'   ? Way::FromThenOn
          : *end == '!' ? Way::Kill
          : *end == '/' ? Way::Half
                        : Way::Once;
  }
  // Programs that are started go their own ways.
  unsetenv("LD_PRELOAD");
  armed = kinds != 0;
}

[[gnu::destructor]] void report() {
  const char* path = std::getenv("FAULTS_COUNT");
  if (!armed.exchange(false) || !path) return;
  char text[32];
  const int length =
      std::snprintf(text, sizeof text, "%llu\n", static_cast<unsigned long long>(calls.load()));
  const long file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0) return;
  syscall(SYS_write, file, text, length);
  syscall(SYS_close, file);
}

/// Counts a call; whether it is to fail.
bool fails(Kind kind) {
  if (!armed.load(std::memory_order_relaxed) || !(kinds & kind)) return false;
  const std::uint64_t number = ++calls;
  if (failing == 0 || number < failing) return false;
  if (number > failing && way != Way::FromThenOn && way != Way::Half) return false;
  if (way == Way::Kill) syscall(SYS_kill, getpid(), SIGKILL);
  return true;
}

/// How many bytes are written before the failure.
std::size_t before_failure(std::size_t count) {
  return way == Way::Half && calls == failing ? count / 2 : 0;
}

template <typename Function>
Function next(const char* name, Function) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

int fail(int error) {
  errno = error;
  return -1;
}

using Main = int (*)(int, char**, char**);
Main program = nullptr;

int armed_program(int count, char** arguments, char** environment) {
  arm();
  return program(count, arguments, environment);
}

bool is_written(int flags) {
  return (flags & O_ACCMODE) != O_RDONLY;
}

} // namespace

extern "C" {

int __libc_start_main(Main main, int count, char** arguments, void (*first)(), void (*last)(),
                      void (*unload)(), void* stack) {
  program = main;
  return next("__libc_start_main", &__libc_start_main)(&armed_program, count, arguments, first,
                                                       last, unload, stack);
}

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  if (fails(Allocate)) return errno = ENOMEM, nullptr;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  if (fails(Allocate)) return errno = ENOMEM, nullptr;
  return __libc_calloc(count, size);
}
void* realloc(void* former, std::size_t size) {
  if (fails(Allocate)) return errno = ENOMEM, nullptr;
  return __libc_realloc(former, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  if (fails(Allocate)) return errno = ENOMEM, nullptr;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  if (fails(Allocate)) return ENOMEM;
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : ENOMEM;
}

void* mmap(void* address, std::size_t length, int protection, int flags, int file, off_t offset) {
  if (fails(Map)) return errno = ENOMEM, MAP_FAILED;
  return reinterpret_cast<void*>(
      syscall(SYS_mmap, address, length, protection, flags, file, offset));
}

ssize_t write(int file, const void* bytes, std::size_t count) {
  if (!fails(Write)) return syscall(SYS_write, file, bytes, count);
  const std::size_t some = before_failure(count);
  return some > 0 ? syscall(SYS_write, file, bytes, some) : fail(ENOSPC);
}
ssize_t writev(int file, const iovec* pieces, int count) {
  return fails(Write) ? fail(ENOSPC) : syscall(SYS_writev, file, pieces, count);
}
ssize_t pwrite(int file, const void* bytes, std::size_t count, off_t at) {
  return fails(Write) ? fail(ENOSPC) : syscall(SYS_pwrite64, file, bytes, count, at);
}
int fallocate(int file, int mode, off_t at, off_t count) {
  return fails(Write) ? fail(ENOSPC)
                      : static_cast<int>(syscall(SYS_fallocate, file, mode, at, count));
}
int ftruncate(int file, off_t size) {
  return fails(Write) ? fail(EIO) : static_cast<int>(syscall(SYS_ftruncate, file, size));
}

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = va_arg(more, mode_t);
  va_end(more);
  if (is_written(flags) && fails(Open)) return fail(ENOSPC);
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
int openat(int folder, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = va_arg(more, mode_t);
  va_end(more);
  if (is_written(flags) && fails(Open)) return fail(ENOSPC);
  return static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}
int close(int file) {
  const int result = static_cast<int>(syscall(SYS_close, file));
  return fails(Close) ? fail(EIO) : result;
}
int rename(const char* from, const char* to) {
  return fails(Rename) ? fail(EIO) : static_cast<int>(syscall(SYS_rename, from, to));
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  return fails(Rename)
             ? fail(EIO)
             : static_cast<int>(syscall(SYS_renameat2, from_folder, from, to_folder, to, 0));
}
int fsync(int file) {
  return fails(Sync) ? fail(EIO) : static_cast<int>(syscall(SYS_fsync, file));
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  return fails(Folder)
             ? fail(EIO)
             : static_cast<int>(syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
}
int mkdir(const char* path, mode_t mode) {
  return fails(Folder) ? fail(ENOSPC) : static_cast<int>(syscall(SYS_mkdir, path, mode));
}
int unlink(const char* path) {
  return fails(Folder) ? fail(EIO) : static_cast<int>(syscall(SYS_unlink, path));
}
int unlinkat(int folder, const char* path, int flags) {
  return fails(Folder) ? fail(EIO) : static_cast<int>(syscall(SYS_unlinkat, folder, path, flags));
}
int remove(const char* path) {
  return fails(Folder) ? fail(EIO) : next("remove", &remove)(path);
}
}
