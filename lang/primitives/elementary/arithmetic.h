// Elementary functions written once: exp, log, sin, pow, … as templates over an arithmetic.
//
// The interpreter computes with plain numbers, compiled code with vectors of them, a GPU with a
// thread's registers; all of them shall give the same bits.  So each function is one straight line
// of operations that are exactly rounded everywhere (+ - * / fma sqrt, bits, selection), and what a
// number *is* is left to an *arithmetic* `M`: `ScalarArithmetic` computes, a code generator's emits
// instructions.  Nothing here branches on a value, loops or reads a table but in the notation below
// (`either`, `rare`, `repeat`, `lookup`), and nothing calls the C library.
//
// Whoever implements an arithmetic must not let its operations be contracted, reassociated or
// flushed to zero: the error bounds (below 1 ULP everywhere, subnormal results included) and the
// equality of bits rest on that.  NaN results are NaNs of any sign and payload.
//
// Polynomials: unless a comment says otherwise, minimax coefficients with the printed precision
// that were found with Sollya's `fpminimax` for the interval and the error function that the
// comment names; the error that it gives is that of the rounded coefficients.  What a function is
// off by altogether is measured by the tests (tests/unit/elementary), which hold the bound for
// each.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace sinter::elementary {

/// Constants that functions look up by an index of each lane.
struct Table {
  std::string_view symbol; ///< unique, to link by
  std::span<const std::int64_t> entries;
};

/// The signed integer as wide as a float.
template <std::floating_point T>
using integer_of = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

