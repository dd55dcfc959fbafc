// Values of any type over a domain's scalars and arrays.
#pragma once

#include "lang/values/array.h"
#include "lang/values/scalar.h"

#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace sinter {

namespace core {
struct Function;
}

template <typename Domain>
class BasicValue;

/// The fields of a record, or the payload of a sum, in canonical order; they lie behind the object,
/// so that a record is one allocation.
template <typename Domain>
struct RecordObject {
  std::atomic<std::uint32_t> references{1};
  std::uint32_t count = 0;

  BasicValue<Domain>* fields() { return reinterpret_cast<BasicValue<Domain>*>(this + 1); }
  static RecordObject* make(std::size_t count);
  static void destroy(RecordObject* object) noexcept;
};

/// A function with what it closes over and the arguments that it has already.
template <typename Domain>
struct FunctionObject {
  std::atomic<std::uint32_t> references{1};
  const core::Function* function = nullptr;
  std::vector<BasicValue<Domain>> captures;
  std::vector<BasicValue<Domain>> arguments; ///< fewer than the function has parameters
};

/// Whatever a domain keeps behind an accumulator.
template <typename Domain>
struct AccumulatorObject {
  std::atomic<std::uint32_t> references{1};
  typename Domain::Accumulator state;
};

/// A tagged, reference-counted value.  `Domain` gives `Scalar` (small, trivially copyable), `Array`
/// (an owning, 8-byte reference such as ArrayRef) and `Accumulator`.  Scalars are unboxed; the rest
/// is shared and immutable unless `unique`.
template <typename Domain>
class BasicValue {
public:
  using ScalarType = typename Domain::Scalar;
  using ArrayType = typename Domain::Array;
  enum class Kind : std::uint8_t { Nothing, Scalar, Array, Record, Sum, Function, Accumulator };

  BasicValue() : kind_(Kind::Nothing), object_(nullptr) {}
  BasicValue(ScalarType scalar) : kind_(Kind::Scalar), scalar_(scalar) {}
  BasicValue(ArrayType array) : kind_(Kind::Array), array_(std::move(array)) {}
  static BasicValue record(std::vector<BasicValue> fields);
  /// A record whose fields are still to be filled in through `fields()`; avoids a vector.
  static BasicValue record_of_size(std::size_t count);
  static BasicValue unit() { return record_of_size(0); }
  /// `tag` is the constructor's position in the sum's canonical order.
  static BasicValue sum(std::uint32_t tag, std::vector<BasicValue> payload);
  static BasicValue sum_of_size(std::uint32_t tag, std::size_t count);
  static BasicValue function(const core::Function* function, std::vector<BasicValue> captures,
                             std::vector<BasicValue> arguments = {});
  static BasicValue accumulator(typename Domain::Accumulator state);

  BasicValue(const BasicValue& other) : kind_(other.kind_), tag_(other.tag_) {
    copy_payload(other);
  }
  BasicValue(BasicValue&& other) noexcept : kind_(other.kind_), tag_(other.tag_) {
    take_payload(other);
  }
  BasicValue& operator=(const BasicValue& other) {
    if (this != &other) {
      BasicValue copy(other);
      *this = std::move(copy);
    }
    return *this;
  }
  BasicValue& operator=(BasicValue&& other) noexcept {
    if (this != &other) {
      BasicValue taken(std::move(other)); // first: `other` may lie inside what this value owns
      destroy();
      kind_ = taken.kind_;
      tag_ = taken.tag_;
      take_payload(taken);
    }
    return *this;
  }
  ~BasicValue() { destroy(); }

  Kind kind() const { return kind_; }
  bool is_scalar() const { return kind_ == Kind::Scalar; }
  bool is_array() const { return kind_ == Kind::Array; }
  bool is_function() const { return kind_ == Kind::Function; }

  ScalarType scalar() const {
    assert(kind_ == Kind::Scalar);
    return scalar_;
  }
  const ArrayType& array() const {
    assert(kind_ == Kind::Array);
    return array_;
  }
  ArrayType& array() {
    assert(kind_ == Kind::Array);
    return array_;
  }
  std::uint32_t tag() const {
    assert(kind_ == Kind::Sum);
    return tag_;
  }
  /// Fields of a record or payload of a sum.
  std::span<const BasicValue> fields() const {
    assert(kind_ == Kind::Record || kind_ == Kind::Sum);
    return {record_->fields(), record_->count};
  }
  /// To change them, the value must be `unique`.
  std::span<BasicValue> fields() {
    assert(kind_ == Kind::Record || kind_ == Kind::Sum);
    return {record_->fields(), record_->count};
  }
  const FunctionObject<Domain>& function() const {
    assert(kind_ == Kind::Function);
    return *function_;
  }
  FunctionObject<Domain>& function() {
    assert(kind_ == Kind::Function);
    return *function_;
  }
  AccumulatorObject<Domain>& accumulator() const {
    assert(kind_ == Kind::Accumulator);
    return *accumulator_;
  }
  /// Whether this value is the only owner of its outermost object.
  bool unique() const;

private:
  void copy_payload(const BasicValue& other);
  /// (Most values are numbers: their way is short wherever they go.)
  [[gnu::always_inline]] void take_payload(BasicValue& other) noexcept {
    if (kind_ == Kind::Scalar)
      scalar_ = other.scalar_;
    else
      take_object(other);
  }
  void take_object(BasicValue& other) noexcept;
  void destroy() noexcept {
    if (kind_ > Kind::Scalar) destroy_object();
  }
  void destroy_object() noexcept;

