#include "repl/display/progress_line.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include <unistd.h>

namespace sinter::repl {

namespace {

constexpr auto patience = std::chrono::seconds(1);
constexpr auto interval = std::chrono::milliseconds(200);

std::string duration_text(double seconds) {
  auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

} // namespace

std::string progress_text(const std::string& what, std::size_t done, std::size_t total,
                          const std::string& unit, double seconds) {
  const auto rate_text = [](double rate) {
    char number[32];
    std::snprintf(number, sizeof number, rate >= 10 ? "  %.0f" : "  %.1f", rate);
    return std::string(number);
  };
  if (total == 0) {
    if (unit.empty() || seconds <= 0) return what + "  " + duration_text(seconds);
    return what + " " + std::to_string(done) + " " + unit +
           rate_text(static_cast<double>(done) / seconds) + " " + unit + "/s  " +
           duration_text(seconds);
  }
  done = std::min(done, total);
  constexpr std::size_t width = 20;
  std::size_t filled = done * width / total;
  std::string text = what + " " + std::to_string(done) + "/" + std::to_string(total) +
                     (unit.empty() ? "" : " " + unit) + " [" + std::string(filled, '#');
  for (std::size_t i = filled; i < width; ++i)
    text += "·";
  text += "]";
  if (done == 0 || seconds <= 0) return text + "  " + duration_text(seconds);
  double rate = static_cast<double>(done) / seconds;
  return text + rate_text(rate) + "/s  " + duration_text(static_cast<double>(total - done) / rate) +
         " left";
}

ProgressLine::ProgressLine(std::string what, std::size_t total, std::string unit)
    : what_(std::move(what)), unit_(std::move(unit)), total_(total) {
  if (!isatty(STDERR_FILENO)) return;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    // Without a thread nothing is shown.
  }
}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void ProgressLine::erase() {
  if (std::exchange(drawn_, false)) std::fputs("\r\033[K", stderr), std::fflush(stderr);
}

void ProgressLine::hide() {
  std::lock_guard lock(mutex_);
  if (std::exchange(hidden_, true)) return;
  hidden_since_ = std::chrono::steady_clock::now();
  erase();
}

void ProgressLine::resume() {
  std::lock_guard lock(mutex_);
  if (std::exchange(hidden_, false)) start_ += std::chrono::steady_clock::now() - hidden_since_;
}

void ProgressLine::run() {
  std::unique_lock lock(mutex_);
  if (changed_.wait_for(lock, patience, [this] { return ended_; })) return;
  do {
    if (hidden_) continue;
    double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    std::string text =
        progress_text(what_, done_.load(std::memory_order_relaxed), total_, unit_, seconds);
    std::fprintf(stderr, "\r\033[K%s", text.c_str());
    std::fflush(stderr);
    drawn_ = true;
  } while (!changed_.wait_for(lock, interval, [this] { return ended_; }));
  erase();
}

} // namespace sinter::repl