/// What functions at float type `T` (float or double) are written over.  `Float<T>` is a number or
/// several lanes of them, `Integer<T>` signed integers of the same width that wrap around, `Truth`
/// a truth value for each lane.  All five types differ, so that operations can be overloaded.
/// - `literal<T>(T)` and `integer_literal<T>(std::int64_t)` are the same in each lane;
/// - `add sub mul div neg fma sqrt abs` are those of IEEE 754, `rint` rounds to the nearest whole
///   number (even in the middle), `copysign(a, b)` has a's magnitude and b's sign;
/// - `bits` and `from_bits` reinterpret; `shl`, `lshr` (zeros come in) and `ashr` (copies of the
///   sign come in) shift by a constant below the width, `shift_left` by a count of each lane;
/// - `lookup(table, index)` is the table's entry at an index of each lane, which lies within it;
/// - `lt le eq` are false if an operand is NaN, `ne` is true;
/// - `select(c, a, b)` is `a` in lanes where `c` holds and `b` elsewhere;
/// - `widen` converts float to double, `narrow` double to float, rounding to nearest;
/// - `either(hint, where, seldom, usual)` is what `seldom()` gives in lanes where `hint` and
///   `where()` hold, and what `usual()` gives elsewhere; each is computed only if there is such a
///   lane, and `where()` only if there is a hint: emit branches, or none if the conditions are
///   known while emitting.  In most vectors there is no hint;
/// - `called<T>(symbol, text, x, …)` is `text(m, x, …)` for an arithmetic `m` of the same type.  It
/// is
///   long: emit it once, as a function of its own, and calls of that.  The symbol is unique for a
///   text at the type `T`;
/// - `rare<T>(where, value, symbol, text, x, …)` is `value`, except in lanes where `where` holds:
///   there it is `text(m, x, …)`.  It hardly ever holds: emit a branch that is not expected, and
///   the text as a function of its own, of one lane;
/// - `repeat<T>(most, state, goes_on, step)`: while `goes_on(state)` holds, `step(state)` takes the
///   place of the state (a `std::array` of numbers), in each lane for itself and at most `most`
///   times.  Emit a loop that ends when it holds in no lane.
template <class M, class T>
concept Arithmetic = requires(M& m, typename M::template Float<T> f,
                              typename M::template Integer<T> i, typename M::Truth b,
                              const Table& table, std::array<decltype(f), 2> state) {
  { m.template literal<T>(T(1)) } -> std::same_as<decltype(f)>;
  { m.template integer_literal<T>(std::int64_t{1}) } -> std::same_as<decltype(i)>;
  { m.add(f, f) } -> std::same_as<decltype(f)>;
  { m.sub(f, f) } -> std::same_as<decltype(f)>;
  { m.mul(f, f) } -> std::same_as<decltype(f)>;
  { m.div(f, f) } -> std::same_as<decltype(f)>;
  { m.neg(f) } -> std::same_as<decltype(f)>;
  { m.fma(f, f, f) } -> std::same_as<decltype(f)>;
  { m.sqrt(f) } -> std::same_as<decltype(f)>;
  { m.abs(f) } -> std::same_as<decltype(f)>;
  { m.rint(f) } -> std::same_as<decltype(f)>;
  { m.copysign(f, f) } -> std::same_as<decltype(f)>;
  { m.template bits<T>(f) } -> std::same_as<decltype(i)>;
  { m.template from_bits<T>(i) } -> std::same_as<decltype(f)>;
  { m.add(i, i) } -> std::same_as<decltype(i)>;
  { m.sub(i, i) } -> std::same_as<decltype(i)>;
  { m.mul(i, i) } -> std::same_as<decltype(i)>;
  { m.bit_and(i, i) } -> std::same_as<decltype(i)>;
  { m.bit_or(i, i) } -> std::same_as<decltype(i)>;
  { m.bit_xor(i, i) } -> std::same_as<decltype(i)>;
  { m.shl(i, 1) } -> std::same_as<decltype(i)>;
  { m.lshr(i, 1) } -> std::same_as<decltype(i)>;
  { m.ashr(i, 1) } -> std::same_as<decltype(i)>;
  { m.shift_left(i, i) } -> std::same_as<decltype(i)>;
  {
    m.lookup(table, m.template integer_literal<double>(0))
    } -> std::same_as<typename M::template Integer<double>>;
  { m.lt(f, f) } -> std::same_as<decltype(b)>;
  { m.le(f, f) } -> std::same_as<decltype(b)>;
  { m.eq(f, f) } -> std::same_as<decltype(b)>;
  { m.ne(f, f) } -> std::same_as<decltype(b)>;
  { m.lt(i, i) } -> std::same_as<decltype(b)>;
  { m.le(i, i) } -> std::same_as<decltype(b)>;
  { m.eq(i, i) } -> std::same_as<decltype(b)>;
  { m.ne(i, i) } -> std::same_as<decltype(b)>;
  { m.bit_and(b, b) } -> std::same_as<decltype(b)>;
  { m.bit_or(b, b) } -> std::same_as<decltype(b)>;
  { m.bit_not(b) } -> std::same_as<decltype(b)>;
  { m.select(b, f, f) } -> std::same_as<decltype(f)>;
  { m.select(b, i, i) } -> std::same_as<decltype(i)>;
  {
    m.either(b, std::declval<decltype(b) (*)()>(), std::declval<decltype(f) (*)()>(),
             std::declval<decltype(f) (*)()>())
    } -> std::same_as<decltype(f)>;
  {
    m.template called<T>("", std::declval<decltype(f) (*)(M&, decltype(f))>(), f)
    } -> std::same_as<decltype(f)>;
  {
    m.template rare<T>(b, f, "", std::declval<decltype(f) (*)(M&, decltype(f))>(), f)
    } -> std::same_as<decltype(f)>;
  {
    m.template repeat<T>(1, state, std::declval<decltype(b) (*)(decltype(state))>(),
                         std::declval<decltype(state) (*)(decltype(state))>())
    } -> std::same_as<decltype(state)>;
  {
    m.widen(typename M::template Float<float>(m.template literal<float>(1)))
    } -> std::same_as<typename M::template Float<double>>;
  {
    m.narrow(typename M::template Float<double>(m.template literal<double>(1)))
    } -> std::same_as<typename M::template Float<float>>;
};

/// What an arithmetic may offer besides: single operations for what the texts compose, with the
/// same bits.  `takes_apart<T>()` says whether there are any (while emitting: whether the target
/// has instructions).
/// - `scale(x, n)` is x * 2^n for whole numbers n, rounded once;
/// - `exponent(x)` and `significand(x)` are n and s with x = 2^n s and 1 <= s < 2, for positive
///   finite x, and any numbers for others;
/// - `with_poles(x, log)` is `log` for positive finite x, minus infinity at zeros, x where that is
///   infinity or NaN, and NaN at other negative x.
template <class M, class T>
concept TakesApart = Arithmetic<M, T> && requires(M& m, typename M::template Float<T> f) {
  { m.template takes_apart<T>() } -> std::same_as<bool>;
  { m.scale(f, f) } -> std::same_as<decltype(f)>;
  { m.exponent(f) } -> std::same_as<decltype(f)>;
  { m.significand(f) } -> std::same_as<decltype(f)>;
  { m.with_poles(f, f) } -> std::same_as<decltype(f)>;
};

