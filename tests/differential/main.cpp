// sinter_differ: random programs interpreted, compiled, mixed and in mode auto, with the same
// results.
//
// Programs are evaluated by a child process, many one after the other; one that crashes or hangs
// ends the child, is reported, and another child goes on behind it.
#include "jit/gate/device_list.h"
#include "lang/base/plugin.h"
#include "lang/syntax/parser.h"
#include "lang/syntax/print.h"
#include "tests/differential/assumptions.h"
#include "tests/differential/modes.h"
#include "tests/differential/programs.h"
#include "tests/differential/shrink.h"
#include "tests/generate/degenerate.h"

#include <CLI/CLI.hpp>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>

namespace {

using namespace sinter;
using differential::ModeComparer;
using differential::Totals;

/// Seconds that one program may take in all modes, its compilation included.
constexpr unsigned patience = 60;
/// And what a GPU's context may take before the first one.
constexpr unsigned patience_for_gpu = 300;

/// What a child tells its parent, in memory that they share.
struct Shared {
  std::uint64_t seed = 0; ///< that is being evaluated
  Totals totals;
  enum class Verdict { None, Same, Different } verdict = Verdict::None;
  char text[1 << 14] = {};
};

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t count = 1000;
  std::uint64_t programs_a_child = 500;
  unsigned most_findings = 20;
  bool shrinks = true;
  bool is_degenerate = false;
  bool debugs = false;    ///< sound programs with their assumptions tested
  std::string violations; ///< programs with a violation of this kind, or "all"
  ModeComparer::Options compare;
};

/// A fault: the kind tells faults apart while a program is made smaller.
struct Finding {
  std::string kind, text;
};

/// Runs `body` in a child; how that died, if it did not end by itself.
std::string in_child(const std::function<void()>& body) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    body();
    std::fflush(nullptr);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    return WTERMSIG(status) == SIGALRM ? "takes too long" : strsignal(WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? "" : "ended with " + std::to_string(WEXITSTATUS(status));
}

void tell(Shared& shared, const std::optional<std::string>& difference) {
  shared.verdict = difference ? Shared::Verdict::Different : Shared::Verdict::Same;
  if (difference) std::snprintf(shared.text, sizeof shared.text, "%s", difference->c_str());
}

/// (After a fork: no context survives one.)
void open_gpu(ModeComparer& comparer) {
  alarm(patience_for_gpu);
  comparer.open_gpu();
}

/// Whether there is the device on which programs are to run; says why, if there is not: they would
/// all run on the processor, and agree.
bool has_device(const Options& options) {
  const std::string end = in_child([&] {
    const std::optional<std::string> objection =
        sinter::jit::device_objection(options.compare.device);
    if (!objection) return;
    std::fprintf(stderr, "%s\n", objection->c_str());
    std::_Exit(2);
  });
  return end.empty();
}

/// The fault of one program, evaluated in a child of its own.
std::optional<Finding> fault_of(const generate::Program& program, std::uint64_t seed,
                                const Options& options, Shared& shared) {
  shared.verdict = Shared::Verdict::None;
  const std::string death = in_child([&] {
    ModeComparer comparer(options.compare);
    open_gpu(comparer);
    alarm(patience);
    tell(shared, comparer.difference(program, seed));
  });
  if (!death.empty()) return Finding{death, death + "\n"};
  if (shared.verdict == Shared::Verdict::Different) return Finding{"differs", shared.text};
  return std::nullopt;
}

std::string laid_out(const std::string& text) {
  SourceMap sources;
  syntax::Ast ast;
  Diagnostics diagnostics;
  syntax::File file = syntax::parse_file(sources, sources.add("generated", text), ast, diagnostics);
  return diagnostics.has_errors() ? text : syntax::print(file);
}

generate::Program program_of(const Options& options, std::uint64_t seed) {
  return options.is_degenerate ? generate::generate_degenerate(seed)
                               : differential::program_of(seed);
}

