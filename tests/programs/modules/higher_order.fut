-- ==
-- input { 4 } output { 6 }
module type value = { val x : i32 }
module apply_twice (f: (m: value) -> value) (m: value) = f (f m)
module increment (m: value) = { def x = m.x + 1 }
module four = { def x = 4i32 }
module six = apply_twice increment four
entry main (y: i32) = six.x + y - 4
