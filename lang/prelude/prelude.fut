-- | What every program has in scope without importing it.

open import "functional"
open import "soacs"
open import "array"
open import "math"
open import "ad"

-- | An `i32` as the nearest `f32`: `r32 3` is `3.0`.
def r32 (x: i32) : f32 = intrinsics.sitofp_i32_f32 x

-- | The whole part of an `f32` as an `i32`: `t32 2.7` is `2`.
def t32 (x: f32) : i32 = intrinsics.fptosi_f32_i32 x

-- | An `i32` as an `f64`: `r64 3` is `3.0`.
def r64 (x: i32) : f64 = intrinsics.sitofp_i32_f64 x

-- | The whole part of an `f64` as an `i32`: `t64 (-2.7)` is `-2`.
def t64 (x: f64) : i32 = intrinsics.fptosi_f64_i32 x

-- | The other truth value: `not true` is `false`.
def not (x: bool) : bool = intrinsics.lognot x

-- | The value itself, hidden from optimisation: nothing is computed across it beforehand.
def opaque 't (x: t) : t = #[opaque] x

-- | The value itself, which is also printed whenever it is evaluated.  For debugging.
def trace 't (x: t) : t = #[trace(trace)] x

-- | The value itself; where a debugger is attached, evaluation stops here.
def break 't (x: t) : t = #[break] x
