-- ==
-- input { 10i64 } output { 45i64 }
entry main (n: i64) = loop s = 0 for i < n do s + i
