-- A loop's sum gains a constructor that holds an array.
-- ==
-- entry: last_for
-- input { 0i64 } output { [0i64, 0i64] }
-- input { 1i64 } output { [0i64, 1i64] }
-- input { 5i64 } output { [4i64, 5i64] }
type found = #none | #pair ([2]i64)

def shown (f: found) : [2]i64 =
  match f
  case #none -> [0, 0]
  case #pair xs -> xs

entry last_for (n: i64) = shown (loop f: found = #none for i < n do #pair [i, i + 1])

-- ==
-- entry: last_while
-- input { 0i64 } output { [0i64, 0i64] }
-- input { 5i64 } output { [4i64, 5i64] }
entry last_while (n: i64) =
  shown (loop (i, f: found) = (0, #none) while i < n do (i + 1, #pair [i, i + 1])).1
