-- Constants that depend on each other, with sizes that are constants too.
-- ==
-- input { 2i64 } output { [[4i64, 8i64], [12i64, 16i64]] 7i64 }
def count = i64.sum (iota 4) + 1
def table : [count]i64 = map (\i -> 2 * (i + 1)) (iota count)
def pairs = map (\x -> (x, x * 2)) table
def total = { all = i64.sum (map (.1) pairs), size = length table }

entry main (n: i64) : ([][]i64, i64) =
  ( map (\i -> map (\j -> (pairs[2 * i + j]).1) (iota n)) (iota n)
  , total.all / 16 )
