-- Each number n becomes n copies of itself.
-- ==
-- input { [2i64, 0i64, 3i64] } output { [2i64, 2i64, 3i64, 3i64, 3i64] }
entry main (ns: []i64) = let (_, _, _, data) = flatmap' (\n -> replicate n n) ns in data
