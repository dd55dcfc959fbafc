// Wide numbers of one kind; each kind is instantiated in a file of its own, since that takes a
// compiler long.
#pragma once

#include "lang/base/runtime_error.h"
#include "lang/eval/wide_meanings.h"
#include "lang/eval/wide_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sinter::eval::wide {

/// Computes with a few digits more than it promises.
template <unsigned Digits>
class NumbersOf final : public WideNumbers {
public:
  using W = Number<Digits + 14>;

  explicit NumbersOf(MemoryBudget& memory) : memory_(memory) { add(W(0)); }
  ~NumbersOf() override { memory_.give(chunks_.size() * sizeof(Chunk)); }
  NumbersOf(const NumbersOf&) = delete;
  NumbersOf& operator=(const NumbersOf&) = delete;

  unsigned digits() const override { return Digits; }

  Scalar widen(ElementType element, Scalar scalar) override {
    refuse_half(element);
    return add(exact(element, scalar));
  }
  Scalar narrow(ElementType element, Scalar wide) const override {
    return rounded(element, at(wide));
  }
  bool are_equal(Scalar a, Scalar b) const override { return at(a) == at(b); }

  Scalar apply(const primitives::Primitive& primitive, Scalar a, Scalar b, Scalar c) override {
    refuse_half(primitive.operand);
    refuse_half(primitive.result);
    try {
      return compute(primitive, a, b, c);
    } catch (const RuntimeError&) {
      throw;
    } catch (const std::exception&) { // an algorithm of the library gave up
      return is_float(primitive.result) ? add(not_a_number<W>()) : Scalar{};
    }
  }

  Error error(ElementType element, Scalar wide, Scalar approximation) const override {
    const W& truth = at(wide);
    const W found = exact(element, approximation);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (isnan(truth) && isnan(found)) return {0, infinity};
    if (isnan(truth) || isnan(found)) return {std::numeric_limits<double>::quiet_NaN(), 0};
    if (truth == found) return {0, infinity};
    if (isinf(found) && rounded(element, truth) == approximation) return {0, infinity};
    if (isinf(truth) || isinf(found)) return {infinity, 0};
    const W difference = abs(W(truth - found));
    const double ulps = static_cast<double>(W(difference / unit_in_last_place(element, truth)));
    if (truth == 0) return {ulps, 0};
    const double relative = static_cast<double>(W(log10(W(difference / abs(truth)))));
    return {ulps, relative >= 0 ? 0 : -relative};
  }

  std::string text(Scalar wide, unsigned digits) const override {
    return at(wide).str(static_cast<std::streamsize>(digits));
  }

private:
  static constexpr std::size_t chunk_size = 4096;
  using Chunk = std::array<W, chunk_size>;

  const W& at(Scalar wide) const {
    return (*chunks_[wide.bits / chunk_size])[wide.bits % chunk_size];
  }
  Scalar add(W number) {
    if (count_ % chunk_size == 0) {
      if (count_ > UINT32_MAX - chunk_size)
        throw RuntimeError(FailureKind::OutOfMemory,
                           "the wide evaluation made more numbers than it can tell apart");
      memory_.take(sizeof(Chunk));
      chunks_.push_back(std::make_unique<Chunk>());
    }
    chunks_.back()->at(count_ % chunk_size) = std::move(number);
    return Scalar{count_++};
  }

  static void refuse_half(ElementType element) {
    if (element == ElementType::F16)
      throw RuntimeError(FailureKind::Unsupported, "the wide evaluation has no f16");
  }
  static W exact(ElementType element, Scalar scalar) {
    return with_cpp_type(element, [&]<typename T>() -> W {
      if constexpr (std::is_same_v<T, bool>)
        return W(scalar.as<bool>() ? 1 : 0);
      else if constexpr (std::is_same_v<T, Half>)
        return W(static_cast<float>(scalar.as<T>()));
      else
        return W(scalar.as<T>());
    });
  }
  static Scalar rounded(ElementType element, const W& number) {
    if (element == ElementType::F32) return Scalar::of(static_cast<float>(number));
    return Scalar::of(static_cast<double>(number));
  }
  /// The distance between neighbouring floats around a number.
  static W unit_in_last_place(ElementType element, const W& number) {
    const int precision = element == ElementType::F32 ? 24 : 53;
    const int least = element == ElementType::F32 ? -149 : -1074;
    const int greatest = element == ElementType::F32 ? 104 : 971;
    const int exponent =
        number == 0 ? least
                    : static_cast<int>(std::clamp<long>(
                          static_cast<long>(ilogb(number)) - precision + 1, least, greatest));
    return ldexp(W(1), exponent);
  }
  /// As meanings::Convert: within 64 bits exactly, then wrapped around; beyond them, and NaN, 0.
  static Scalar to_integer(ElementType element, const W& number) {
    static const W least = -ldexp(W(1), 63), beyond = ldexp(W(1), 64);
    if (!(number >= least && number < beyond)) return Scalar{};
    const W whole = trunc(number);
    const std::uint64_t bits = whole < 0
                                   ? static_cast<std::uint64_t>(static_cast<std::int64_t>(whole))
                                   : static_cast<std::uint64_t>(whole);
    return with_cpp_type(element, [&]<typename T>() {
      if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
        return Scalar::of(static_cast<T>(bits));
      else
        return Scalar{};
    });
  }
  Scalar convert(const primitives::Primitive& primitive, Scalar a) {
    if (!is_float(primitive.operand)) return add(exact(primitive.operand, a));
    if (is_float(primitive.result)) return a;
    if (primitive.result == ElementType::Bool) return Scalar::of(at(a) != 0);
    return to_integer(primitive.result, at(a));
  }

  Scalar compute(const primitives::Primitive& primitive, Scalar first, Scalar second,
                 Scalar third) {
    using Op = primitives::Operation;
    const ElementType element = primitive.operand;
    // Operations whose operands or result are not all wide.
    if (primitive.operation == Op::Convert) return convert(primitive, first);
    if (primitive.operation == Op::FromBits)
      return add(exact(primitive.result, primitive.apply(first, {}, {})));
    const W a = at(first);
    if (primitive.operation == Op::LoadExponent) return add(ldexp(a, second.as<std::int32_t>()));
    if (primitive.operation == Op::ToBits) return primitive.apply(rounded(element, a), {}, {});
    const W b = primitive.arity > 1 ? at(second) : W(0);
    if (primitive.operation == Op::NextAfter)
      return add(exact(element, primitive.apply(rounded(element, a), rounded(element, b), {})));
    const W c = primitive.arity > 2 ? at(third) : W(0);
    switch (primitive.operation) {
#define SINTER_WIDE_NUMBER(Id, ...)                                                                \
  case Op::Id:                                                                                     \
    return add(__VA_ARGS__);
#define SINTER_WIDE_TRUTH(Id, ...)                                                                 \
  case Op::Id:                                                                                     \
    return Scalar::of(__VA_ARGS__);
#define SINTER_NOT_WIDE(Id)                                                                        \
  case Op::Id:                                                                                     \
    break;
#include "lang/eval/wide_operations.def"
#undef SINTER_WIDE_NUMBER
#undef SINTER_WIDE_TRUTH
#undef SINTER_NOT_WIDE
    case Op::Convert:
    case Op::FromBits:
    case Op::ToBits:
    case Op::LoadExponent:
    case Op::NextAfter: // above
      break;
    }
    throw RuntimeError(FailureKind::Unsupported,
                       "the wide evaluation has no `" + std::string(primitive.name) + "`");
  }

  MemoryBudget& memory_;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::uint64_t count_ = 0;
};

} // namespace sinter::eval::wide
