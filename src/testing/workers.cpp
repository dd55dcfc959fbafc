#include "src/testing/workers.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <deque>
#include <iostream>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sinter::testing {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds grace{10};
constexpr std::size_t kept_noise = 2000; ///< bytes of a worker's standard error

struct Pipe {
  int read_end = -1, write_end = -1;
};

Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw FormatError(std::string("cannot make a pipe: ") + std::strerror(errno));
  return {ends[0], ends[1]};
}

/// A running worker and what is known of it.
struct Worker {
  const ProgramJob* job = nullptr;
  pid_t pid = -1;
  int out = -1, err = -1;
  std::size_t next = 0; ///< the case that runs, or runs next
  Clock::time_point since;
  bool killed = false;
  std::string pending; ///< an unfinished line
  std::string noise;   ///< the end of what it wrote to standard error
};

Worker start_worker(const ProgramJob& job, std::size_t first, const WorkerOptions& options) {
  std::vector<std::string> words = {"sinter", "test-worker", job.path, "--first",
                                    std::to_string(first)};
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  std::vector<char*> arguments;
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);

  Pipe out = make_pipe(), err = make_pipe();
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  pid_t pid = fork();
  if (pid < 0) throw FormatError(std::string("cannot start a process: ") + std::strerror(errno));
  if (pid == 0) {
    dup2(nothing, STDIN_FILENO);
    dup2(out.write_end, STDOUT_FILENO);
    dup2(err.write_end, STDERR_FILENO);
    execv("/proc/self/exe", arguments.data());
    _exit(127);
  }
  close(nothing);
  close(out.write_end);
  close(err.write_end);
  Worker worker;
  worker.job = &job;
  worker.pid = pid;
  worker.out = out.read_end;
  worker.err = err.read_end;
  worker.next = first;
  worker.since = Clock::now();
  return worker;
}

/// How a worker that ended before its time did so.
std::string cause_of_death(const Worker& worker, int status) {
  std::string text;
  if (worker.killed)
    text = "it did not stop at the time limit and was killed";
  else if (WIFSIGNALED(status))
    text = std::string("it crashed: ") + strsignal(WTERMSIG(status));
  else
    text = "the process ended with exit code " + std::to_string(WEXITSTATUS(status));
  if (!worker.noise.empty()) text += "\n" + worker.noise;
  return text;
}

class Pool {
public:
  Pool(const std::vector<ProgramJob>& jobs, const WorkerOptions& options,
       const std::function<void(const CaseId&, const CaseResult&)>& report)
      : options_(options), report_(report) {
    for (const ProgramJob& job : jobs)
      if (!job.cases.empty()) waiting_.push_back(&job);
  }
  ~Pool() {
    for (Worker& worker : workers_) {
      kill(worker.pid, SIGKILL);
      waitpid(worker.pid, nullptr, 0);
      close(worker.out);
      close(worker.err);
    }
  }

  void run() {
    while (!waiting_.empty() || !workers_.empty()) {
      while (!waiting_.empty() && workers_.size() < options_.processes) {
        workers_.push_back(start_worker(*waiting_.front(), 0, options_));
        waiting_.pop_front();
      }
      wait_for_news();
    }
  }

private:
  void wait_for_news() {
    std::vector<pollfd> polled;
    for (const Worker& worker : workers_) {
      polled.push_back({worker.out, POLLIN, 0});
      polled.push_back({worker.err, POLLIN, 0});
    }
    constexpr int tick_in_ms = 200; // to look at the time limits
    poll(polled.data(), polled.size(), tick_in_ms);
    for (std::size_t i = workers_.size(); i-- > 0;) {
      Worker& worker = workers_[i];
      if (polled[2 * i + 1].revents) read_noise(worker);
      bool ended = polled[2 * i].revents && !read_results(worker);
      if (!worker.killed && Clock::now() - worker.since > options_.timeout + grace) {
        kill(worker.pid, SIGKILL);
        worker.killed = true;
      }
      if (ended) bury(i);
    }
  }

  void read_noise(Worker& worker) {
    char bytes[4096];
    ssize_t count = read(worker.err, bytes, sizeof bytes);
    if (count > 0) worker.noise.append(bytes, static_cast<std::size_t>(count));
    if (worker.noise.size() > 2 * kept_noise)
      worker.noise.erase(0, worker.noise.size() - kept_noise);
  }

  /// False at the end of the worker's output.
  bool read_results(Worker& worker) {
    char bytes[65536];
    ssize_t count = read(worker.out, bytes, sizeof bytes);
    if (count <= 0) return count < 0 && errno == EINTR;
    worker.pending.append(bytes, static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end; (end = worker.pending.find('\n', begin)) != std::string::npos;
         begin = end + 1)
      take(worker, worker.pending.substr(begin, end - begin));
    worker.pending.erase(0, begin);
    return true;
  }

  void take(Worker& worker, const std::string& line) {
    nlohmann::json event = nlohmann::json::parse(line, nullptr, false);
    if (event.is_discarded() || worker.next >= worker.job->cases.size()) return;
    worker.since = Clock::now();
    CaseResult result;
    result.passed = event["passed"];
    result.message = event["message"];
    result.seconds = event["seconds"];
    report_(worker.job->cases[worker.next++], result);
  }

  /// After a worker's end: the case that it died of fails, another one goes on behind it.
  void bury(std::size_t index) {
    Worker worker = std::move(workers_[index]);
    workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(index));
    fcntl(worker.err, F_SETFL, O_NONBLOCK);
    read_noise(worker);
    int status = 0;
    waitpid(worker.pid, &status, 0);
    close(worker.out);
    close(worker.err);
    if (worker.next == worker.job->cases.size()) return;
    CaseResult result;
    result.message = cause_of_death(worker, status);
    result.seconds = std::chrono::duration<double>(Clock::now() - worker.since).count();
    report_(worker.job->cases[worker.next++], result);
    if (worker.next < worker.job->cases.size())
      workers_.push_back(start_worker(*worker.job, worker.next, options_));
  }

  const WorkerOptions& options_;
  const std::function<void(const CaseId&, const CaseResult&)>& report_;
  std::deque<const ProgramJob*> waiting_;
  std::vector<Worker> workers_;
};

} // namespace

void run_in_workers(const std::vector<ProgramJob>& jobs, const WorkerOptions& options,
                    const std::function<void(const CaseId&, const CaseResult&)>& report) {
  Pool(jobs, options, report).run();
}

void work(const std::string& path, const TestProgram& program, const std::vector<CaseId>& cases,
          std::size_t first, repl::SessionOptions options) {
  ProgramRunner runner(path, program, std::move(options));
  for (std::size_t i = first; i < cases.size(); ++i) {
    CaseResult result = runner.run(cases[i]);
    nlohmann::json line = {
        {"passed", result.passed}, {"message", result.message}, {"seconds", result.seconds}};
    std::cout << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
  }
}

} // namespace sinter::testing
