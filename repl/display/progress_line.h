// A line on the terminal that tells how far work is that takes long.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace sinter::repl {

/// Draws nothing in the first second, and nothing at all where standard error is no terminal; then
/// a line with the time so far, and with a bar, the rate and the time left where the amount of work
/// is known.  The line is erased by `hide` and by the destructor.
class ProgressLine {
public:
  /// `total`: how many `unit`s ("tests") there are to do; 0: unknown.
  explicit ProgressLine(std::string what, std::size_t total = 0, std::string unit = "");
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// How many are done; on any thread.
  void set_done(std::size_t count) { done_.store(count, std::memory_order_relaxed); }
  /// Erases the line and draws none until `resume`, so that others may write.
  void hide();
  void resume();

private:
  void run();
  void erase();

  const std::string what_, unit_;
  const std::size_t total_;
  /// Later by the time that it was hidden: the work stands still meanwhile.
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point hidden_since_{};
  std::atomic<std::size_t> done_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  bool hidden_ = false;
  bool drawn_ = false;
  std::thread thread_;
};

/// "rendering 12/30 tests [####······]  4.0/s  5 s left", "evaluating 12 s" without a total,
/// or "streaming 512 MB  230 MB/s  2 s" with a unit alone.
std::string progress_text(const std::string& what, std::size_t done, std::size_t total,
                          const std::string& unit, double seconds);

} // namespace sinter::repl
