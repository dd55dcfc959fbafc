-- Rounds over whole arrays whose number chooses what is done, against a loop for each element.

def mixed (k: i64) (a: u32) (b: u32) (w: u32) : u32 =
  if k < 3 then (a & b) + w
  else if k < 7 then (a ^ b) * 3 + w
  else if k % 2 == 0 then (a | b) - w
  else a

def weights : [4]u32 = [7, 11, 13, 17]

-- ==
-- entry: chosen chosen_by_data from_neighbours of_rows of_parts
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 100i64 } output { true }
-- input { 5000i64 } output { true }
entry chosen (n: i64) : bool =
  let start = map u32.i64 (iota n)
  let words = tabulate_2d 12 n (\k i -> u32.i64 (k * 31 + i * 7))
  let (a, b) =
    loop (a, b) = (start, map (* 5) start) for k < 12i64 do
      let f =
        if k < 3 then map2 (&) a b
        else if k < 7 then map2 (\x y -> (x ^ y) * 3) a b
        else if k % 2 == 0 then map2 (|) a b
        else a
      let next =
        if k < 7 then map2 (+) f words[k]
        else if k % 2 == 0 then map2 (-) f words[k]
        else f
      in (b, map (+ weights[k % 4]) next)
  let element (i: i64) =
    loop (x, y) = (u32.i64 i, u32.i64 i * 5) for k < 12i64 do
      (y, mixed k x y (u32.i64 (k * 31 + i * 7)) + weights[k % 4])
  let (c, d) = unzip (map element (iota n))
  in and (map2 (==) a c) && and (map2 (==) b d)

-- | What a number of the data chooses is chosen when it runs.
entry chosen_by_data (n: i64) : bool =
  let bs = loop as = iota n for k < 9i64 do if (n + k) % 3 == 0 then map (+ k) as else if k == 4 then map (* 2) as else as
  let element (i: i64) = loop x = i for k < 9i64 do if (n + k) % 3 == 0 then x + k else if k == 4 then x * 2 else x
  in and (map2 (==) bs (map element (iota n)))

-- | Elements of other places.
entry from_neighbours (n: i64) : bool =
  let bs =
    loop as = iota n for k < 6i64 do
      if k % 2 == 0 then map (\i -> as[n - 1 - i] + k) (iota n) else map (* 3) as
  let element (i: i64) =
    loop x = i for k < 6i64 do if k % 2 == 0 then x + k else x * 3
  in and (map2 (==) bs (map element (if 6 / 2 % 2 == 0 then iota n else reverse (iota n))))

entry of_rows (n: i64) : bool =
  let rows =
    loop ass = tabulate_2d n 3 (\i j -> i + j) for k < 5i64 do
      if k < 2 then map (map (+ 1)) ass else map (map (* 2)) ass
  in and (map2 (\i row -> and (map2 (\j x -> x == (i + j + 2) * 8) (iota 3) row)) (iota n) rows)

entry of_parts (n: i64) : bool =
  let p = tabulate_2d (n + 2) 12 (\i j -> i * i % 37 + 5 * j)
  let weights = [[1, 2, 3], [4, 5, 6], [7, 8, 9i64]]
  let add (sum: [n][10]i64) (k: i64) : [n][10]i64 =
    map2 (map2 (\s x -> s * 2 + weights[k / 3, k % 3] * x)) sum (p[k / 3:k / 3 + n, k % 3:k % 3 + 10] :> [n][10]i64)
  let element i j = loop s = 1 for k < 9i64 do s * 2 + weights[k / 3, k % 3] * p[i + k / 3, j + k % 3]
  in and (map2 (\xs ys -> and (map2 (==) xs ys)) (foldl add (replicate n (replicate 10 1)) (iota 9))
                                                  (tabulate_2d n 10 element))
