-- Pieces of many forms: scalar code for each position, filtered ones, rows, pieces of pieces.
-- ==
-- entry: mapped
-- input { [2i64, 0i64, 3i64] [10i64, 20i64, 30i64] }
-- output { [2i64, 0i64, 3i64] [true, false, true, false, false] [0i64, 2i64, 2i64]
--          [10i64, 11i64, 30i64, 31i64, 32i64] [20i64, 40i64, 60i64] }
-- input { empty([0]i64) empty([0]i64) }
-- output { empty([0]i64) empty([0]bool) empty([0]i64) empty([0]i64) empty([0]i64) }
-- input { [0i64, 0i64] [1i64, 2i64] }
-- output { [0i64, 0i64] empty([0]bool) [0i64, 0i64] empty([0]i64) [2i64, 4i64] }
entry mapped [n] (ks: [n]i64) (xs: [n]i64) =
  flatmap (\(k, x) -> (map (\i -> x + i) (iota k), 2 * x)) (zip ks xs)

-- ==
-- entry: chosen
-- input { [3i64, 1i64, 6i64] } output { [1i64, 1i64, 3i64, 5i64] [1i64, 0i64, 3i64] }
entry chosen (ns: []i64) =
  let (sizes, _, _, data) = flatmap' (\n -> filter (\i -> i % 2 == 1) (iota n)) ns
  in (data, sizes)

-- ==
-- entry: some
-- input { [3i64, -1i64, 6i64] } output { [3i64, 6i64] [true, true] }
entry some (ns: []i64) =
  let (_, firsts, _, data) = flatmap' (\n -> if n > 0 then [n] else []) ns
  in (data, firsts)

-- ==
-- entry: rows
-- input { [2i64, 1i64] [[1, 2, 3], [4, 5, 6]] }
-- output { [[1, 2, 3], [1, 2, 3], [4, 5, 6]] }
entry rows [n][m] (ks: [n]i64) (xss: [n][m]i32) =
  let (_, _, _, data) = flatmap' (\(k, xs) -> replicate k xs) (zip ks xss) in data

-- ==
-- entry: pairs
-- input { [1i64, 3i64] } output { [0i64, 0i64, 1i64, 2i64] [1i64, 3i64, 3i64, 3i64] }
entry pairs (ns: []i64) =
  let (_, _, _, data) = flatmap' (\n -> map (\i -> (i, n)) (iota n)) ns in unzip data

-- ==
-- entry: inside
-- input { [[1i64, 2i64], [3i64, 0i64]] } output { [3i64, 6i64] }
entry inside [n][m] (kss: [n][m]i64) =
  map (\ks -> let (_, _, _, data) = flatmap' (\k -> replicate k k) ks
              in i64.sum data - length ks + 0 * reduce (+) 0 data) kss
  |> map2 (+) (map (\ks -> if ks[0] == 1 then 0 else -1) kss)

-- ==
-- entry: cut
-- input { [4i64, 5i64, 6i64] } output { [4i64, 4i64, 5i64, 4i64, 5i64, 6i64] }
entry cut [n] (xs: [n]i64) =
  let (_, _, _, data) = flatmap' (\k -> xs[:k]) (map (1+) (iota n)) in data

-- An error of one piece.
-- ==
-- entry: fails
-- input { [1i64, 0i64] } error: division by zero
-- input { [1i64, 2i64] } output { [1i64, 0i64, 1i64] }
entry fails (ns: []i64) =
  let (_, _, _, data) = flatmap' (\n -> map (\i -> (i + 1) / n) (iota (i64.max n 1))) ns in data
