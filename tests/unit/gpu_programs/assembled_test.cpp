// What programs ask of a device, as NVIDIA's assembler sees it: it takes every kernel, and where
// times matter there are neither stack frames nor spills.
//
// SINTER_PTX_PROGRAMS names other programs with test blocks (all of them are looked at),
// SINTER_PTX_BENCHMARKS another folder of benchmarks, SINTER_PTX_REPORT asks for what was found,
// kernel by kernel (`all`: in a line for each of them), SINTER_PTX_TEXTS a folder for their texts.
// Times that are reported are the least of five: machines are noisy.
#include "gpu/backend/gpu_backend.h"
#include "gpu/emulator/emulator.h"
#include "gpu/ptx/assemble.h"
#include "gpu/ptx/lower.h"
#include "gpu/skeletons/skeletons.h"
#include "jit/cpu/compiler_memory.h"
#include "jit/ir/print.h"
#include "program_kernels.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include <sys/resource.h>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

using namespace sinter;
using namespace sinter::test;

namespace {

constexpr unsigned most_registers = 64;
/// Kernels whose blocks keep tiles in shared memory and in registers.
constexpr unsigned most_registers_of_tiles = 128;
constexpr double most_code_milliseconds = 10;

/// What became of one of a kernel's alternatives, which is what a launch asks for, for one
/// architecture.
struct Judgement {
  const ProgramKernel* kernel = nullptr;
  std::uint32_t alternative = 0;
  unsigned architecture = 0;
  std::string way;     ///< the skeleton's word
  std::string refusal; ///< no code, or none that the assembler takes
  std::vector<gpu::AssembledEntry> entries;
  bool is_known = false;            ///< assembled for another kernel
  double code_milliseconds = 0;     ///< of this thread: from the IR to PTX
  double assembly_milliseconds = 0; ///< of the assembler, its start included

  unsigned registers() const {
    unsigned most = 0;
    for (const gpu::AssembledEntry& entry : entries)
      most = std::max(most, entry.facts.registers);
    return most;
  }
  std::size_t frame_bytes() const {
    std::size_t most = 0;
    for (const gpu::AssembledEntry& entry : entries)
      most = std::max(most, entry.facts.local_bytes);
    return most;
  }
  std::size_t spill_bytes() const {
    std::size_t most = 0;
    for (const gpu::AssembledEntry& entry : entries)
      most = std::max(most, entry.spill_store_bytes + entry.spill_load_bytes);
    return most;
  }
};

double milliseconds_of_thread() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

double milliseconds_of_children() {
  rusage usage = {};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto part = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
  };
  return part(usage.ru_utime) + part(usage.ru_stime);
}

gpu::SkeletonOptions options_of(const ProgramKernel& kernel) {
  return {.layouts = ir::all_dense(kernel.function.body.parameters.size())};
}

gpu::KernelEntries entries_of(const ProgramKernel& kernel) {
  return gpu::make_entries(kernel.function, options_of(kernel));
}

/// Leaves what a launch that wants the alternative asks for.
void complete(gpu::KernelEntries& entries, const ProgramKernel& kernel, std::uint32_t alternative) {
  std::vector<std::string> names;
  for (const gpu::EntryPoint& point : entries.module.entries)
    if (point.alternative == alternative) names.push_back(point.name);
  gpu::complete(entries, names, kernel.function, options_of(kernel));
}

std::uint32_t alternatives_of(const ProgramKernel& kernel) {
  std::uint32_t last = 0;
  for (const gpu::EntryPoint& point : entries_of(kernel).module.entries)
    last = std::max(last, point.alternative);
  return last + 1;
}

std::size_t count_of(const std::string& text, const std::string& words) {
  std::size_t count = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
    ++count;
  return count;
}

/// Whether a jump leads to a place before it.
bool goes_back(const std::string& ptx) {
  std::istringstream lines(ptx);
  std::set<std::string> labels;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("$L") && line.ends_with(":"))
      labels.insert(line.substr(0, line.size() - 1));
    if (const std::size_t at = line.find("bra"); at != std::string::npos)
      if (const std::size_t target = line.find("$L", at); target != std::string::npos)
        if (labels.contains(line.substr(target, line.find(';', target) - target))) return true;
  }
  return false;
}

