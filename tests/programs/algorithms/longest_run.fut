-- Longest run of equal values with one associative reduction.
-- ==
-- input { [1, 1, 2, 2, 2, 3] } output { 3i64 }
type summary = {first: i32, last: i32, prefix: i64, suffix: i64, best: i64, size: i64}
def combine (a: summary) (b: summary): summary =
  if a.size == 0 then b else if b.size == 0 then a else
  let joined = a.last == b.first
  let middle = if joined then a.suffix + b.prefix else 0
  in { first = a.first, last = b.last
     , prefix = if joined && a.prefix == a.size then a.size + b.prefix else a.prefix
     , suffix = if joined && b.suffix == b.size then b.size + a.suffix else b.suffix
     , best = i64.max middle (i64.max a.best b.best)
     , size = a.size + b.size }
def nothing: summary = {first = 0, last = 0, prefix = 0, suffix = 0, best = 0, size = 0}
entry main (xs: []i32) =
  (reduce combine nothing (map (\x -> {first = x, last = x, prefix = 1i64, suffix = 1i64, best = 1i64, size = 1i64}) xs)).best
