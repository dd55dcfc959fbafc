-- Two applications of a functor do not share their types, but both work.
-- ==
-- input { 2 } output { 3 4 }
module boxed (p: { val step : i32 }) : { type t val box : i32 -> t val open_box : t -> i32 } = {
  type t = i32
  def box x = x + p.step
  def open_box (x: t) = x
}
module one = boxed { def step = 1i32 }
module two = boxed { def step = 2i32 }
entry main (x: i32) = (one.open_box (one.box x), two.open_box (two.box x))