/// In the folder that SINTER_PTX_TEXTS names, if it does.
void keep_text(const Judgement& judgement, const std::string& ptx) {
  const char* const folder = std::getenv("SINTER_PTX_TEXTS");
  if (!folder) return;
  const std::size_t number = std::hash<std::string>()(ir::print(judgement.kernel->function));
  std::string program = judgement.kernel->program;
  std::ranges::replace(program, '/', '_');
  std::ofstream(std::string(folder) + "/" + program + "." + std::to_string(number % 10'000) + "." +
                std::to_string(judgement.alternative) + ".sm_" +
                std::to_string(judgement.architecture) + ".ptx")
      << ptx;
}

/// What is assembled already, by text and architecture: kernels of many programs are the same.
using Assembled = std::map<std::pair<std::string, unsigned>, std::vector<gpu::AssembledEntry>>;

/// A kernel's PTX, and how long it took this thread to make it from the IR.
struct TimedPtx {
  gpu::PtxText ptx;
  std::string way;
  double milliseconds = 0;
};

TimedPtx timed_ptx(const ProgramKernel& kernel, std::uint32_t alternative, unsigned architecture) {
  const jit::CompilerMemory memory; // as where kernels are compiled
  TimedPtx result;
  double begin = milliseconds_of_thread();
  gpu::KernelEntries entries = gpu::plan_entries(kernel.function, options_of(kernel));
  // (What a launch wants first pays for the IR of all of them.)
  if (alternative > 0) begin = milliseconds_of_thread();
  complete(entries, kernel, alternative);
  result.ptx = gpu::to_ptx(entries.module, architecture);
  result.milliseconds = milliseconds_of_thread() - begin;
  result.way = entries.word;
  return result;
}

Judgement judge(const ProgramKernel& kernel, std::uint32_t alternative, unsigned architecture,
                Assembled& assembled) {
  Judgement result{.kernel = &kernel, .alternative = alternative, .architecture = architecture};
  const int times = std::getenv("SINTER_PTX_REPORT") ? 5 : 1;
  try {
    const TimedPtx first = timed_ptx(kernel, alternative, architecture);
    result.way = first.way;
    result.code_milliseconds = first.milliseconds;
    keep_text(result, first.ptx.text);
    const auto [known, is_new] = assembled.try_emplace({first.ptx.text, architecture});
    result.is_known = !is_new;
    for (int i = 0; i < times; ++i) {
      if (i > 0)
        result.code_milliseconds = std::min(
            result.code_milliseconds, timed_ptx(kernel, alternative, architecture).milliseconds);
      if (!is_new) continue;
      const double before = milliseconds_of_children();
      if (auto entries = gpu::assemble(first.ptx, architecture))
        known->second = std::move(*entries);
      const double taken = milliseconds_of_children() - before;
      result.assembly_milliseconds = i == 0 ? taken : std::min(result.assembly_milliseconds, taken);
    }
    result.entries = known->second;
  } catch (const std::runtime_error& error) {
    result.refusal = error.what();
  }
  return result;
}

std::vector<Judgement> judge_all(const std::vector<ProgramKernel>& kernels,
                                 const std::vector<unsigned>& architectures) {
  const jit::CompilerMemory memory;
  std::vector<Judgement> result;
  Assembled assembled;
  for (const ProgramKernel& kernel : kernels) {
    const std::uint32_t alternatives = alternatives_of(kernel);
    for (std::uint32_t alternative = 0; alternative < alternatives; ++alternative)
      for (const unsigned architecture : architectures)
        result.push_back(judge(kernel, alternative, architecture, assembled));
  }
  return result;
}

double quantile(std::vector<double> numbers, double part) {
  if (numbers.empty()) return 0;
  std::ranges::sort(numbers);
  return numbers[static_cast<std::size_t>(part * static_cast<double>(numbers.size() - 1))];
}

void tell(const Judgement& one) {
  std::cout << one.kernel->program << ", " << one.way << "/" << one.alternative << ", sm_"
            << one.architecture << ": " << one.registers() << " registers, " << one.frame_bytes()
            << " bytes of frame, " << one.spill_bytes() << " of spills, " << one.code_milliseconds
            << " + " << one.assembly_milliseconds << " ms " << one.refusal << "\n";
}

/// What all of them come to, in one line, and the worst ones if they are asked for.
void report(const std::string& name, const std::vector<Judgement>& all) {
  std::size_t refused = 0, frames = 0, spills = 0, many = 0, known = 0;
  std::vector<double> code, both, first, first_both;
  const char* const asked = std::getenv("SINTER_PTX_REPORT");
  const bool tells = asked != nullptr;
  const bool tells_all = tells && std::string_view(asked) == "all";
  for (const Judgement& one : all) {
    refused += !one.refusal.empty();
    frames += one.frame_bytes() > 0;
    spills += one.spill_bytes() > 0;
    const bool has_many = one.registers() > most_registers;
    many += has_many;
    code.push_back(one.code_milliseconds);
    known += one.is_known;
    const double all_of_it = one.code_milliseconds + one.assembly_milliseconds;
    if (!one.is_known) both.push_back(all_of_it);
    if (one.alternative == 0) first.push_back(one.code_milliseconds);
    if (one.alternative == 0 && !one.is_known) first_both.push_back(all_of_it);
    if (tells_all) tell(one);
    if (!tells || tells_all) continue;
    if (one.refusal.empty() && one.frame_bytes() + one.spill_bytes() == 0 && !has_many &&
        one.code_milliseconds <= most_code_milliseconds)
      continue;
    tell(one);
    std::cout << ir::print(one.kernel->function);
  }
  MESSAGE(name << ": " << all.size() << " kernels' alternatives and architectures, " << known
               << " of them with another one's text: " << refused << " refused, " << frames
               << " with a stack frame, " << spills << " with spills, " << many << " above "
               << most_registers << " registers; milliseconds of code: median "
               << quantile(code, .5) << ", 90 % " << quantile(code, .9) << ", with assembly "
               << quantile(both, .5) << ", 90 % " << quantile(both, .9)
               << "; of first alternatives: median " << quantile(first, .5) << ", 90 % "
               << quantile(first, .9) << ", with assembly " << quantile(first_both, .5) << ", 90 % "
               << quantile(first_both, .9));
}

/// The passes of a device that nothing runs on.
class Device {
public:
  Device() : backend_(gpu::make_gpu_backend("emulated", gpu::make_emulated_device(), *host_)) {}
  const jit::Backend& backend() const { return *backend_; }

private:
  std::unique_ptr<jit::Backend> host_ = jit::make_cpu_backend();
  std::unique_ptr<gpu::GpuBackend> backend_;
};

} // namespace