/// Evaluates seeds up to `end`; the first that is left, after a fault or for the next child.
std::uint64_t evaluate_some(const Options& options, std::uint64_t end, Shared& shared,
                            Totals& totals, std::optional<Finding>& fault) {
  const std::uint64_t begin = shared.seed;
  shared.verdict = Shared::Verdict::None;
  shared.totals = {};
  const std::string death = in_child([&] {
    ModeComparer comparer(options.compare);
    open_gpu(comparer);
    for (; shared.seed < std::min(end, begin + options.programs_a_child); ++shared.seed) {
      alarm(patience);
      const generate::Program program = program_of(options, shared.seed);
      const std::optional<std::string> difference = comparer.difference(program, shared.seed);
      shared.totals = comparer.totals();
      tell(shared, difference);
      if (difference) break;
    }
  });
  totals += shared.totals;
  if (!death.empty())
    fault = Finding{death, death + "\n"};
  else if (shared.verdict == Shared::Verdict::Different)
    fault = Finding{"differs", shared.text};
  return shared.seed + (fault ? 1 : 0);
}

void report(const Options& options, std::uint64_t seed, Finding fault, Shared& shared) {
  std::printf("---- seed %llu: %s\n%s", static_cast<unsigned long long>(seed), fault.kind.c_str(),
              fault.text.c_str());
  std::fflush(stdout);
  generate::Program program = program_of(options, seed);
  if (!options.shrinks) {
    std::printf("input: %s%s\n", program.input.c_str(), laid_out(program.text).c_str());
    std::fflush(stdout);
    return;
  }
  const std::optional<Finding> alone = fault_of(program, seed, options, shared);
  if (!alone) {
    std::printf("not found again when it is evaluated alone\n");
    return;
  }
  ModeComparer checker(options.compare);
  program = differential::shrink(
      program, [&](const std::string& text) { return checker.is_program(text); },
      [&](const generate::Program& smaller) {
        const std::optional<Finding> found = fault_of(smaller, seed, options, shared);
        return found && found->kind == alone->kind;
      });
  const std::optional<Finding> last = fault_of(program, seed, options, shared);
  std::printf("%sinput: %s%s\n", last ? last->text.c_str() : "", program.input.c_str(),
              laid_out(program.text).c_str());
  std::fflush(stdout);
}

void print(const Totals& totals, double seconds) {
  auto share = [&](std::uint64_t count) {
    return 100.0 * static_cast<double>(count) /
           static_cast<double>(std::max<std::uint64_t>(totals.programs, 1));
  };
  std::printf("%llu programs in %.1f s (%.1f a second); compiled code ran in %.1f %%, kernels in "
              "%.1f %%, with SOACs inside in %.1f %%; %.1f %% failed alike, %llu were skipped; "
              "%llu regions, %llu kernels, %llu runs\n",
              static_cast<unsigned long long>(totals.programs), seconds,
              static_cast<double>(totals.programs) / seconds, share(totals.compiled),
              share(totals.launched), share(totals.soacs), share(totals.failed),
              static_cast<unsigned long long>(totals.skipped),
              static_cast<unsigned long long>(totals.regions),
              static_cast<unsigned long long>(totals.kernels),
              static_cast<unsigned long long>(totals.runs));
  std::fflush(stdout);
}

/// Sound programs: no alarm, and the same bits; how many had a fault.
std::uint64_t judge_sound_programs(const Options& options) {
  differential::AssumptionJudge judge({});
  std::uint64_t faults = 0;
  for (std::uint64_t seed = options.seed; seed < options.seed + options.count; ++seed) {
    const generate::Program program = program_of(options, seed);
    const std::optional<std::string> fault = judge.fault_of_sound(program);
    if (!fault) continue;
    std::printf("---- seed %llu: %sinput: %s%s\n", static_cast<unsigned long long>(seed),
                fault->c_str(), program.input.c_str(), laid_out(program.text).c_str());
    std::fflush(stdout);
    if (++faults >= options.most_findings) break;
  }
  std::printf("%llu passed, %llu failed\n", static_cast<unsigned long long>(options.count - faults),
              static_cast<unsigned long long>(faults));
  return faults;
}

