-- ==
-- input { 2.0 } output { 1.4142135 1.4142135f32 }
module newton (r: real) = {
  def sqrt (x: r.t): r.t =
    loop y = x for _i < 20i32 do r.((y + x / y) / i32 2)
}
module newton64 = newton f64
module newton32 = newton f32
entry main (x: f64) = (newton64.sqrt x, newton32.sqrt (f32.f64 x))
