#include "tests/unit/jit_runtime/remote_place.h"

#include "jit/ir/walk.h"
#include "jit/runtime/leaf_operations.h"
#include "lang/values/strided.h"
#include "tests/unit/jit_runtime/ir_programs.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace sinter::test {

// ---- memory ------------------------------------------------------------------------------------

void RemoteMemory::fetch(Buffer& buffer, std::byte* target) {
  const std::lock_guard lock(mutex_);
  ++fetches_;
  const std::vector<std::byte>& copy = copies_.at(&buffer);
  std::copy(copy.begin(), copy.end(), target);
}

std::byte* RemoteMemory::held(Buffer& buffer) {
  if (buffer.elsewhere() == this) {
    const std::lock_guard lock(mutex_);
    return copies_.at(&buffer).data();
  }
  const std::byte* const contents = buffer.contents();
  std::byte* copy = nullptr;
  {
    const std::lock_guard lock(mutex_);
    ++uploads_;
    std::vector<std::byte>& bytes = copies_[&buffer];
    bytes.assign(contents, contents + buffer.bytes());
    copy = bytes.data();
  }
  buffer.share_with(*this);
  return copy;
}

BufferRef RemoteMemory::make(MemoryBudget& memory, std::size_t bytes) {
  BufferRef buffer = Buffer::allocate_elsewhere(memory, bytes, *this);
  const std::lock_guard lock(mutex_);
  copies_[buffer.get()].assign(bytes, std::byte{0xA5});
  return buffer;
}

std::size_t RemoteMemory::count() const {
  const std::lock_guard lock(mutex_);
  return copies_.size();
}

void RemoteMemory::erase(Buffer& buffer) noexcept {
  const std::lock_guard lock(mutex_);
  copies_.erase(&buffer);
}

Leaf RemotePlace::allocate(MemoryBudget& memory, ElementType element, Extents extents) {
  Leaf leaf;
  leaf.element = element;
  leaf.strides = row_major_strides(extents);
  leaf.buffer = memory_.make(memory, block_bytes(element, extents));
  leaf.extents = std::move(extents);
  return leaf;
}

Scalar RemotePlace::load(const Leaf& array, std::int64_t position) {
  return load_scalar(array.element, memory_.held(*array.buffer.get()), position);
}

void RemotePlace::store(const Leaf& array, std::int64_t position, Scalar value) {
  store_scalar(array.element, memory_.held(*array.buffer.get()), position, value);
  array.buffer->move_to(memory_);
}

void RemotePlace::copy(const Leaf& target, const Leaf& source, const jit::RunContext&) {
  if (is_empty(target.extents)) return;
  const auto at = [&](const Leaf& leaf) {
    return memory_.held(*leaf.buffer.get()) +
           leaf.offset * static_cast<std::int64_t>(byte_size(leaf.element));
  };
  copy_strided(at(target), target.strides, at(source), source.strides, target.extents,
               byte_size(target.element));
  target.buffer->move_to(memory_);
}

Leaf RemotePlace::duplicate(const Leaf& array, const jit::RunContext& context) {
  Leaf result = allocate(*context.memory, array.element, array.extents);
  copy(result, array, context);
  return result;
}

Leaf RemotePlace::fill(ElementType element, Extents extents, Scalar value,
                       const jit::RunContext& context) {
  Leaf result = allocate(*context.memory, element, std::move(extents));
  const std::int64_t count = element_count(result.extents);
  for (std::int64_t i = 0; i < count; ++i)
    store_scalar(element, memory_.held(*result.buffer.get()), i, value);
  return result;
}

Leaf RemotePlace::list(ElementType element, Extents extents, std::span<const Scalar> elements,
                       const jit::RunContext& context) {
  Leaf result = allocate(*context.memory, element, std::move(extents));
  for (std::size_t i = 0; i < elements.size(); ++i)
    store_scalar(element, memory_.held(*result.buffer.get()), static_cast<std::int64_t>(i),
                 elements[i]);
  return result;
}

// ---- kernels -----------------------------------------------------------------------------------

bool RemotePlace::chance(unsigned of_hundred) const {
  const std::lock_guard lock(mutex_);
  return random_() % 100 < of_hundred;
}

jit::PreparedKernel branched(ir::Function kernel) {
  const ir::Statement& only = kernel.body.statements.at(0);
  const auto* const soac = std::get_if<ir::Soac>(&only.operation);
  const bool is_filter = soac && std::ranges::any_of(soac->groups, [](const ir::Group& group) {
                           return std::holds_alternative<ir::FilterGroup>(group);
                         });
  if (!soac || is_filter) return {std::move(kernel)};
  // Both branches are the same kernel, which of them depends on the extent.
  ir::Body branches[2];
  for (ir::Body& branch : branches) {
    std::vector<ir::Replacement> replaced;
    branch.statements.push_back(ir::clone(kernel, only, replaced));
    for (const ir::ValueId result : branch.statements[0].results)
      branch.results.emplace_back(result);
  }
  const ir::ValueId is_small = kernel.add_value({ElementType::Bool, {}});
  const ir::Operand extent = soac->extent;
  ir::Statement branch{
      only.results, ir::If{ir::Operand(is_small), std::move(branches[0]), std::move(branches[1])},
      only.span};
  ir::Statement comparison{
      {is_small},
      ir::Primitive{primitives::find(primitives::Operation::Less, ElementType::I64),
                    {extent, ir::Operand::i64(6)}},
      {}};
  kernel.body.statements.clear();
  kernel.body.statements.push_back(std::move(comparison));
  kernel.body.statements.push_back(std::move(branch));
  return {std::move(kernel), {{.name = "branch"}}, true};
}