  Kind kind_;
  std::uint32_t tag_ = 0;
  union {
    ScalarType scalar_;
    ArrayType array_;
    RecordObject<Domain>* record_;
    FunctionObject<Domain>* function_;
    AccumulatorObject<Domain>* accumulator_;
    void* object_;
  };
};

// ---- implementation ----------------------------------------------------------------------------

template <typename Domain>
RecordObject<Domain>* RecordObject<Domain>::make(std::size_t count) {
  static_assert(sizeof(BasicValue<Domain>) == 16);
  static_assert(sizeof(RecordObject) % alignof(BasicValue<Domain>) == 0);
  void* place = ::operator new(sizeof(RecordObject) + count * sizeof(BasicValue<Domain>));
  auto* object = new (place) RecordObject;
  object->count = static_cast<std::uint32_t>(count);
  std::uninitialized_default_construct_n(object->fields(), count);
  return object;
}

template <typename Domain>
void RecordObject<Domain>::destroy(RecordObject* object) noexcept {
  const std::size_t bytes = sizeof(RecordObject) + object->count * sizeof(BasicValue<Domain>);
  std::destroy_n(object->fields(), object->count);
  object->~RecordObject();
  ::operator delete(object, bytes);
}

template <typename Domain>
BasicValue<Domain> BasicValue<Domain>::record_of_size(std::size_t count) {
  BasicValue value;
  value.record_ = RecordObject<Domain>::make(count);
  value.kind_ = Kind::Record;
  return value;
}

template <typename Domain>
BasicValue<Domain> BasicValue<Domain>::record(std::vector<BasicValue> fields) {
  BasicValue value = record_of_size(fields.size());
  std::move(fields.begin(), fields.end(), value.fields().begin());
  return value;
}

template <typename Domain>
BasicValue<Domain> BasicValue<Domain>::sum_of_size(std::uint32_t tag, std::size_t count) {
  BasicValue value = record_of_size(count);
  value.kind_ = Kind::Sum;
  value.tag_ = tag;
  return value;
}

template <typename Domain>
BasicValue<Domain> BasicValue<Domain>::sum(std::uint32_t tag, std::vector<BasicValue> payload) {
  BasicValue value = record(std::move(payload));
  value.kind_ = Kind::Sum;
  value.tag_ = tag;
  return value;
}

template <typename Domain>
BasicValue<Domain> BasicValue<Domain>::function(const core::Function* function,
                                                std::vector<BasicValue> captures,
                                                std::vector<BasicValue> arguments) {
  BasicValue value;
  value.function_ =
      new FunctionObject<Domain>{1, function, std::move(captures), std::move(arguments)};
  value.kind_ = Kind::Function;
  return value;
}

template <typename Domain>
BasicValue<Domain> BasicValue<Domain>::accumulator(typename Domain::Accumulator state) {
  BasicValue value;
  value.accumulator_ = new AccumulatorObject<Domain>{1, std::move(state)};
  value.kind_ = Kind::Accumulator;
  return value;
}

template <typename Domain>
bool BasicValue<Domain>::unique() const {
  switch (kind_) {
  case Kind::Array:
    return array_.unique();
  case Kind::Record:
  case Kind::Sum:
    return record_->references.load(std::memory_order_acquire) == 1;
  case Kind::Function:
    return function_->references.load(std::memory_order_acquire) == 1;
  case Kind::Accumulator:
    return accumulator_->references.load(std::memory_order_acquire) == 1;
  case Kind::Nothing:
  case Kind::Scalar:
    return true;
  }
  __builtin_unreachable();
}

template <typename Domain>
void BasicValue<Domain>::copy_payload(const BasicValue& other) {
  switch (kind_) {
  case Kind::Nothing:
    object_ = nullptr;
    break;
  case Kind::Scalar:
    scalar_ = other.scalar_;
    break;
  case Kind::Array:
    new (&array_) ArrayType(other.array_);
    break;
  case Kind::Record:
  case Kind::Sum:
    record_ = other.record_;
    record_->references.fetch_add(1, std::memory_order_relaxed);
    break;
  case Kind::Function:
    function_ = other.function_;
    function_->references.fetch_add(1, std::memory_order_relaxed);
    break;
  case Kind::Accumulator:
    accumulator_ = other.accumulator_;
    accumulator_->references.fetch_add(1, std::memory_order_relaxed);
    break;
  }
}

template <typename Domain>
void BasicValue<Domain>::take_object(BasicValue& other) noexcept {
  if (kind_ == Kind::Array) {
    new (&array_) ArrayType(std::move(other.array_));
    other.array_.~ArrayType();
    other.object_ = nullptr;
    other.kind_ = Kind::Nothing;
  } else {
    object_ = other.object_;
    other.object_ = nullptr;
    other.kind_ = Kind::Nothing;
  }
}

template <typename Domain>
void BasicValue<Domain>::destroy_object() noexcept {
  // The only owner needs no locked instruction: nobody else can make another reference.
  auto is_last = [](auto* object) {
    return object->references.load(std::memory_order_acquire) == 1 ||
           object->references.fetch_sub(1, std::memory_order_acq_rel) == 1;
  };
  switch (kind_) {
  case Kind::Nothing:
  case Kind::Scalar:
    break;
  case Kind::Array:
    array_.~ArrayType();
    break;
  case Kind::Record:
  case Kind::Sum:
    if (is_last(record_)) RecordObject<Domain>::destroy(record_);
    break;
  case Kind::Function:
    if (is_last(function_)) delete function_;
    break;
  case Kind::Accumulator:
    if (is_last(accumulator_)) delete accumulator_;
    break;
  }
  kind_ = Kind::Nothing;
  object_ = nullptr;
}

} // namespace sinter
