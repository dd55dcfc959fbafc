-- Loops whose rounds begin with a fold of what the round before has made by a map: the fold goes
-- with the map, in the memory of the array that nobody needs any more.
-- ==
-- entry: normalised
-- input { 5i64 0i32 } output { 10f64 4f64 }
-- input { 5i64 1i32 } output { 2f64 0.8f64 }
-- input { 5i64 3i32 } output { 2f64 0.8f64 }
-- input { 0i64 3i32 } output { 0f64 0f64 }
-- input { 1i64 3i32 } error: not a number
-- input { 1i64 0i32 } output { 0f64 0f64 }

-- ==
-- entry: agree
-- input { 0i64 3i32 } output { true }
-- input { 1i64 0i32 } output { true }
-- input { 77i64 7i32 } output { true }
-- input { 30000i64 1i32 } output { true }
-- input { 30000i64 9i32 } output { true }

-- ==
-- entry: agree_of_rows
-- input { 3i64 5i64 } output { true }
-- input { 100i64 40i64 } output { true }
-- input { 2i64 20000i64 } output { true }

entry normalised (n: i64) (rounds: i32) : (f64, f64) =
  let xs =
    loop xs = map f64.i64 (iota n) for _i < rounds do
      let sum = f64.sum xs
      let _ = assert (n != 1 || sum > 0) "not a number"
      in map (\x -> 2 * x / sum) xs
  in (f64.sum xs, if n == 0 then 0 else xs[n - 1])

-- What the sum of all, or the least, is computed by, and the rounds.
def by_folds [n] (xs: [n]i32) : (i32, i32) = (i32.sum xs, i32.minimum xs)
def one_by_one [n] (xs: [n]i32) : (i32, i32) =
  loop (sum, least) = (0, i32.highest) for x in xs do (sum + x, i32.min least x)

def next [n] (sum: i32) (least: i32) (xs: [n]i32) : [n]i32 =
  map (\x -> (x - least) * 5 + sum) xs

def with_rounds [n] (f: [n]i32 -> (i32, i32)) (rounds: i32) (xs: [n]i32) : [n]i32 =
  loop xs for _i < rounds do
    let (sum, least) = f xs
    in next sum least xs

def with_condition [n] (f: [n]i32 -> (i32, i32)) (rounds: i32) (xs: [n]i32) : [n]i32 =
  let (ys, _) =
    loop (xs, k) = (xs, 0) while k < rounds && (f xs).0 % 7 != 3 do
      (map (\x -> x * 3 + k) xs, k + 1)
  in ys

-- Two arrays, one of which a round folds and the other one it makes of both.
def with_two [n] (f: [n]i32 -> (i32, i32)) (rounds: i32) (xs: [n]i32) : ([n]i32, [n]i32) =
  loop (xs, ys) = (xs, map (+ 3) xs) for i < rounds do
    let (sum, least) = f ys
    let zs = map2 (\x y -> x * sum + y * least + i) xs ys
    in (ys, zs)

def are_equal [n] (xs: [n]i32) (ys: [n]i32) : bool = and (map2 (==) xs ys)

entry agree (n: i64) (rounds: i32) : bool =
  let xs = map (\i -> i32.i64 (i * 7919 % 1001) - 500) (iota n)
  let (a, b) = with_two by_folds rounds xs
  let (c, d) = with_two one_by_one rounds xs
  in are_equal (with_rounds by_folds rounds xs) (with_rounds one_by_one rounds xs) &&
     are_equal (with_rounds by_folds 6 xs) (with_rounds one_by_one 6 xs) &&
     are_equal (with_condition by_folds rounds xs) (with_condition one_by_one rounds xs) &&
     are_equal a c && are_equal b d

entry agree_of_rows (n: i64) (m: i64) : bool =
  let rows = tabulate_2d n m (\i j -> i32.i64 ((i * 31 + j) * 7919 % 1001) - 500)
  let by f = map (\xs -> let (a, b) = with_two f 5 (with_rounds f 4 (with_condition f 3 xs))
                         in map2 (^) a b) rows
  in and (map2 are_equal (by by_folds) (by one_by_one))

-- Each state of a round is kept, too.
-- ==
-- entry: agree_of_states
-- input { 3i64 5i64 4i64 } output { true }
-- input { 2i64 3000i64 6i64 } output { true }
-- input { 100i64 40i64 7i64 } output { true }
entry agree_of_states (n: i64) (m: i64) (rounds: i64) : bool =
  let begin i = tabulate m (\j -> i32.i64 ((i * 31 + j) % 1001))
  let all =
    tabulate n (\i ->
      (loop (xs, kept) = (begin i, replicate rounds (replicate m 0)) for k < rounds do
         let xs = map (\x -> x * 3 + 1) xs
         in (xs, kept with [k] = xs)).1)
  let one x k = loop x for _i < k + 1 do x * 3 + 1
  in and (tabulate n (\i ->
       let first = begin i
       in and (tabulate rounds (\k -> and (tabulate m (\j -> all[i, k, j] == one first[j] k))))))
