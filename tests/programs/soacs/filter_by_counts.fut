-- Filters that are written as counts of what is kept before, and what only looks like one.
-- ==
-- entry: kept
-- input { [3, 12, -4, 10, 9] } output { [3, -4, 9] 3i64 }
-- input { empty([0]i32) } output { empty([0]i32) 0i64 }
-- input { [12, 11] } output { empty([0]i32) 0i64 }
-- input { [1] } output { [1] 1i64 }

-- ==
-- entry: other_counted
-- input { [3, 12, -4, 10, 9] } output { [3, -4, 7] }

-- ==
-- entry: others_written
-- unlawful input { [3, 12, -4, 10, 9] } output { [10, -4, 9] }

-- ==
-- entry: values_computed
-- input { [3, 12, -4, 10, 9] } output { [1, 3, 5] }

-- ==
-- entry: many
-- input { 0i64 } output { true }
-- input { 17i64 } output { true }
-- input { 1000i64 } output { true }
-- input { 100003i64 } output { true }

def by_counts [n] (counted: [n]bool) (keep: [n]bool) (rest: i64) (xs: [n]i32) : []i32 =
  let counts = scan (+) 0 (map i64.bool counted)
  let count = if n == 0 then 0 else last counts
  in scatter (replicate count 7) (map2 (\k c -> if k then c - 1 else rest) keep counts) xs

entry kept [n] (xs: [n]i32) =
  let keep = map (< 10) xs
  let ys = by_counts keep keep (-1) xs
  in (ys, length ys)

entry other_counted [n] (xs: [n]i32) = by_counts (map (< 10) xs) (map (< 9) xs) (-1) xs
entry others_written [n] (xs: [n]i32) =
  let keep = map (< 10) xs in by_counts keep keep 0 xs
entry values_computed [n] (xs: [n]i32) =
  let keep = map (< 10) xs
  let counts = scan (+) 0 (map i64.bool keep)
  let count = if n == 0 then 0 else last counts
  in scatter (replicate count 0)
             (map2 (\k c -> if k then c - 1 else -1) keep counts)
             (map i32.i64 (map2 (\i x -> i + i64.bool (x >= 10)) (map (+ 1) (iota n)) xs))

entry many (n: i64) : bool =
  let xs = map (\i -> i32.i64 (i * 7919 % 21)) (iota n)
  let keep = map (< 10) xs
  let ys = by_counts keep keep (-1) xs
  let zs = filter (< 10) xs
  in length ys == length zs && and (map (\i -> ys[i] == zs[i]) (iota (length ys)))
