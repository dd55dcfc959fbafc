-- ==
-- input { 27i64 } output { 111i64 }
entry main (n: i64) =
  let (_, steps) =
    loop (x, steps) = (n, 0i64) while x != 1 do
      (if x % 2 == 0 then x / 2 else 3 * x + 1, steps + 1)
  in steps
