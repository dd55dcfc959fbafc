-- ==
-- input { 4i64 } output { [0i64, 1i64, 3i64, 6i64] }
entry main (n: i64) =
  loop out = replicate n 0 for i < n do
    out with [i] = (loop s = 0 for j < i + 1 do s + j)
