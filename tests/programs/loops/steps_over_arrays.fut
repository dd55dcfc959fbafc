-- Steps over whole arrays, by each element's own place: the same as loops of elements.

-- ==
-- entry: escape
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 17i64 } output { true }
-- input { 40i64 } output { true }
entry escape (n: i64) : bool =
  let c = tabulate_2d n n (\i j -> f32.i64 (i * 7 + j) / 50 - 1)
  let zeros = replicate n (replicate n 0f32)
  let (_, counts) =
    loop (z, counts) = (zeros, replicate n (replicate n 0i32)) for _k < 60i32 do
      let mask = map (map (\a -> a * a <= 4)) z
      let next = map2 (map2 (\a c -> a * a + c)) z c
      in ( map3 (map3 (\m a b -> if m then a else b)) mask next z
         , map2 (map2 (\k m -> k + i32.bool m)) counts mask )
  let wanted = map (map (\c -> (loop (z, k) = (0f32, 0i32) while k < 60 && z * z <= 4 do (z * z + c, k + 1)).1)) c
  in and (map2 (\a b -> and (map2 (==) a b)) counts wanted)

-- The round's number, rows of each round (few, and many), several states.
-- ==
-- entry: rounds
-- input { 5i64 0i64 } output { true }
-- input { 0i64 5i64 } output { true }
-- input { 33i64 7i64 } output { true }
-- input { 100i64 40i64 } output { true }
entry rounds (n: i64) (m: i64) : bool =
  let rows = tabulate_2d 9 n (\k i -> k * 100 + i)
  let many = tabulate_2d m n (\k i -> k * 10 - i)
  let a = loop xs = iota n for k < 9 do map2 (\x r -> x * 3 + r - k) xs rows[k]
  let b = loop xs = iota n for k < m do map2 (\x r -> x * 3 + r) xs many[k]
  let (c, d) = loop (xs, ys) = (iota n, replicate n 1) for k < m do
                 (map2 (\x y -> x + y * k) xs ys, map2 (\x y -> x - y) xs ys)
  let of_element i =
    let a = loop x = i for k < 9 do x * 3 + rows[k, i] - k
    let b = loop x = i for k < m do x * 3 + many[k, i]
    let (c, d) = loop (x, y) = (i, 1) for k < m do (x + y * k, x - y)
    in (a, b, c, d)
  in and (map2 (==) (zip4 a b c d) (map of_element (iota n)))

-- A round that fails although there is nothing to map over.
-- ==
-- entry: fails
-- input { 0i64 3i64 } error: out of bounds
-- input { 4i64 2i64 } output { [3i64, 4, 5, 6] }
entry fails (n: i64) (m: i64) : []i64 =
  let steps = [1, 2]
  in loop xs = iota n for k < m do let s = steps[k] in map (+ s) xs
