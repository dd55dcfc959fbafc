// What the operations on floats mean for numbers of many digits: the true functions, with the
// conventions of meanings.h (signs of zeros, NaN, `min` and `max`).
#pragma once

#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/acosh.hpp>
#include <boost/math/special_functions/asinh.hpp>
#include <boost/math/special_functions/atanh.hpp>
#include <boost/math/special_functions/cbrt.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/log1p.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include <limits>

namespace sinter::eval::wide {

/// Outside of a function's domain: NaN or an infinity, and no exception.
using Policy = boost::math::policies::policy<
    boost::math::policies::domain_error<boost::math::policies::ignore_error>,
    boost::math::policies::pole_error<boost::math::policies::ignore_error>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::underflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::denorm_error<boost::math::policies::ignore_error>,
    boost::math::policies::rounding_error<boost::math::policies::ignore_error>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>,
    boost::math::policies::indeterminate_result_error<boost::math::policies::ignore_error>,
    boost::math::policies::promote_float<false>, boost::math::policies::promote_double<false>>;

/// Binary, without expression templates.
template <unsigned Digits>
using Number = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<Digits>,
                                             boost::multiprecision::et_off>;

template <typename W>
W pi() {
  return boost::math::constants::pi<W>();
}
template <typename W>
W not_a_number() {
  return std::numeric_limits<W>::quiet_NaN();
}
template <typename W>
bool is_negative(const W& x) {
  return signbit(x) != 0;
}

// ---- arithmetic

template <typename W>
W minimum(const W& a, const W& b) {
  if (isnan(a)) return b;
  if (isnan(b)) return a;
  if (a == b) return is_negative(a) ? a : b;
  return b < a ? b : a;
}
template <typename W>
W maximum(const W& a, const W& b) {
  if (isnan(a)) return b;
  if (isnan(b)) return a;
  if (a == b) return is_negative(a) ? b : a;
  return a < b ? b : a;
}
template <typename W>
W modulo(const W& a, const W& b) {
  if (!isfinite(a) || isnan(b) || b == 0) return not_a_number<W>();
  if (isinf(b)) return a;
  const W remainder = fmod(a, b);
  return remainder == 0 && is_negative(a) ? W(-W(0)) : remainder;
}
template <typename W>
W sign_of(const W& a) {
  if (isnan(a) || a == 0) return a;
  return W(is_negative(a) ? -1 : 1);
}
template <typename W>
W copy_sign(const W& a, const W& b) {
  const W magnitude = is_negative(a) ? W(-a) : a;
  return is_negative(b) ? W(-magnitude) : magnitude;
}
/// To the nearest whole number, of two the even one.
template <typename W>
W round_to_even(const W& a) {
  if (!isfinite(a)) return a;
  const W below = floor(a);
  const W above_by = a - below;
  const W half = W(1) / 2;
  const bool goes_up = above_by > half || (above_by == half && fmod(below, W(2)) != 0);
  return copy_sign(goes_up ? W(below + 1) : below, a);
}

// ---- trigonometry: boost reduces large arguments in the number's own precision only

/// Digits for arguments up to 10^350, which are all finite floats and more.
using ForReduction = Number<480>;

/// `x` modulo 2 pi, near 0; NaN where the argument is too large to tell.
template <typename W>
W reduce_angle(const W& x) {
  if (!(abs(x) > 1000)) return x;
  if (isinf(x) || abs(x) > pow(W(10), 350)) return not_a_number<W>();
  const ForReduction turn = 2 * pi<ForReduction>();
  return static_cast<W>(ForReduction(fmod(ForReduction(x), turn)));
}
template <typename W>
W sine(const W& x) {
  return sin(reduce_angle(x));
}
template <typename W>
W cosine(const W& x) {
  return cos(reduce_angle(x));
}
template <typename W>
W tangent(const W& x) {
  return tan(reduce_angle(x));
}
/// Multiples of pi: the period is 2 exactly, and at multiples of a half there is no rounding.
template <typename W>
W sine_of_pi_times(const W& x) {
  if (!isfinite(x)) return not_a_number<W>();
  const W turn = fmod(x, W(2));
  if (turn == floor(turn)) return copy_sign(W(0), x);
  return sin(W(pi<W>() * turn));
}
template <typename W>
W cosine_of_pi_times(const W& x) {
  if (!isfinite(x)) return not_a_number<W>();
  const W turn = abs(fmod(x, W(2)));
  if (turn == W(1) / 2 || turn == W(3) / 2) return W(0);
  return cos(W(pi<W>() * turn));
}

// ---- other elementary functions

template <typename W>
W power(const W& a, const W& b) {
  if (b == 0 || a == 1) return W(1);
  if (isnan(a) || isnan(b)) return not_a_number<W>();
  return pow(a, b);
}
template <typename W>
W angle(const W& y, const W& x) {
  if (isnan(y) || isnan(x)) return not_a_number<W>();
  return atan2(y, x);
}
template <typename W>
W hypotenuse(const W& a, const W& b) {
  if (isinf(a) || isinf(b)) return std::numeric_limits<W>::infinity();
  return sqrt(W(a * a + b * b));
}
template <typename W>
W log_gamma(const W& a) {
  if (isnan(a)) return a;
  if (isinf(a)) return std::numeric_limits<W>::infinity();
  if (a <= 0 && a == floor(a)) return std::numeric_limits<W>::infinity(); // poles
  return boost::math::lgamma(a, Policy());
}
template <typename W>
W gamma(const W& a) {
  if (a == 0) return copy_sign(std::numeric_limits<W>::infinity(), a);
  if (isinf(a) && a > 0) return a;
  return boost::math::tgamma(a, Policy());
}

} // namespace sinter::eval::wide