// ---- notation
// ------------------------------------------------------------------------------------
// The functions are written with operators, on values that know their arithmetic.  A plain number
// beside such a value is a literal.

/// Truth values in the arithmetic `M`.
template <class M>
struct Truth {
  M* m;
  typename M::Truth value;

  friend Truth operator&(Truth a, Truth b) { return {a.m, a.m->bit_and(a.value, b.value)}; }
  friend Truth operator|(Truth a, Truth b) { return {a.m, a.m->bit_or(a.value, b.value)}; }
  friend Truth operator!(Truth a) { return {a.m, a.m->bit_not(a.value)}; }
};

/// Integers as wide as `T` in the arithmetic `M`.
template <class M, class T>
struct Whole {
  M* m;
  typename M::template Integer<T> value;

  Whole literal(integer_of<T> n) const { return {m, m->template integer_literal<T>(n)}; }

  friend Whole operator+(Whole a, Whole b) { return {a.m, a.m->add(a.value, b.value)}; }
  friend Whole operator-(Whole a, Whole b) { return {a.m, a.m->sub(a.value, b.value)}; }
  friend Whole operator*(Whole a, Whole b) { return {a.m, a.m->mul(a.value, b.value)}; }
  friend Whole operator&(Whole a, Whole b) { return {a.m, a.m->bit_and(a.value, b.value)}; }
  friend Whole operator|(Whole a, Whole b) { return {a.m, a.m->bit_or(a.value, b.value)}; }
  friend Whole operator^(Whole a, Whole b) { return {a.m, a.m->bit_xor(a.value, b.value)}; }
  friend Whole operator+(Whole a, integer_of<T> b) { return a + a.literal(b); }
  friend Whole operator-(Whole a, integer_of<T> b) { return a - a.literal(b); }
  friend Whole operator-(integer_of<T> a, Whole b) { return b.literal(a) - b; }
  friend Whole operator&(Whole a, integer_of<T> b) { return a & a.literal(b); }
  friend Whole operator|(Whole a, integer_of<T> b) { return a | a.literal(b); }
  friend Whole operator^(Whole a, integer_of<T> b) { return a ^ a.literal(b); }
  friend Whole operator<<(Whole a, int count) { return {a.m, a.m->shl(a.value, count)}; }
  /// Copies of the sign come in.
  friend Whole operator>>(Whole a, int count) { return {a.m, a.m->ashr(a.value, count)}; }
  friend Truth<M> operator<(Whole a, Whole b) { return {a.m, a.m->lt(a.value, b.value)}; }
  friend Truth<M> operator==(Whole a, Whole b) { return {a.m, a.m->eq(a.value, b.value)}; }
  friend Truth<M> operator<(Whole a, integer_of<T> b) { return a < a.literal(b); }
  friend Truth<M> operator<(integer_of<T> a, Whole b) { return b.literal(a) < b; }
  friend Truth<M> operator<=(Whole a, integer_of<T> b) {
    return {a.m, a.m->le(a.value, a.literal(b).value)};
  }
  friend Truth<M> operator==(Whole a, integer_of<T> b) { return a == a.literal(b); }
  friend Truth<M> operator!=(Whole a, integer_of<T> b) {
    return {a.m, a.m->ne(a.value, a.literal(b).value)};
  }
};

/// Numbers of type `T` in the arithmetic `M`.
template <class M, class T>
requires Arithmetic<M, T>
struct Real {
  M* m;
  typename M::template Float<T> value;

  Real literal(T number) const { return {m, m->template literal<T>(number)}; }

  friend Real operator+(Real a, Real b) { return {a.m, a.m->add(a.value, b.value)}; }
  friend Real operator-(Real a, Real b) { return {a.m, a.m->sub(a.value, b.value)}; }
  friend Real operator*(Real a, Real b) { return {a.m, a.m->mul(a.value, b.value)}; }
  friend Real operator/(Real a, Real b) { return {a.m, a.m->div(a.value, b.value)}; }
  friend Real operator-(Real a) { return {a.m, a.m->neg(a.value)}; }
  friend Real operator+(Real a, T b) { return a + a.literal(b); }
  friend Real operator-(Real a, T b) { return a - a.literal(b); }
  friend Real operator*(Real a, T b) { return a * a.literal(b); }
  friend Real operator/(Real a, T b) { return a / a.literal(b); }
  friend Real operator+(T a, Real b) { return b.literal(a) + b; }
  friend Real operator-(T a, Real b) { return b.literal(a) - b; }
  friend Real operator*(T a, Real b) { return b.literal(a) * b; }
  friend Real operator/(T a, Real b) { return b.literal(a) / b; }

