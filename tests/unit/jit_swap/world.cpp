#include "tests/unit/jit_swap/world.h"

#include "jit/ir/evaluate.h"
#include "lang/values/elements.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace sinter::test {

namespace {

ir::DenseValue to_ir(const jit::Datum& datum) {
  if (const auto* scalar = std::get_if<Scalar>(&datum)) return *scalar;
  const Leaf& leaf = std::get<Leaf>(datum);
  ir::DenseArray array{leaf.element, {leaf.extents.begin(), leaf.extents.end()}, {}};
  auto collect = [&](auto&& self, std::size_t dimension, std::int64_t at) -> void {
    if (dimension == leaf.extents.size()) {
      array.elements.push_back(load_scalar(leaf.element, leaf.buffer->contents(), at));
      return;
    }
    for (std::int64_t i = 0; i < leaf.extents[dimension]; ++i)
      self(self, dimension + 1, at + i * leaf.strides[dimension]);
  };
  collect(collect, 0, leaf.offset);
  return array;
}

jit::Datum from_ir(const ir::DenseValue& datum, MemoryBudget& memory) {
  if (const auto* scalar = std::get_if<Scalar>(&datum)) return *scalar;
  const ir::DenseArray& array = std::get<ir::DenseArray>(datum);
  Leaf leaf;
  leaf.element = array.element;
  leaf.buffer = Buffer::allocate(memory, array.elements.size() * byte_size(array.element));
  for (std::size_t i = 0; i < array.elements.size(); ++i)
    store_scalar(array.element, leaf.buffer->overwrite(), static_cast<std::int64_t>(i),
                 array.elements[i]);
  std::int64_t stride = 1;
  for (std::int64_t extent : array.extents)
    leaf.extents.push_back(extent);
  leaf.strides = leaf.extents;
  for (std::size_t i = leaf.extents.size(); i-- > 0; stride *= leaf.extents[i])
    leaf.strides[i] = stride;
  return leaf;
}

class EvaluatingExecutable final : public jit::Executable {
public:
  EvaluatingExecutable(ir::Function function, MemoryBudget& memory, unsigned tier,
                       std::function<void()> when_promoted)
      : function_(std::move(function)), memory_(memory), tier_(tier),
        when_promoted_(std::move(when_promoted)) {}
  jit::Outcome run(std::vector<jit::Datum> arguments, const jit::RunContext&) override {
    std::vector<ir::DenseValue> data;
    for (const jit::Datum& argument : arguments)
      data.push_back(to_ir(argument));
    ir::Evaluation evaluation = ir::evaluate(function_, std::move(data));
    if (const auto* site = std::get_if<std::uint32_t>(&evaluation))
      return jit::Stopped{jit::Stopped::Why::Failed, *site, std::nullopt};
    std::vector<jit::Datum> results;
    for (const ir::DenseValue& datum : std::get<std::vector<ir::DenseValue>>(evaluation))
      results.push_back(from_ir(datum, memory_));
    return results;
  }
  void compile_all() override {}
  void promote() override {
    if (when_promoted_) when_promoted_();
    tier_ = 2;
  }
  bool is_kept() const override { return true; } // as if its code lay on disk
  const ir::Function& function() const override { return function_; }
  jit::ExecutableStatistics statistics() const override { return {}; }
  std::vector<KernelDescription> kernels(bool) const override {
    KernelDescription kernel;
    kernel.facts.tier = tier_;
    return {kernel};
  }

private:
  ir::Function function_;
  MemoryBudget& memory_;
  std::atomic<unsigned> tier_;
  std::function<void()> when_promoted_;
};

} // namespace

std::shared_ptr<jit::Executable> evaluating_executable(ir::Function function, MemoryBudget& memory,
                                                       unsigned tier,
                                                       std::function<void()> when_promoted) {
  return std::make_shared<EvaluatingExecutable>(std::move(function), memory, tier,
                                                std::move(when_promoted));
}

World::World(const std::string& text, const jit::SwapOptions& options,
             jit::Precedents* precedents) {
  const tests::TemporaryFolder folder;
  Diagnostics diagnostics;
  file = checker.check_file(folder.write("world.fut", text), diagnostics);
  REQUIRE_MESSAGE(file, render(sources, diagnostics));
  jit::SwapContext shared;
  shared.representations = &representations;
  shared.memory = &memory;
  shared.interrupt = &interrupt;
  shared.global = [this](const core::Global& global) { return evaluator->shared_global(global); };
  shared.compute_global = [this](const core::Global& global) { evaluator->compute(global); };
  shared.precedents = precedents;
  swapper = std::make_unique<jit::Swapper>(
      options, shared, [this](ir::Function function, const jit::CompileOptions& compile_options) {
        if (when_compiled) when_compiled();
        if (instead)
          if (std::shared_ptr<jit::Executable> other = instead(function)) return other;
        return evaluating_executable(std::move(function), memory, compile_options.tier,
                                     when_promoted);
      });
  EvaluationContext context;
  context.representations = &representations;
  context.memory = &memory;
  context.interrupt = &interrupt;
  context.sources = &sources;
  context.accelerator = swapper.get();
  context.trace = [this](const std::string& text) { traced.push_back(text); };
  evaluator = std::make_unique<Evaluator>(program, std::move(context));
}

Value World::call(const std::string& entry, std::vector<Value> arguments,
                  const Evaluator::Arguments& again) {
  return evaluator->call(function(entry), std::move(arguments), again);
}

const core::Function& World::function(const std::string& entry) {
  // Each request makes a function of its own.
  auto [known, is_new] = entries.try_emplace(entry);
  if (is_new) known->second = specialiser.entry_point(*file, entry);
  return *known->second.function;
}

Value World::i64s(const std::vector<std::int64_t>& numbers) {
  std::vector<Value> values;
  for (std::int64_t number : numbers)
    values.emplace_back(Scalar::of(number));
  return make_array_from_elements(memory, representations.scalar(ElementType::I64), values);
}

std::vector<std::int64_t> World::numbers(const Value& array) const {
  std::vector<std::int64_t> result;
  for (std::int64_t i = 0; i < array.array()->shape.front(); ++i)
    result.push_back(get_element(array.array(), i).scalar().as<std::int64_t>());
  return result;
}

jit::SwapOptions in_mode(jit::Mode mode, std::uint64_t seed) {
  jit::SwapOptions options;
  options.mode = mode;
  options.seed = seed;
  options.verify = true;
  return options;
}

Value number(std::int64_t value) {
  return Scalar::of(value);
}

std::vector<std::int64_t> up_to(std::int64_t n) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(n));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

jit::RegionReport region(const jit::Report& report, const std::string& name) {
  for (const jit::RegionReport& region : report.regions)
    if (region.name == name) return region;
  FAIL("no region " << name);
  return {};
}

} // namespace sinter::test
