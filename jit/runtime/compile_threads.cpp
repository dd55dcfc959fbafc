#include "jit/runtime/compile_threads.h"

#include "lang/base/heap.h"
#include "lang/base/runtime_error.h"

#include <utility>
#include <vector>

namespace sinter::jit {

namespace {

/// If so much was left behind, new work waits until some of that has ended.
constexpr std::size_t most_left_behind = 4;

} // namespace

CompileThreads::~CompileThreads() {
  for (const std::unique_ptr<Job>& job : left_)
    job->thread.join();
}

bool CompileThreads::run(Work work, const InterruptSource* interrupt, std::uint32_t epoch) {
  if (!interrupt) {
    work(nullptr);
    return true;
  }
  join_ended();
  if (left_.size() >= most_left_behind) {
    if (!wait(*left_.front(), *interrupt, epoch)) return false;
    join_ended();
  }
  auto job = std::make_unique<Job>();
  // (A copy, as no thread may be to be had.)
  auto on_thread = [job = job.get(), work](const std::byte* stack_limit) mutable {
    const UncountedHeap own;
    std::exception_ptr error;
    try {
      work(stack_limit);
    } catch (...) {
      error = std::current_exception();
    }
    work = nullptr; // what it owns goes here, not where it is no longer expected
    std::lock_guard lock(job->mutex);
    job->error = std::move(error);
    job->is_done = true;
    job->changed.notify_all();
  };
  try {
    job->thread = eval::NativeThread(std::move(on_thread));
  } catch (const RuntimeError&) {
    work(nullptr);
    return true;
  }
  work = nullptr;
  if (!wait(*job, *interrupt, epoch)) {
    left_.push_back(std::move(job));
    return false;
  }
  job->thread.join();
  if (job->error) std::rethrow_exception(job->error);
  return true;
}

std::size_t CompileThreads::left_behind() {
  join_ended();
  return left_.size();
}

bool CompileThreads::wait(Job& job, const InterruptSource& interrupt, std::uint32_t epoch) {
  std::unique_lock lock(job.mutex);
  while (!job.changed.wait_for(lock, between_looks, [&] { return job.is_done; }))
    if (interrupt.epoch() != epoch) return false;
  return true;
}

void CompileThreads::join_ended() {
  std::erase_if(left_, [](const std::unique_ptr<Job>& job) {
    {
      std::lock_guard lock(job->mutex);
      if (!job->is_done) return false;
    }
    job->thread.join();
    return true;
  });
}

} // namespace sinter::jit
