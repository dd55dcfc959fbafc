-- Tables as arguments, with the options of `:read`.
-- ==
-- entry: worth
-- input @ --skip 1 --type item=codes --na - prices.csv
-- output { 15f64 }
-- script input { let t = $loaddata --skip 1 --na "-" "prices.csv" in (t.item, t.price, t.pieces) }
-- output { 15f64 }

entry worth [n] (_: [n]i64) (price: [n]f64) (pieces: [n]f64) : f64 =
  f64.sum (map2 (\p k -> if f64.isnan k then 0 else p * k) price pieces)

-- ==
-- entry: matrix
-- input @ three.csv output @ three.csv

entry matrix (a: [][]f32) = a

entry small (xs: []u8) = u8.sum xs

entry words [n] (positions: [n]i64) (words: [][]u8) = map (\i -> words[i]) positions
