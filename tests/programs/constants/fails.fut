-- A constant fails where it is used, and nowhere else.
-- ==
-- entry: always
-- input { 3i64 } error: division by zero

-- ==
-- entry: sometimes
-- input { 3i64 } output { 3i64 }
-- input { 11i64 } error: division by zero

-- ==
-- entry: for_elements
-- input { 3i64 } output { [0i64, 1i64, 2i64] }
-- input { 12i64 } error: division by zero
def bad = map (\i -> 10 / i) (iota 3)

entry always (n: i64) = i64.sum (map (\i -> bad[i]) (iota n))
entry sometimes (n: i64) = if n > 10 then bad[1] else i64.sum (iota n)
entry for_elements (n: i64) = map (\i -> if i > 10 then bad[i - 10] else i) (iota n)
