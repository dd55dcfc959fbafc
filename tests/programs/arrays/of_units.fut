-- Arrays of `()` hold nothing but their size.
-- ==
-- input { 5i64 } output { 5i64 }
entry main (n: i64) = length (replicate n ())
