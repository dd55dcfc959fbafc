-- ==
-- input { [1.5, 2.5] 2 } output { [3.0, 5.0] }
-- "empty" input { empty([0]f64) 2 } output { empty([0]f64) }

-- | Multiplies each element.
entry main [n] (xs: [n]f64) (factor: i32) : [n]f64 = map (* f64.i32 factor) xs

entry both (x: i32) (y: i64) : (i64, [2]i32) = (y, [x, x])

entry opaque (r: {a: i32}) : {a: i32} = r
entry make (a: i32) : {a: i32, b: bool} = {a, b = a > 0}
entry divide (x: i32) (y: i32) : i32 = x / y
entry forever (x: i64) : i64 = loop y = x while y >= 0 do (y + 1) % 1000
entry huge (n: i64) : i64 = i64.sum (iota (n + 1000000000000))
entry deep (n: i64) : i64 = i64.sum (iota n)