jit::PreparedKernel RemotePlace::prepare(ir::Function kernel, const jit::CompileOptions&) const {
  if (!chance(chances_.prepared)) return {std::move(kernel)};
  return branched(std::move(kernel));
}

std::optional<std::string> RemotePlace::rejects(const ir::Function&) const {
  if (chance(chances_.refused)) return "it is Monday";
  return std::nullopt;
}

namespace {

class RemoteKernel final : public jit::Kernel {
public:
  RemoteKernel(RemotePlace& place, ir::Function function)
      : place_(place), function_(std::move(function)) {}
  jit::Outcome launch(std::vector<jit::Datum> arguments, const jit::RunContext& context) override {
    return place_.evaluate(function_, arguments, context);
  }
  jit::KernelFacts facts() const override {
    return {.skeleton = ir::Skeleton::Walked, .registers = 40, .shared_bytes = 1024};
  }
  std::string assembly() const override { return "none"; }

private:
  RemotePlace& place_;
  ir::Function function_;
};

} // namespace

std::shared_ptr<jit::Kernel> RemotePlace::compile(const ir::Function& kernel, ir::ArrayLayouts,
                                                  const jit::CompileOptions&) {
  if (chance(chances_.broken)) throw std::runtime_error("out of order");
  return std::make_shared<RemoteKernel>(*this, kernel);
}

jit::Datum RemotePlace::result(const ir::DenseValue& datum, MemoryBudget& memory) {
  const Scalar* const scalar = std::get_if<Scalar>(&datum);
  if (scalar && !chance(chances_.pending)) return *scalar;
  if (scalar) {
    // The type does not matter here: whoever loads it takes the bits of eight bytes.
    Leaf leaf = allocate(memory, ElementType::U64, {});
    store_scalar(ElementType::U64, memory_.held(*leaf.buffer.get()), 0, *scalar);
    return leaf;
  }
  const auto& array = std::get<ir::DenseArray>(datum);
  Leaf leaf = allocate(memory, array.element, Extents(array.extents));
  for (std::size_t i = 0; i < array.elements.size(); ++i)
    store_scalar(array.element, memory_.held(*leaf.buffer.get()), static_cast<std::int64_t>(i),
                 array.elements[i]);
  return leaf;
}

std::optional<std::vector<jit::Datum>>
RemotePlace::garbage(const ir::Function& function, const std::vector<ir::DenseValue>& arguments,
                     MemoryBudget& memory) {
  std::vector<jit::Datum> results;
  for (const ir::Operand& operand : function.body.results) {
    const ir::Type& type = function.type(operand);
    Extents extents;
    for (const ir::Operand& extent : type.extents) {
      if (extent.is_constant()) {
        extents.push_back(extent.scalar().as<std::int64_t>());
        continue;
      }
      const auto parameter = std::ranges::find(function.body.parameters, extent.value());
      if (parameter == function.body.parameters.end()) return std::nullopt;
      extents.push_back(
          std::get<Scalar>(
              arguments[static_cast<std::size_t>(parameter - function.body.parameters.begin())])
              .as<std::int64_t>());
    }
    results.emplace_back(
        allocate(memory, type.is_scalar() ? ElementType::U64 : type.element, std::move(extents)));
  }
  return results;
}

jit::Outcome RemotePlace::evaluate(const ir::Function& function,
                                   const std::vector<jit::Datum>& arguments,
                                   const jit::RunContext& context) {
  ++launches_;
  std::vector<jit::Datum> here;
  MemoryBudget own;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Leaf* const leaf = std::get_if<Leaf>(&arguments[i]);
    if (!leaf) {
      here.push_back(arguments[i]);
    } else if (function.type(function.body.parameters[i]).is_scalar()) {
      ++pending_arguments_;
      here.emplace_back(load(*leaf, leaf->offset));
    } else {
      Leaf dense = jit::allocate_leaf(own, leaf->element, leaf->extents);
      if (!is_empty(leaf->extents))
        copy_strided(dense.buffer->overwrite(), dense.strides,
                     memory_.held(*leaf->buffer.get()) +
                         leaf->offset * static_cast<std::int64_t>(byte_size(leaf->element)),
                     leaf->strides, leaf->extents, byte_size(leaf->element));
      here.emplace_back(std::move(dense));
    }
  }
  const std::vector<ir::DenseValue> data = from_leaves(here);
  const auto failed = failures_.find(context.run);
  if (failed == failures_.end()) {
    ir::Evaluation evaluation = ir::evaluate(function, data);
    if (const auto* const values = std::get_if<std::vector<ir::DenseValue>>(&evaluation)) {
      std::vector<jit::Datum> results;
      for (const ir::DenseValue& datum : *values)
        results.push_back(result(datum, *context.memory));
      return results;
    }
    failures_[context.run] = {jit::Stopped::Why::Failed, std::get<std::uint32_t>(evaluation), {}};
  }
  // Nobody is told by now, unless the shapes of the results cannot be known.
  if (auto results = garbage(function, data, *context.memory)) return std::move(*results);
  return failures_[context.run];
}

std::optional<jit::Stopped> RemotePlace::wait(const jit::RunContext& context) {
  const auto failed = failures_.find(context.run);
  if (failed == failures_.end()) return std::nullopt;
  const jit::Stopped stopped = failed->second;
  failures_.erase(failed);
  ++late_failures_;
  return stopped;
}

} // namespace sinter::test
