#include "program_kernels.h"

#include "jit/emit/kernel_layout.h"
#include "jit/ir/parse.h"
#include "jit/ir/print.h"
#include "jit/runtime/executable.h"
#include "jit/runtime/places.h"
#include "src/command.h"
#include "tests/unit/jit_trace/tracing.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace sinter::test {

namespace {

class NoKernel final : public jit::Kernel {
public:
  jit::Outcome launch(std::vector<jit::Datum>, const jit::RunContext&) override {
    return jit::Stopped{.why = jit::Stopped::Why::Declined};
  }
  jit::KernelFacts facts() const override { return {}; }
  std::string assembly() const override { return {}; }
};

/// Takes note of what it is asked to compile.
class RecordingBackend final : public jit::Backend {
public:
  explicit RecordingBackend(std::string name, const jit::Backend* device = nullptr)
      : name_(std::move(name)), device_(device) {}
  std::string name() const override { return name_; }
  jit::PreparedKernel prepare(ir::Function kernel,
                              const jit::CompileOptions& options) const override {
    if (device_) return device_->prepare(std::move(kernel), options);
    return jit::Backend::prepare(std::move(kernel), options);
  }
  std::optional<std::string> rejects(const ir::Function& kernel) const override {
    return device_ ? device_->rejects(kernel) : std::nullopt;
  }
  std::shared_ptr<jit::Kernel> compile(const ir::Function& kernel, ir::ArrayLayouts,
                                       const jit::CompileOptions&) override {
    kernels.push_back(kernel);
    return std::make_shared<NoKernel>();
  }

  std::vector<ir::Function> kernels;

private:
  std::string name_;
  const jit::Backend* device_;
};

/// Kernels of several programs, each once.
class Collection {
public:
  explicit Collection(const jit::Backend& device) : device_(device) {}

  /// What the entry point becomes with arguments like these.
  void add(const std::string& name, repl::Session& session, const core::Function& function,
           const std::vector<Value>& arguments) {
    const Traced traced = run_traced(session, function, arguments, /*is_optimised=*/true,
                                     /*is_run=*/false, Uncomputed::InPlace);
    if (traced.refusal || !traced.problem.empty()) return;
    RecordingBackend device("device", &device_), host("host");
    const jit::Places places({&device, &host}, std::make_shared<const jit::PlaceChooser>());
    jit::make_executable(ir::parse(traced.ir), places, {})->compile_all();
    for (ir::Function& kernel : device.kernels)
      if (seen_.insert(ir::print(kernel)).second) kernels_.push_back({name, std::move(kernel)});
  }
  std::vector<ProgramKernel> take() { return std::move(kernels_); }

private:
  const jit::Backend& device_;
  std::set<std::string> seen_;
  std::vector<ProgramKernel> kernels_;
};

repl::SessionOptions quick_options() {
  repl::SessionOptions options;
  options.timeout = std::chrono::milliseconds(20'000);
  options.trace = [](const std::string&) {};
  options.max_memory_bytes = std::size_t{1} << 30;
  return options;
}

void add_tests(const testing::FoundProgram& program, Collection& collection) {
  testing::ProgramRunner runner(program.path, program.program, quick_options());
  if (!runner.checked().ok()) return;
  repl::Session& session = runner.session();
  for (const testing::CaseId& id : testing::list_cases(program.path, program.program, {})) {
    if (id.kind != testing::CaseId::Kind::Run) continue;
    (void)session.guarded([&] {
      const core::EntryPoint entry = session.specialiser().entry_point(*session.loaded(), id.entry);
      const std::vector<Value> arguments =
          testing::case_arguments(session, entry, program.program.cases[id.test]);
      collection.add(id.name, session, *entry.function, arguments);
      return Value::unit();
    });
  }
}

constexpr std::string_view kernel_prefix = "kernel", input_prefix = "input";

/// Of the entry point `kernel…` the one that makes its input: of the same variant, or the first of
/// all that there are.
std::string input_for(const std::string& kernel, const std::vector<std::string>& entries) {
  const std::string own = std::string(input_prefix) + kernel.substr(kernel_prefix.size());
  if (std::ranges::find(entries, own) != entries.end()) return own;
  const auto first = std::ranges::find_if(
      entries, [](const std::string& entry) { return entry.starts_with(input_prefix); });
  return first == entries.end() ? "" : *first;
}

void add_benchmarks(const std::string& path, std::int64_t size, Collection& collection) {
  repl::Session session(quick_options());
  if (!session.load(path).ok()) return;
  const std::vector<std::string> entries = session.specialiser().entry_points(*session.loaded());
  for (const std::string& kernel : entries) {
    if (!kernel.starts_with(kernel_prefix)) continue;
    const std::string input = input_for(kernel, entries);
    if (input.empty()) continue;
    (void)session.guarded([&] {
      const core::EntryPoint maker = session.specialiser().entry_point(*session.loaded(), input);
      const core::EntryPoint entry = session.specialiser().entry_point(*session.loaded(), kernel);
      const std::vector<Value> arguments = spread_results(
          maker, session.evaluator().call(*maker.function, {Value(Scalar::of(size))}));
      const std::string name = std::filesystem::path(path).filename().string() + ":" + kernel;
      collection.add(name, session, *entry.function, arguments);
      return Value::unit();
    });
  }
}

} // namespace

std::vector<ProgramKernel> kernels_of_tests(const std::vector<std::string>& paths, std::size_t step,
                                            const jit::Backend& device) {
  Collection collection(device);
  std::size_t number = 0;
  for (const testing::FoundProgram& program : testing::find_programs(paths))
    if (number++ % step == 0) add_tests(program, collection);
  return collection.take();
}

std::vector<ProgramKernel> kernels_of_benchmarks(const std::string& folder, std::int64_t size,
                                                 const jit::Backend& device) {
  std::vector<std::string> paths;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    if (file.path().extension() == ".fut") paths.push_back(file.path().string());
  std::ranges::sort(paths);
  Collection collection(device);
  for (const std::string& path : paths)
    add_benchmarks(path, size, collection);
  return collection.take();
}

} // namespace sinter::test