  friend Truth<M> operator<(Real a, Real b) { return {a.m, a.m->lt(a.value, b.value)}; }
  friend Truth<M> operator<=(Real a, Real b) { return {a.m, a.m->le(a.value, b.value)}; }
  friend Truth<M> operator>(Real a, Real b) { return b < a; }
  friend Truth<M> operator>=(Real a, Real b) { return b <= a; }
  friend Truth<M> operator==(Real a, Real b) { return {a.m, a.m->eq(a.value, b.value)}; }
  friend Truth<M> operator!=(Real a, Real b) { return {a.m, a.m->ne(a.value, b.value)}; }
  friend Truth<M> operator<(Real a, T b) { return a < a.literal(b); }
  friend Truth<M> operator<=(Real a, T b) { return a <= a.literal(b); }
  friend Truth<M> operator>(Real a, T b) { return a > a.literal(b); }
  friend Truth<M> operator>=(Real a, T b) { return a >= a.literal(b); }
  friend Truth<M> operator==(Real a, T b) { return a == a.literal(b); }
  friend Truth<M> operator!=(Real a, T b) { return a != a.literal(b); }
};

/// `a * b + c`, rounded once.
template <class M, class T>
Real<M, T> fma(Real<M, T> a, Real<M, T> b, Real<M, T> c) {
  return {a.m, a.m->fma(a.value, b.value, c.value)};
}
template <class M, class T>
Real<M, T> fma(Real<M, T> a, std::type_identity_t<T> b, Real<M, T> c) {
  return fma(a, a.literal(b), c);
}
template <class M, class T>
Real<M, T> fma(Real<M, T> a, Real<M, T> b, std::type_identity_t<T> c) {
  return fma(a, b, a.literal(c));
}
template <class M, class T>
Real<M, T> fma(Real<M, T> a, std::type_identity_t<T> b, std::type_identity_t<T> c) {
  return fma(a, a.literal(b), a.literal(c));
}
template <class M, class T>
Real<M, T> sqrt(Real<M, T> a) {
  return {a.m, a.m->sqrt(a.value)};
}
template <class M, class T>
Real<M, T> abs(Real<M, T> a) {
  return {a.m, a.m->abs(a.value)};
}
template <class M, class T>
Real<M, T> rint(Real<M, T> a) {
  return {a.m, a.m->rint(a.value)};
}
template <class M, class T>
Real<M, T> copysign(Real<M, T> magnitude, Real<M, T> sign) {
  return {sign.m, sign.m->copysign(magnitude.value, sign.value)};
}
template <class M, class T>
Whole<M, T> bits(Real<M, T> a) {
  return {a.m, a.m->template bits<T>(a.value)};
}
template <class M, class T>
Real<M, T> from_bits(Whole<M, T> a) {
  return {a.m, a.m->template from_bits<T>(a.value)};
}
/// Zeros come in.
template <class M, class T>
Whole<M, T> shift_right_logical(Whole<M, T> a, int count) {
  return {a.m, a.m->lshr(a.value, count)};
}
template <class M, class T>
Whole<M, T> shift_left(Whole<M, T> a, Whole<M, T> count) {
  return {a.m, a.m->shift_left(a.value, count.value)};
}
template <class M>
Whole<M, double> lookup(const Table& table, Whole<M, double> index) {
  return {index.m, index.m->lookup(table, index.value)};
}
template <class M, class T>
Real<M, T> select(Truth<M> c, Real<M, T> a, Real<M, T> b) {
  return {c.m, c.m->select(c.value, a.value, b.value)};
}
template <class M, class T>
Real<M, T> select(Truth<M> c, std::type_identity_t<T> a, Real<M, T> b) {
  return select(c, b.literal(a), b);
}
template <class M, class T>
Real<M, T> select(Truth<M> c, Real<M, T> a, std::type_identity_t<T> b) {
  return select(c, a, a.literal(b));
}
template <class M, class T>
Whole<M, T> select(Truth<M> c, Whole<M, T> a, Whole<M, T> b) {
  return {c.m, c.m->select(c.value, a.value, b.value)};
}
template <class M>
Real<M, double> widen(Real<M, float> a) {
  return {a.m, a.m->widen(a.value)};
}
template <class M>
Real<M, float> narrow(Real<M, double> a) {
  return {a.m, a.m->narrow(a.value)};
}
template <class M, class Where, class Seldom, class Usual>
auto either(Truth<M> hint, Where where, Seldom seldom, Usual usual) -> decltype(usual()) {
  return {hint.m, hint.m->either(
                      hint.value, [&] { return where().value; }, [&] { return seldom().value; },
                      [&] { return usual().value; })};
}
/// A text on numbers that know their arithmetic, as one on their values.
template <class T, class Text>
auto of_values(Text text) {
  return [text]<class M>(M& m, auto... values) { return text(Real<M, T>{&m, values}...).value; };
}
/// `text(x, rest…)`, which uses nothing but its operands.
template <class Text, class M, class T, std::same_as<Real<M, T>>... Rest>
Real<M, T> called(std::string_view symbol, Text text, Real<M, T> x, Rest... rest) {
  return {x.m, x.m->template called<T>(symbol, of_values<T>(text), x.value, rest.value...)};
}
template <class Text, class M, class T, std::same_as<Real<M, T>>... Rest>
Real<M, T> rare(Truth<M> where, Real<M, T> value, std::string_view symbol, Text text, Real<M, T> x,
                Rest... rest) {
  return {x.m, x.m->template rare<T>(where.value, value.value, symbol, of_values<T>(text), x.value,
                                     rest.value...)};
}
template <class M, class T, std::size_t N, class GoesOn, class Step>
std::array<Real<M, T>, N> repeat(int most, std::array<Real<M, T>, N> state, GoesOn goes_on,
                                 Step step) {
  M* const m = state[0].m;
  using Values = std::array<typename M::template Float<T>, N>;
  const auto values_of = [](const std::array<Real<M, T>, N>& numbers) {
    Values values;
    for (std::size_t n = 0; n < N; ++n)
      values[n] = numbers[n].value;
    return values;
  };
  const auto numbers_of = [&](const Values& values) {
    for (std::size_t n = 0; n < N; ++n)
      state[n].value = values[n];
    return state;
  };
  return numbers_of(m->template repeat<T>(
      most, values_of(state), [&](const Values& now) { return goes_on(numbers_of(now)).value; },
      [&](const Values& now) { return values_of(step(numbers_of(now))); }));
}

