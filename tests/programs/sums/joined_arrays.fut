-- Arrays of sums that hold arrays meet, where some know the sizes inside and others do not.
-- ==
-- entry: joined
-- input { 3i64 } output { [0i64, 2i64, 2i64] }
-- entry: chosen
-- input { 3i64 } output { [0i64, 4i64, 0i64] }
type option = #none bool | #some ([2]bool) i32

def size (o: option) : i64 = match o case #none _ -> 0 case #some bs _ -> length bs

entry joined (n: i64) : []i64 =
  replicate 1 (#none true) ++ replicate 2 (#some (tabulate 2 (< n)) 5i32) |> map size

type row [k] = #empty | #full ([k]i64)

def filled [k] (r: row [k]) : i64 = match r case #empty -> 0 case #full xs -> length xs

entry chosen (n: i64) : []i64 =
  let none = replicate n (#empty : row [4])
  let some = replicate n (#full (iota 4) : row [4])
  in map3 (\i a b -> if i == 1 then b else a) (iota n) none some |> map filled
