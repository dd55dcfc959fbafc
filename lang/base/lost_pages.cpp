#include "lang/base/lost_pages.h"

#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdint>
#include <mutex>

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sinter {

/// The addresses of one.  Its place is used again, and never given back: a handler may be looking
/// at it.
struct LostPages::Range {
  std::atomic<std::uintptr_t> begin{0}; ///< 0: free
  std::atomic<std::uintptr_t> end{0};
  std::atomic<InterruptSource*> interrupt{nullptr};
  std::atomic<bool> is_damaged{false};
  std::atomic<int> protection{PROT_READ}; ///< of what is put in the place of lost pages
  Range* next = nullptr;
};

/// A process has one handler of a signal, and that one list.
class LostPages::Ranges {
public:
  static Ranges& all() {
    static Ranges* const ranges = new Ranges; // a handler may run as long as the process
    return *ranges;
  }

  Range* add(std::uintptr_t begin, std::uintptr_t end, InterruptSource* interrupt, Access access) {
    const std::lock_guard lock(mutex_);
    Range* range = first_.load(std::memory_order_relaxed);
    while (range && range->begin.load(std::memory_order_relaxed) != 0)
      range = range->next;
    const bool is_new = !range;
    if (is_new) {
      range = new Range;
      range->next = first_.load(std::memory_order_relaxed);
    }
    range->is_damaged.store(false, std::memory_order_relaxed);
    range->interrupt.store(interrupt, std::memory_order_relaxed);
    range->protection.store(access == Access::Read ? PROT_READ : PROT_READ | PROT_WRITE,
                            std::memory_order_relaxed);
    range->end.store(end, std::memory_order_relaxed);
    range->begin.store(begin, std::memory_order_release);
    if (is_new) first_.store(range, std::memory_order_release);
    return range;
  }
  void remove(Range* range) {
    const std::lock_guard lock(mutex_);
    range->begin.store(0, std::memory_order_release);
  }
  /// The one with this address, null if there is none.  (Whose address that is does not go away
  /// meanwhile; others may.)
  Range* find(std::uintptr_t address) const {
    for (Range* range = first_.load(std::memory_order_acquire); range; range = range->next) {
      const std::uintptr_t begin = range->begin.load(std::memory_order_acquire);
      if (begin == 0 || address < begin) continue;
      if (address < range->end.load(std::memory_order_relaxed) &&
          range->begin.load(std::memory_order_acquire) == begin)
        return range;
    }
    return nullptr;
  }

  static void handle(int signal, siginfo_t* information, void* context) {
    Ranges& ranges = all();
    const int error = errno;
    const bool is_fault = information->si_code > 0;
    if (is_fault && ranges.replace(reinterpret_cast<std::uintptr_t>(information->si_addr))) {
      errno = error;
      return;
    }
    const struct sigaction& former = ranges.former_;
    if (former.sa_flags & SA_SIGINFO) return former.sa_sigaction(signal, information, context);
    if (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN)
      return former.sa_handler(signal);
    // What was done is done again, and ends as if nobody had been here.
    (void)sigaction(signal, &former, nullptr);
    if (!is_fault) (void)raise(signal);
  }

private:
  Ranges() : page_(static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE))) {
    // (Before the handler may run, as that asks for what this makes.)
    (void)sigaction(SIGBUS, nullptr, &former_);
    struct sigaction action {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGBUS, &action, nullptr);
  }

  /// Puts zero pages in the place of what is lost; false if it is no one's here.  Calls nothing
  /// that a handler must not call (nor what sanitizers put in front of `mmap`).
  bool replace(std::uintptr_t address) const {
    Range* const range = find(address);
    if (!range) return false;
    if (InterruptSource* const interrupt = range->interrupt.load(std::memory_order_relaxed);
        interrupt && !range->is_damaged.exchange(true, std::memory_order_acq_rel) &&
        interrupt->reason() == InterruptSource::Reason::None)
      interrupt->raise(InterruptSource::Reason::LostPages);
    range->is_damaged.store(true, std::memory_order_release);
    const std::uintptr_t page = address / page_ * page_;
    const long mapped = syscall(SYS_mmap, page, range->end.load() - page, range->protection.load(),
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    return mapped != -1;
  }

  const std::uintptr_t page_;
  struct sigaction former_ {};
  std::mutex mutex_; ///< of who adds and removes
  std::atomic<Range*> first_{nullptr};
};

LostPages::LostPages(const std::byte* base, std::size_t bytes, InterruptSource* interrupt,
                     Access access) {
  const auto begin = reinterpret_cast<std::uintptr_t>(base);
  assert(begin % static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE)) == 0);
  range_ = Ranges::all().add(begin, begin + bytes, interrupt, access);
}

LostPages::~LostPages() {
  Ranges::all().remove(range_);
}

bool LostPages::is_damaged() const {
  return range_->is_damaged.load(std::memory_order_acquire);
}

} // namespace sinter