/// Programs with a violation, `count` of each kind; how many kinds are found too rarely.
std::uint64_t judge_violations(const Options& options) {
  differential::AssumptionJudge judge({});
  std::uint64_t too_few = 0, kinds = 0;
  for (const auto& [violation, name] : generate::violations) {
    if (options.violations != "all" && options.violations != name) continue;
    differential::AssumptionJudge::Found found;
    for (std::uint64_t seed = options.seed; found.planted < options.count; ++seed)
      if (const auto planted = generate::plant(program_of(options, seed), violation, seed))
        judge.count_violation(*planted, seed, found);
    std::printf("%s: %llu planted, %llu matter, %llu of these found", std::string(name).c_str(),
                static_cast<unsigned long long>(found.planted),
                static_cast<unsigned long long>(found.matter),
                static_cast<unsigned long long>(found.found));
    for (std::size_t i = 0; i < std::min<std::size_t>(found.missed.size(), 20); ++i)
      std::printf("%s%llu", i == 0 ? "; missed: " : ", ",
                  static_cast<unsigned long long>(found.missed[i]));
    std::printf("\n");
    if (!found.missed.empty()) {
      const std::uint64_t seed = found.missed.front();
      const auto planted = generate::plant(program_of(options, seed), violation, seed);
      std::printf("---- seed %llu: the violation is not found\ninput: %s%s\n",
                  static_cast<unsigned long long>(seed), planted->program.input.c_str(),
                  laid_out(planted->program.text).c_str());
    }
    std::fflush(stdout);
    ++kinds;
    too_few += found.matter == 0 || 100 * found.found < 99 * found.matter;
  }
  std::printf("%llu passed, %llu failed\n", static_cast<unsigned long long>(kinds - too_few),
              static_cast<unsigned long long>(too_few));
  return too_few;
}

int run(const Options& options) {
  if (!options.violations.empty()) return judge_violations(options) == 0 ? 0 : 1;
  if (options.debugs) return judge_sound_programs(options) == 0 ? 0 : 1;
  void* memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("mmap");
    return 1;
  }
  Shared& shared = *new (memory) Shared;
  const auto began = std::chrono::steady_clock::now();
  auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  Totals totals;
  unsigned findings = 0;
  const std::uint64_t end = options.seed + options.count;
  for (std::uint64_t next = options.seed; next < end && findings < options.most_findings;) {
    std::optional<Finding> fault;
    shared.seed = next;
    next = evaluate_some(options, end, shared, totals, fault);
    if (!fault) {
      if (next < end) print(totals, seconds());
      continue;
    }
    ++findings;
    report(options, next - 1, std::move(*fault), shared);
    if (totals.programs > 0) print(totals, seconds());
  }
  print(totals, seconds());
  std::printf("%llu passed, %u failed\n",
              static_cast<unsigned long long>(totals.programs -
                                              std::min<std::uint64_t>(findings, totals.programs)),
              findings);
  return findings == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Evaluates random programs in every mode, and compares.");
  app.add_option("--seed", options.seed, "The first program's seed")->capture_default_str();
  app.add_option("--count", options.count, "How many programs")->capture_default_str();
  app.add_option("--threads", options.compare.threads,
                 "That run compiled code; 0: one or two, by the seed");
  app.add_option("--second-tier", options.compare.second_tier_one_in,
                 "Compile one program in so many for the second tier; 1: all")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--sizes", options.is_degenerate,
               "Programs about sizes: none, negative and huge ones in every dimension");
  app.add_flag_callback(
      "--emulated", [&] { options.compare.device = sinter::jit::DeviceChoice::emulated(); },
      "Compiled code runs on a pretended device if it can");
  app.add_flag_callback(
      "--gpu", [&] { options.compare.device.kind = sinter::jit::DeviceChoice::Kind::Gpu; },
      "Compiled code runs on the first GPU if it can");
  app.add_flag("--debug-mode", options.debugs,
               "Test what is assumed of the programs: no alarm, and the same results");
  app.add_option("--violations", options.violations,
                 "Plant violations of this kind (or `all`) and count how many are found")
      ->check(CLI::IsMember({"all", "not-associative", "not-neutral", "not-commutative",
                             "scatter-twice", "dependent-iterations"}));
  app.add_flag("!--no-verify", options.compare.verify, "Do not check the IR after each pass");
  app.add_flag("!--no-shrink", options.shrinks, "Leave programs with a fault as they are");
  app.add_option("--findings", options.most_findings, "Stop after so many")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  if (!has_device(options)) return 2;
  if (options.is_degenerate) {
    options.compare.time_limit = std::chrono::milliseconds(300);
    options.compare.memory_limit = std::size_t{256} << 20;
  }
  setenv("SINTER_CACHE", "off", 1); // what is compiled is compiled now
  try {
    // Without a compiler sessions interpret, and nothing would differ.
    open_plugin("sinter_jit_plugin", jit::make_hot_swap_name);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  return run(options);
}
