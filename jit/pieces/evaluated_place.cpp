#include "jit/pieces/evaluated_place.h"

#include "jit/ir/evaluate.h"
#include "lang/base/interruptible.h"
#include "lang/values/representation.h"
#include "lang/values/scalar.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sinter::jit {

namespace {

ir::DenseValue dense(const Datum& datum) {
  if (const auto* scalar = std::get_if<Scalar>(&datum)) return *scalar;
  const Leaf& leaf = std::get<Leaf>(datum);
  ir::DenseArray array{leaf.element, {leaf.extents.begin(), leaf.extents.end()}, {}};
  const std::int64_t count = element_count(leaf.extents);
  array.elements.reserve(static_cast<std::size_t>(count));
  const std::byte* const contents = count > 0 ? leaf.buffer->contents() : nullptr;
  SparsePoll poll;
  for (std::int64_t i = 0; i < count; ++i) {
    poll();
    std::int64_t rest = i, at = leaf.offset;
    for (std::size_t d = leaf.extents.size(); d-- > 0;) {
      at += rest % leaf.extents[d] * leaf.strides[d];
      rest /= leaf.extents[d];
    }
    array.elements.push_back(load_scalar(leaf.element, contents, at));
  }
  return array;
}

Datum datum(MemoryBudget& memory, const ir::DenseValue& value) {
  if (const auto* scalar = std::get_if<Scalar>(&value)) return *scalar;
  const ir::DenseArray& array = std::get<ir::DenseArray>(value);
  Representations representations;
  const ArrayRef made = allocate_array(memory, representations.scalar(array.element),
                                       Extents(std::span<const std::int64_t>(array.extents)));
  Leaf leaf = made->leaves.front();
  for (std::size_t i = 0; i < array.elements.size(); ++i)
    store_scalar(array.element, leaf.buffer->overwrite(), static_cast<std::int64_t>(i),
                 array.elements[i]);
  return leaf;
}

class EvaluatedKernel final : public Kernel {
public:
  explicit EvaluatedKernel(ir::Function function) : function_(std::move(function)) {}

  Outcome launch(std::vector<Datum> arguments, const RunContext& context) override {
    const auto is_interrupted = [&] {
      return context.interrupt && context.interrupt->epoch() != context.epoch;
    };
    if (is_interrupted()) return Stopped{Stopped::Why::Interrupted};
    try {
      std::vector<ir::DenseValue> values;
      values.reserve(arguments.size());
      for (const Datum& argument : arguments)
        values.push_back(dense(argument));
      arguments.clear();
      const ir::Evaluation result = ir::evaluate(function_, std::move(values));
      if (const auto* site = std::get_if<std::uint32_t>(&result))
        return Stopped{Stopped::Why::Failed, *site, {}};
      std::vector<Datum> results;
      for (const ir::DenseValue& value : std::get<std::vector<ir::DenseValue>>(result))
        results.push_back(datum(*context.memory, value));
      return results;
    } catch (const RuntimeError& error) {
      if (is_interrupted()) return Stopped{Stopped::Why::Interrupted};
      return Stopped::by(error);
    }
  }
  KernelFacts facts() const override { return {.skeleton = ir::Skeleton::Walked}; }
  std::string assembly() const override { return ""; }

private:
  ir::Function function_;
};

} // namespace

std::shared_ptr<Kernel> EvaluatedPlace::compile(const ir::Function& kernel, ir::ArrayLayouts,
                                                const CompileOptions&) {
  return std::make_shared<EvaluatedKernel>(kernel);
}

} // namespace sinter::jit
