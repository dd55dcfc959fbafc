-- ==
-- input { 3 } output { 9 }
module type size = { val n : i32 }
module make = \(s: size) -> { def scale (x: i32) = x * s.n }
module three = make { def n = 3i32 }
entry main (x: i32) = three.scale x
