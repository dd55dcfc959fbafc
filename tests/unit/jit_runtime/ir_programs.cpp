#include "tests/unit/jit_runtime/ir_programs.h"

#include "jit/ir/print.h"
#include "jit/runtime/leaf_operations.h"

namespace sinter::test {

namespace {

/// A reproducible sequence of numbers.
class Numbers {
public:
  explicit Numbers(unsigned seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  std::int64_t between(std::int64_t low, std::int64_t high) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return low +
           static_cast<std::int64_t>((state_ >> 33) % static_cast<std::uint64_t>(high - low + 1));
  }

private:
  std::uint64_t state_;
};

Scalar scalar_of(ElementType element, std::int64_t number) {
  return with_cpp_type(element, [&]<typename T>() {
    if constexpr (std::is_same_v<T, bool>)
      return Scalar::of((number & 1) != 0);
    else
      return Scalar::of(static_cast<T>(number));
  });
}

} // namespace

std::vector<ir::DenseValue> make_arguments(const ir::Function& function, std::int64_t n,
                                           std::int64_t m, unsigned seed) {
  Numbers numbers(seed);
  std::vector<ir::DenseValue> result;
  for (ir::ValueId parameter : function.body.parameters) {
    const ir::ValueInfo& info = function.values[parameter.index];
    if (info.name == "n" || info.name == "m") {
      result.emplace_back(Scalar::of(info.name == "n" ? n : m));
      continue;
    }
    std::int64_t low = is_unsigned(info.type.element) ? 0 : -3, high = 4;
    if (info.name == "is") low = seed % 2 ? -1 : 0, high = seed % 2 ? n : std::max(n - 1, low);
    if (info.name == "js") low = -1, high = m;
    if (info.type.is_scalar()) {
      result.emplace_back(scalar_of(info.type.element, numbers.between(low, high)));
      continue;
    }
    ir::DenseArray array;
    array.element = info.type.element;
    for (const ir::Operand& extent : info.type.extents) {
      std::string_view name = function.values[extent.value().index].name;
      array.extents.push_back(name == "n" ? n : m);
    }
    std::int64_t count = element_count(array.extents);
    for (std::int64_t i = 0; i < count; ++i)
      array.elements.push_back(scalar_of(array.element, numbers.between(low, high)));
    result.emplace_back(std::move(array));
  }
  return result;
}

namespace {

Leaf to_leaf(const ir::DenseArray& array, MemoryBudget& memory, Arrangement arrangement) {
  Extents extents(array.extents);
  std::size_t rank = extents.size();
  Leaf leaf = jit::allocate_leaf(memory, array.element, extents);
  if (arrangement == Arrangement::Reversed) {
    // Dimensions in the other order, the last one backwards.
    Extents reversed(rank);
    std::vector<std::uint32_t> order(rank);
    for (std::size_t d = 0; d < rank; ++d) {
      reversed[d] = extents[rank - 1 - d];
      order[d] = static_cast<std::uint32_t>(rank - 1 - d);
    }
    leaf = jit::transpose_leaf(jit::allocate_leaf(memory, array.element, reversed), order);
    if (extents[rank - 1] > 0) {
      leaf.offset += (extents[rank - 1] - 1) * leaf.strides[rank - 1];
      leaf.strides[rank - 1] = -leaf.strides[rank - 1];
    }
  } else if (arrangement == Arrangement::Spread) {
    // Every third place of a larger array, beginning at the second.
    Extents larger = extents;
    larger[rank - 1] = 3 * extents[rank - 1] + 1;
    leaf = jit::allocate_leaf(memory, array.element, larger);
    leaf.extents = extents;
    leaf.offset = 1;
    leaf.strides[rank - 1] = 3;
  }
  Leaf dense = jit::allocate_leaf(memory, array.element, extents);
  for (std::size_t i = 0; i < array.elements.size(); ++i)
    store_scalar(array.element, dense.buffer->overwrite(), static_cast<std::int64_t>(i),
                 array.elements[i]);
  jit::copy_elements(leaf, dense);
  return leaf;
}

} // namespace

std::vector<jit::Datum> to_leaves(const ir::Function&, const std::vector<ir::DenseValue>& data,
                                  MemoryBudget& memory, Arrangement arrangement) {
  std::vector<jit::Datum> result;
  for (const ir::DenseValue& datum : data)
    if (const Scalar* scalar = std::get_if<Scalar>(&datum))
      result.emplace_back(*scalar);
    else
      result.emplace_back(to_leaf(std::get<ir::DenseArray>(datum), memory, arrangement));
  return result;
}

std::vector<ir::DenseValue> from_leaves(const std::vector<jit::Datum>& data) {
  std::vector<ir::DenseValue> result;
  for (const jit::Datum& datum : data) {
    if (const Scalar* scalar = std::get_if<Scalar>(&datum)) {
      result.emplace_back(*scalar);
      continue;
    }
    const Leaf& leaf = std::get<Leaf>(datum);
    ir::DenseArray array;
    array.element = leaf.element;
    array.extents.assign(leaf.extents.begin(), leaf.extents.end());
    std::string bytes;
    append_dense(bytes, leaf);
    std::int64_t count = element_count(leaf.extents);
    for (std::int64_t i = 0; i < count; ++i)
      array.elements.push_back(load_scalar(leaf.element, bytes.data(), i));
    result.emplace_back(std::move(array));
  }
  return result;
}

void check_executable(jit::Executable& executable, std::int64_t n, std::int64_t m, unsigned seed,
                      unsigned threads) {
  const ir::Function& function = executable.function();
  std::vector<ir::DenseValue> arguments = make_arguments(function, n, m, seed);
  ir::Evaluation expected = ir::evaluate(function, arguments);
  MemoryBudget memory;
  jit::RunContext context{.memory = &memory, .threads = threads};
  for (Arrangement arrangement : {Arrangement::Dense, Arrangement::Reversed, Arrangement::Spread})
    for (bool is_shared : {false, true}) {
      CAPTURE(n);
      CAPTURE(m);
      CAPTURE(seed);
      CAPTURE(static_cast<int>(arrangement));
      CAPTURE(is_shared);
      std::vector<jit::Datum> leaves = to_leaves(function, arguments, memory, arrangement);
      std::vector<jit::Datum> others;
      if (is_shared) others = leaves;
      jit::Outcome outcome = executable.run(std::move(leaves), context);
      if (const auto* site = std::get_if<std::uint32_t>(&expected)) {
        REQUIRE(std::holds_alternative<jit::Stopped>(outcome));
        CHECK(std::get<jit::Stopped>(outcome).why == jit::Stopped::Why::Failed);
        CHECK(std::get<jit::Stopped>(outcome).site == *site);
      } else {
        REQUIRE(std::holds_alternative<std::vector<jit::Datum>>(outcome));
        CHECK(from_leaves(std::get<std::vector<jit::Datum>>(outcome)) ==
              std::get<std::vector<ir::DenseValue>>(expected));
      }
      if (is_shared) CHECK(from_leaves(others) == arguments);
    }
  CHECK(memory.in_use() == 0);
}

} // namespace sinter::test