/// `single(m)` where the arithmetic has an operation for it (see `TakesApart`), else `text()`.
template <class M, class T, class Single, class Text>
auto unless_single(Real<M, T> x, Single single, Text text) -> decltype(text()) {
  if constexpr (TakesApart<M, T>)
    if (x.m->template takes_apart<T>()) return single(*x.m);
  return text();
}

// ---- building blocks
// -----------------------------------------------------------------------------

/// c0 + c1 x + c2 x² + …, by Horner's rule with one fma a coefficient.
template <class M, class T, std::same_as<T>... Rest>
Real<M, T> polynomial(Real<M, T> x, T c0, Rest... rest) {
  if constexpr (sizeof...(rest) == 0)
    return x.literal(c0);
  else
    return fma(polynomial(x, rest...), x, c0);
}

/// A number as an unevaluated sum: `high` is the sum rounded, `low` what that lost.
template <class M, class T>
struct Pair {
  Real<M, T> high, low;
};

/// a + b exactly, if |a| >= |b| or a = 0 (Dekker 1971).
template <class M, class T>
Pair<M, T> ordered_sum(Real<M, T> a, Real<M, T> b) {
  const auto high = a + b;
  return {high, b - (high - a)};
}
/// a + b exactly (Knuth 1969).
template <class M, class T>
Pair<M, T> exact_sum(Real<M, T> a, Real<M, T> b) {
  const auto high = a + b;
  const auto part = high - a;
  return {high, (a - (high - part)) + (b - part)};
}
/// a * b exactly, unless the low part underflows.
template <class M, class T>
Pair<M, T> exact_product(Real<M, T> a, Real<M, T> b) {
  const auto high = a * b;
  return {high, fma(a, b, -high)};
}

/// a / b, to about twice the precision of `T`.
template <class M, class T>
Pair<M, T> quotient(Pair<M, T> a, Pair<M, T> b) {
  const auto inverse = T(1) / b.high;
  const auto high = a.high * inverse;
  const auto rest = fma(-high, b.low, fma(-high, b.high, a.high) + a.low);
  return {high, rest * inverse};
}

} // namespace sinter::elementary
