// Values to test with: of every representation, and every way to view an array.
#pragma once

#include "lang/values/elements.h"

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace sinter::test {

template <typename T>
Value scalar(T value) {
  return Scalar::of(value);
}

/// A world for one test: nothing outlives it, and it knows whether all memory came back.
struct World {
  MemoryBudget memory;
  Representations types;

  const Representation* of(ElementType element) { return types.scalar(element); }
  const Representation* i32() { return of(ElementType::I32); }
  const Representation* i64() { return of(ElementType::I64); }
  const Representation* f32() { return of(ElementType::F32); }
  const Representation* boolean() { return of(ElementType::Bool); }

  /// [rows][columns]i32 with elements 0, 1, …
  ArrayRef matrix(std::int64_t rows, std::int64_t columns) {
    ArrayRef array = allocate_array(memory, i32(), {rows, columns});
    auto* data = reinterpret_cast<std::int32_t*>(array->leaves[0].buffer->overwrite());
    for (std::int64_t i = 0; i < rows * columns; ++i)
      data[i] = static_cast<std::int32_t>(i);
    return array;
  }
  /// [n]i32 of these.
  ArrayRef vector(const std::vector<std::int32_t>& elements) {
    ArrayRef array = allocate_array(memory, i32(), {static_cast<std::int64_t>(elements.size())});
    std::copy(elements.begin(), elements.end(),
              reinterpret_cast<std::int32_t*>(array->leaves[0].buffer->overwrite()));
    return array;
  }

  /// Representations that cover every kind of part, also inside each other.
  std::vector<const Representation*> every_type() {
    std::vector<const Representation*> list;
    for (ElementType element : all_element_types)
      list.push_back(of(element));
    const Representation* pair = types.tuple({i32(), f32()});
    const Representation* row = types.array(1, i64());
    const Representation* record =
        types.record({{"a", row}, {"b", boolean()}, {"c", types.array(2, f32())}});
    const Representation* option = types.sum({{"none", {}}, {"some", {i32()}}});
    const Representation* shape =
        types.sum({{"circle", {f32()}}, {"empty", {}}, {"polygon", {types.array(1, pair), i64()}}});
    list.insert(list.end(),
                {types.unit(), pair, row, record, option, shape, types.array(2, types.unit()),
                 types.tuple({types.unit(), i32()}), types.array(1, shape), types.array(1, option),
                 types.tuple({option, types.array(1, record)}),
                 types.sum({{"deep", {types.array(1, option), record}}, {"flat", {}}}),
                 types.tuple({types.array(1, types.unit()), i64()})});
    return list;
  }
};

/// Random values of a representation, all arrays with the extents in `extents`.
class Sampler {
public:
  Sampler(World& world, std::uint64_t seed) : world_(world), engine_(seed) {}

  /// Extents for a representation, each from `low` to `high`.
  Extents extents(const Representation* type, std::int64_t low, std::int64_t high) {
    Extents list;
    for (std::uint32_t i = 0; i < type->extent_count; ++i)
      list.push_back(std::uniform_int_distribution<std::int64_t>(low, high)(engine_));
    return list;
  }
  Value value(const Representation* type, std::span<const std::int64_t> extents) {
    if (type->is_scalar()) return random_scalar(type->scalar());
    if (type->is_array()) return array(type, extents.front(), extents);
    if (type->is_record()) {
      std::vector<Value> fields;
      for (const FieldRepresentation& field : type->record().fields) {
        fields.push_back(value(field.type, extents.first(field.type->extent_count)));
        extents = extents.subspan(field.type->extent_count);
      }
      return Value::record(std::move(fields));
    }
    const auto& constructors = type->sum().constructors;
    std::uint32_t tag = static_cast<std::uint32_t>(engine_() % constructors.size());
    std::vector<Value> payload;
    for (std::uint32_t i = 0; i < constructors.size(); ++i)
      for (const Representation* part : constructors[i].payload) {
        if (i == tag) payload.push_back(value(part, extents.first(part->extent_count)));
        extents = extents.subspan(part->extent_count);
      }
    return Value::sum(tag, std::move(payload));
  }

private:
  Scalar random_scalar(ElementType element) {
    return with_cpp_type(element, [&]<typename T>() {
      // Small whole numbers: every type has them, and no NaN is among them.
      return Scalar::of(static_cast<T>(static_cast<int>(engine_() % 100)));
    });
  }
  Value array(const Representation* type, std::int64_t count,
              std::span<const std::int64_t> extents) {
    const Representation* row = indexed(world_.types, type, 1);
    ArrayBuilder builder(world_.memory, row, count, extents.subspan(1));
    for (std::int64_t i = 0; i < count; ++i)
      builder.append(value(row, extents.subspan(1)));
    return builder.finish();
  }

  World& world_;
  std::mt19937_64 engine_;
};

} // namespace sinter::test
