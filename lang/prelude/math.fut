-- | Numbers: a module for each primitive type, and the module types that describe them.
--
-- `integral` describes `i8` to `u64`, `float` describes `f16`, `f32` and `f64`.  A parametric
-- module that needs less asks for less: `numeric` for arithmetic, `real` for elementary functions.

-- | Types that a value of each primitive type can be converted to.
--
-- In the modules of the prelude, `true` becomes 1 and `false` 0; to `bool`, 0 becomes `false` and
-- everything else `true`.  Integers are cut to fewer bits; they are extended to more by their sign
-- if both types are signed, else by zeros.  Floats lose their fraction on the way to integers;
-- infinities and values that are not a number become 0.  Whatever becomes a float is rounded to the
-- nearest one.
module type from_prim = {
  type t

  val i8 : i8 -> t
  val i16 : i16 -> t
  val i32 : i32 -> t
  val i64 : i64 -> t
  val u8 : u8 -> t
  val u16 : u16 -> t
  val u32 : u32 -> t
  val u64 : u64 -> t
  val f16 : f16 -> t
  val f32 : f32 -> t
  val f64 : f64 -> t
  val bool : bool -> t
}

-- | Numbers with arithmetic and order.
module type numeric = {
  include from_prim

  -- | Sum; integers wrap around.
  val (+) : t -> t -> t

  -- | Difference; integers wrap around.
  val (-) : t -> t -> t

  -- | Product; integers wrap around.
  val (*) : t -> t -> t

  -- | Quotient; of integers, rounded towards negative infinity.
  val (/) : t -> t -> t

  -- | Remainder; of integers it has the divisor's sign, of floats the dividend's.
  val (%) : t -> t -> t

  -- | Power; an integer's exponent must not be negative.  To a whole number from -1 to 8, a float's
  -- power is a product (or `1 / x`), rounded once.
  val (**) : t -> t -> t

  -- | The number as an `i64`; see `from_prim` for how.
  val to_i64 : t -> i64

  -- | Whether two numbers are equal; one that is not a number equals nothing.
  val (==) : t -> t -> bool

  -- | Whether the first number is less.
  val (<) : t -> t -> bool

  -- | Whether the first number is greater.
  val (>) : t -> t -> bool

  -- | Whether the first number is less or equal.
  val (<=) : t -> t -> bool

  -- | Whether the first number is greater or equal.
  val (>=) : t -> t -> bool

  -- | Whether two numbers differ.
  val (!=) : t -> t -> bool

  -- | The number with the other sign.
  val neg : t -> t

  -- | The greater of two numbers: `i32.max 3 5` is `5`.
  val max : t -> t -> t

  -- | The lesser of two numbers: `i32.min 3 5` is `3`.
  val min : t -> t -> t

  -- | The number without its sign: `i32.abs (-3)` is `3`.
  val abs : t -> t

  -- | -1, 0 or 1, as the number is negative, zero or positive: `i32.sgn (-3)` is `-1`.
  val sgn : t -> t

  -- | The greatest number of the type.
  val highest : t

  -- | The least number of the type.
  val lowest : t

  -- | The sum of the elements; 0 if there are none.  `i32.sum [1, 2, 3]` is `6`.
  val sum [n] : [n]t -> t

  -- | The product of the elements; 1 if there are none.  `i32.product [2, 3, 4]` is `24`.
  val product [n] : [n]t -> t

  -- | The greatest element, and `lowest` if there are none: `i32.maximum [3, 5, 1]` is `5`.
  val maximum [n] : [n]t -> t

  -- | The least element, and `highest` if there are none: `i32.minimum [3, 5, 1]` is `1`.
  val minimum [n] : [n]t -> t
}

-- | Integers: numbers made of bits.
module type integral = {
  include numeric

  -- | Quotient, rounded towards zero.
  val (//) : t -> t -> t

  -- | Remainder, with the dividend's sign.
  val (%%) : t -> t -> t

  -- | Bits set in both.
  val (&) : t -> t -> t

  -- | Bits set in either.
  val (|) : t -> t -> t

  -- | Bits set in one only.
  val (^) : t -> t -> t

  -- | Every bit inverted.
  val not : t -> t

  -- | Bits moved up, zeros below.
  val (<<) : t -> t -> t

  -- | Bits moved down, copies of the sign above (zeros for unsigned types).
  val (>>) : t -> t -> t

  -- | Bits moved down, zeros above.
  val (>>>) : t -> t -> t

  -- | Number of bits in a value.
  val num_bits : i32

  -- | `get_bit i x` is bit `i` of `x`; bit 0 is the least.
  val get_bit : i32 -> t -> i32

  -- | `set_bit i x b` is `x` with bit `i` set to `b`, 0 or 1.
  val set_bit : i32 -> t -> i32 -> t

  -- | Number of set bits.
  val popc : t -> i32

  -- | Upper half of the product in twice as many bits.
  val mul_hi : (x: t) -> (y: t) -> t

  -- | `mul_hi x y + z`.
  val mad_hi : (x: t) -> (y: t) -> (z: t) -> t

  -- | Number of zeros above the highest set bit; all of them for 0.
  val clz : t -> i32

  -- | Number of zeros below the lowest set bit; all of them for 0.
  val ctz : t -> i32
}

-- | Numbers that stand for real ones, more or less exactly.
module type real = {
  include numeric

  -- | One over the number.
  val recip : t -> t

