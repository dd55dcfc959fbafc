-- ==
-- input { 10 } output { 55 }
entry main (n: i32) =
  (loop s = {previous = 0, current = 1} for _i < n - 1 do
     {previous = s.current, current = s.previous + s.current}).current
