// Values of any type over a domain's scalars and arrays.
#pragma once

#include "lang/values/array.h"
#include "lang/values/scalar.h"

#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace sinter {

namespace core {
struct Function;
}

template <typename Domain>
class BasicValue;

/// The fields of a record, or the payload of a sum, in canonical order.
template <typename Domain>
struct RecordObject {
  std::atomic<std::uint32_t> references{1};
  std::vector<BasicValue<Domain>> fields;
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
  static BasicValue unit() { return record({}); }
  /// `tag` is the constructor's position in the sum's canonical order.
  static BasicValue sum(std::uint32_t tag, std::vector<BasicValue> payload);
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
      destroy();
      kind_ = other.kind_;
      tag_ = other.tag_;
      take_payload(other);
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
  const std::vector<BasicValue>& fields() const {
    assert(kind_ == Kind::Record || kind_ == Kind::Sum);
    return record_->fields;
  }
  std::vector<BasicValue>& fields() {
    assert(kind_ == Kind::Record || kind_ == Kind::Sum);
    return record_->fields;
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
  void take_payload(BasicValue& other) noexcept;
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
BasicValue<Domain> BasicValue<Domain>::record(std::vector<BasicValue> fields) {
  BasicValue value;
  value.record_ = new RecordObject<Domain>{1, std::move(fields)};
  value.kind_ = Kind::Record;
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
void BasicValue<Domain>::take_payload(BasicValue& other) noexcept {
  if (kind_ == Kind::Scalar)
    scalar_ = other.scalar_;
  else if (kind_ == Kind::Array) {
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
  auto drop = [](auto* object) {
    if (object->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete object;
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
    drop(record_);
    break;
  case Kind::Function:
    drop(function_);
    break;
  case Kind::Accumulator:
    drop(accumulator_);
    break;
  }
  kind_ = Kind::Nothing;
  object_ = nullptr;
}

} // namespace sinter