  -- | The quotient of two integers.
  val from_fraction : i64 -> i64 -> t

  -- | The number as an `f64`.
  val to_f64 : t -> f64

  -- | Square root.
  val sqrt : t -> t

  -- | One over the square root.
  val rsqrt : t -> t

  -- | Cube root.
  val cbrt : t -> t

  -- | `e` to the power of the number.
  val exp : t -> t

  -- | Sine, cosine and tangent of an angle in radians.
  val sin : t -> t
  val cos : t -> t
  val tan : t -> t

  -- | Sine, cosine and tangent of pi times the number.
  val sinpi : t -> t
  val cospi : t -> t
  val tanpi : t -> t

  -- | Angles in radians with a given sine, cosine or tangent.
  val asin : t -> t
  val acos : t -> t
  val atan : t -> t

  -- | The same, divided by pi.
  val asinpi : t -> t
  val acospi : t -> t
  val atanpi : t -> t

  -- | Hyperbolic functions and their inverses.
  val sinh : t -> t
  val cosh : t -> t
  val tanh : t -> t
  val asinh : t -> t
  val acosh : t -> t
  val atanh : t -> t

  -- | `atan2 y x` is the angle of the point `(x, y)`, between -pi and pi.
  val atan2 : t -> t -> t

  -- | The same, divided by pi.
  val atan2pi : t -> t -> t

  -- | `hypot x y` is the distance of the point `(x, y)` from the origin, also where its square
  -- would overflow.
  val hypot : t -> t -> t

  -- | The gamma function: `(n-1)!` for whole `n`.
  val gamma : t -> t

  -- | Natural logarithm of the magnitude of the gamma function.
  val lgamma : t -> t

  -- | The error function.
  val erf : t -> t

  -- | `1 - erf x`, accurate where that is small.
  val erfc : t -> t

  -- | `lerp a b x` goes from `a` to `b` as `x` goes from 0 to 1.
  val lerp : t -> t -> t -> t

  -- | Logarithms: natural, to base 2, to base 10.
  val log : t -> t
  val log2 : t -> t
  val log10 : t -> t

  -- | `log (1 + x)`, accurate for small `x`.
  val log1p : t -> t

  -- | The least whole number not below.
  val ceil : t -> t

  -- | The greatest whole number not above.
  val floor : t -> t

  -- | The whole part.
  val trunc : t -> t

  -- | The nearest whole number; the even one of two.
  val round : t -> t

  -- | `mad x y z` is `x*y + z`, rounded after each operation.
  val mad : (x: t) -> (y: t) -> (z: t) -> t

  -- | `fma x y z` is `x*y + z`, rounded once.
  val fma : (x: t) -> (y: t) -> (z: t) -> t

  -- | Whether the number is positive or negative infinity.
  val isinf : t -> bool

  -- | Whether the value is not a number.
  val isnan : t -> bool

  -- | Infinity, and a value that is not a number.
  val inf : t
  val nan : t

  -- | The ratio of a circle's circumference to its diameter.
  val pi : t

  -- | The base of the natural logarithm.
  val e : t
}

-- | Floating-point numbers, of whose bits something is known.
module type float = {
  include real

  -- | Unsigned integers with as many bits.
  type int_t

  -- | The number with the given bits.
  val from_bits : int_t -> t

  -- | The bits of a number.
  val to_bits : t -> int_t

  -- | Number of bits in a value.
  val num_bits : i32

  -- | `get_bit i x` is bit `i` of `x`; bit 0 is the least.
  val get_bit : i32 -> t -> i32

  -- | `set_bit i x b` is `x` with bit `i` set to `b`, 0 or 1.
  val set_bit : i32 -> t -> i32 -> t

  -- | The distance from 1 to the next greater number.
  val epsilon : t

  -- | `nextafter x y` is the number beside `x` in the direction of `y`.
  val nextafter : (x: t) -> (y: t) -> t

  -- | `ldexp x n` is `x` times 2 to the power of `n`.
  val ldexp : t -> i32 -> t

  -- | `copysign x y` has the magnitude of `x` and the sign of `y`.
  val copysign : (x: t) -> (y: t) -> t
}

-- | Truth values from numbers: everything but 0 is true.
module bool = {
  type t = bool

  def i8 (x: i8) : t = intrinsics.itob_i8_bool x
  def i16 (x: i16) : t = intrinsics.itob_i16_bool x
  def i32 (x: i32) : t = intrinsics.itob_i32_bool x
  def i64 (x: i64) : t = intrinsics.itob_i64_bool x
  def u8 (x: u8) : t = intrinsics.itob_u8_bool x
  def u16 (x: u16) : t = intrinsics.itob_u16_bool x
  def u32 (x: u32) : t = intrinsics.itob_u32_bool x
  def u64 (x: u64) : t = intrinsics.itob_u64_bool x
  def f16 (x: f16) : t = intrinsics.ftob_f16_bool x
  def f32 (x: f32) : t = intrinsics.ftob_f32_bool x
  def f64 (x: f64) : t = intrinsics.ftob_f64_bool x
  def bool (x: bool) : t = intrinsics.btob_bool_bool x
}

module i8 = import "i8"
module i16 = import "i16"
module i32 = import "i32"
module i64 = import "i64"
module u8 = import "u8"
module u16 = import "u16"
module u32 = import "u32"
module u64 = import "u64"
module f16 = import "f16"
module f32 = import "f32"
module f64 = import "f64"
