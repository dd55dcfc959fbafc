-- ==
-- input { } output { 10.0 7.0 1.0 -1.0 }
entry main = (f64.fma 2 3 4, f64.lerp 5 9 0.5, f64.sgn 3, f64.copysign 1 (-2))
