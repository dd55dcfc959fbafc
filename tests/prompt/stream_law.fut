import "sinter/stream"

-- ==
-- entry: total
-- input { } output { 45i64 }
entry total : i64 = reduce_stream (+) (\k (xs: [k]i64) -> i64.sum xs) (iota 10)

-- This is no function of chunks.
-- ==
-- entry: sums
-- input { } output { [1, 3, 6, 10] }
entry sums : []i32 = map_stream (\k (xs: [k]i32) -> scan (+) 0 xs) [1, 2, 3, 4]
