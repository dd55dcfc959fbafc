-- What always fails fails only where it runs.
def fails (x: i64) : i64 = assert (x > x) x

-- ==
-- entry: repeats
-- input { 0i64 } output { 0i64 }
-- input { 3i64 } error: Assertion is false
entry repeats (n: i64) = #[accelerate] (loop x = n while x > 0 do fails x)

-- ==
-- entry: joins
-- input { 0i64 } output { 0i64 empty([0][2]i64) }
-- input { 2i64 } error: Assertion is false
entry joins (n: i64) =
  #[accelerate] (let (_, _, _, joined, others) =
                   flatmap (\i -> (map (\_ -> [i, i]) (iota (fails i)), i)) (iota n)
                 in (length others, joined))

-- Bins that no index hits keep what they have.
-- ==
-- entry: counts
-- input { 0i64 0i64 } output { [7i64, 7i64] }
-- input { 3i64 2i64 } output { [7i64, 7i64] }
-- input { 3i64 -3i64 } output { [7i64, 7i64] }
-- input { 3i64 -2i64 } error: Assertion is false
-- input { 3i64 1i64 } error: Assertion is false
entry counts (n: i64) (first: i64) =
  #[accelerate] (reduce_by_index (replicate 2 7) (\a b -> fails (a + b)) 0 (map (+ first) (iota n))
                                 (iota n))

-- ==
-- entry: counts_2d
-- input { 0i64 } output { [[7i64, 7i64]] }
-- input { 1i64 } error: Assertion is false
entry counts_2d (n: i64) =
  #[accelerate] (reduce_by_index_2d [[7, 7]] (\a b -> fails (a + b)) 0 (map (\i -> (i, 1)) (iota n))
                                    (iota n))

-- ==
-- entry: divides
-- input { 0i64 } output { 0i64 0i64 }
-- input { 1i64 } error: Assertion is false
entry divides (n: i64) =
  #[accelerate] (let (a, b) = partition (\x -> fails x > 2) (iota n) in (length a, length b))