TEST_CASE("benchmarks keep their numbers in registers" * doctest::skip(is_sanitized)) {
  const Device device;
  const char* const elsewhere = std::getenv("SINTER_PTX_BENCHMARKS");
  const std::vector<ProgramKernel> kernels = kernels_of_benchmarks(
      elsewhere ? elsewhere : SINTER_SOURCE_DIR "/tests/bench/core", 64, device.backend());
  CHECK(kernels.size() >= 25);
  const std::vector<Judgement> all = judge_all(kernels, {75, 80, 90});
  for (const Judgement& one : all) {
    CAPTURE(one.kernel->program);
    const std::string text = ir::print(one.kernel->function);
    CAPTURE(text);
    CAPTURE(one.architecture);
    CHECK(one.refusal == "");
    CHECK(one.frame_bytes() == 0);
    CHECK(one.spill_bytes() == 0);
    CHECK(one.registers() <= (one.way == "tile" ? most_registers_of_tiles : most_registers));
  }
  report("benchmarks", all);
}

TEST_CASE("streams of benchmarks are read and written 16 bytes at once, by threads without a loop" *
          doctest::skip(is_sanitized)) {
  const Device device;
  std::size_t count = 0;
  for (const ProgramKernel& kernel :
       kernels_of_benchmarks(SINTER_SOURCE_DIR "/tests/bench/core", 64, device.backend())) {
    const bool is_short =
        kernel.program.starts_with("saxpy") || kernel.program.starts_with("mapchain");
    if (!is_short && !kernel.program.starts_with("blackscholes")) continue;
    ++count;
    const std::string ptx = gpu::to_ptx(entries_of(kernel).module, 80).text;
    CAPTURE(kernel.program);
    CAPTURE(ptx);
    const auto counts = [&](const std::string& words) { return count_of(ptx, words); };
    const std::size_t inputs = kernel.function.body.results.size() == 2 ? 3
                               : kernel.program.starts_with("saxpy")    ? 2
                                                                        : 1;
    const bool is_wide = ir::print(kernel.function).find("f64") != std::string::npos;
    CHECK(counts(is_wide ? "ld.global.v2.f64" : "ld.global.v4.f32") == inputs);
    CHECK(counts(is_wide ? "st.global.v2.f64" : "st.global.v4.f32") ==
          kernel.function.body.results.size());
    CHECK(counts("div.s64") + counts("rem.s64") + counts("div.u64") + counts("rem.u64") == 0);
    if (is_short) CHECK(!goes_back(ptx));
  }
  CHECK(count == 4);
}

TEST_CASE("the assembler takes what programs become") {
  const Device device;
  const char* const elsewhere = std::getenv("SINTER_PTX_PROGRAMS");
  const std::size_t step = elsewhere ? 1 : is_sanitized ? 96 : 12;
  const std::vector<ProgramKernel> kernels = kernels_of_tests(
      {elsewhere ? elsewhere : SINTER_SOURCE_DIR "/tests/programs"}, step, device.backend());
  CHECK((elsewhere || kernels.size() >= some_of(20))); // of a folder there may be few
  const std::vector<Judgement> all =
      judge_all(kernels, elsewhere ? std::vector<unsigned>{75, 80, 90} : std::vector<unsigned>{80});
  for (const Judgement& one : all) {
    CAPTURE(one.kernel->program);
    const std::string text = ir::print(one.kernel->function);
    CAPTURE(text);
    CAPTURE(one.architecture);
    CHECK(one.refusal == "");
  }
  report("programs", all);
}
