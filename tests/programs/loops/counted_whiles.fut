-- Loops with a condition that count: as many rounds as the condition says, whatever the step, the
-- direction and the type, also where a number wraps around on the way.

-- ==
-- entry: up
-- input { 0i64 0i64 } output { 0i64 1i64 0i64 0i64 }
-- input { 5i64 5i64 } output { 5i64 6i64 0i64 5i64 }
-- input { 5i64 2i64 } output { 14i64 6i64 9i64 5i64 }
-- input { 5i64 7i64 } output { 0i64 7i64 0i64 7i64 }
-- input { -3i64 2i64 } output { 0i64 2i64 0i64 2i64 }
-- input { 2i64 -2i64 } output { 0i64 3i64 -2i64 2i64 }
entry up (n: i64) (begin: i64) : (i64, i64, i64, i64) =
  let (s, i) = loop (s, i) = (0, begin) while i <= n do (s + i, i + 1)
  let (t, j) = loop (t, j) = (0, begin) while j < n do (t + j, j + 1)
  in (s, i, t, j)

-- ==
-- entry: steps
-- input { 10i64 } output { 18i64 12i64 [10i64, 7, 4, 1] -2i64 }
-- input { 0i64 } output { 0i64 0i64 empty([0]i64) 0i64 }
-- input { -4i64 } output { 0i64 0i64 empty([0]i64) -4i64 }
-- input { 1i64 } output { 0i64 3i64 [1i64] -2i64 }
entry steps (n: i64) : (i64, i64, []i64, i64) =
  let (s, i) = loop (s, i) = (0, 0) while i < n do (s + i, i + 3)
  let (t, j) = loop (t, j) = ([], n) while j > 0 do (t ++ [j], j - 3)
  in (s, i, t, j)

-- ==
-- entry: down
-- input { 4i64 } output { [4i64, 3, 2, 1, 0] -1i64 0i64 }
-- input { 0i64 } output { [0i64] -1i64 0i64 }
-- input { -1i64 } output { empty([0]i64) -1i64 -1i64 }
entry down (n: i64) : ([]i64, i64, i64) =
  let (t, j) = loop (t, j) = ([], n) while j >= 0 do (t ++ [j], j - 1)
  let (_, k) = loop (s, k) = (0, n) while 0 < k do (s + k, k - 1)
  in (t, j, k)

-- Narrow numbers: from below nothing, unsigned, up to the last one but one.
-- ==
-- entry: narrow
-- input { 3i32 5u8 } output { -25i32 3i32 [0u8, 1, 2, 3, 4] 127i8 }
-- input { -9i32 0u8 } output { 0i32 -7i32 empty([0]u8) 127i8 }
entry narrow (n: i32) (m: u8) : (i32, i32, []u8, i8) =
  let (s, i) = loop (s, i) = (0i32, -7i32) while i < n do (s + i, i + 1)
  let (t, _) = loop (t, j) = ([], 0u8) while j < m do (t ++ [j], j + 1)
  let (_, k) = loop (s, k) = (0i32, 100i8) while k <= 126 do (s + 1, k + 1)
  in (s, i, t, k)

-- ==
-- entry: wraps
-- input { 28i64 } output { 28i64 -128i8 }
-- input { 300i64 } output { 300i64 -112i8 }
entry wraps (most: i64) : (i64, i8) =
  loop (rounds, i) = (0, 100i8) while rounds < most && i <= 127 do (rounds + 1, i + 1)

-- In lanes, with a bound of each one's own; in place; side by side.
-- ==
-- entry: in_lanes
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 100i64 } output { true }
-- input { 1003i64 } output { true }
entry in_lanes (n: i64) : bool =
  let by_while = tabulate n (\i -> (loop (s, j) = (1i64, i) while j > 0 do (s * 3 + j, j - 1)).0)
  let by_for = tabulate n (\i -> loop s = 1i64 for k < i do s * 3 + (i - k))
  let written = (loop (ys, i) = (replicate n 0i64, 0) while i < n do (ys with [i] = i * i, i + 1)).0
  let even = (loop (ys, i) = (replicate n 7i64, 0) while i < n do (ys with [i] = i, i + 2)).0
  in and (map2 (==) by_while by_for) && and (map2 (==) written (map (\i -> i * i) (iota n)))
     && and (map2 (==) even (map (\i -> if i % 2 == 0 then i else 7) (iota n)))
