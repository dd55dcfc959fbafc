-- ==
-- input { 3i64 } output { empty([0]i64) }
entry main (a: i64) = a..<a
