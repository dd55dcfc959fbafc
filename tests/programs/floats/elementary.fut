-- ==
-- entry: exponentials
-- input { 1.0 } output { 2.718281828459045 0.0 1.0 2.0 }
entry exponentials (x: f64) = (f64.exp x, f64.log x, f64.log2 (2 * x), f64.log10 (100 * x))
-- ==
-- entry: trigonometry
-- input { 0.0 } output { 0.0 1.0 0.0 1.5707963267948966 }
entry trigonometry (x: f64) = (f64.sin x, f64.cos x, f64.tan x, f64.acos x)
-- ==
-- entry: roots
-- input { 27.0 } output { 5.196152422706632 3.0 13.0 }
entry roots (x: f64) = (f64.sqrt x, f64.cbrt x, f64.hypot 5 12)
-- ==
-- entry: constants
-- input { } output { 3.141592653589793 2.718281828459045 }
entry constants = (f64.pi, f64.e)
