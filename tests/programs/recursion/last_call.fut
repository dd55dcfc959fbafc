-- Recursion whose calls come last: a loop, for a compiler.
def gcd (a: i32) (b: i32): i32 = if b == 0 then a else gcd b (a % b)

-- ==
-- entry: gcds
-- input { [12, 7, 0, 100] [18, 21, 5, 75] } output { [6, 7, 5, 25] }
entry gcds = map2 gcd

-- ==
-- entry: count_
-- input { 3i64 0i64 } output { 6i64 }
def count (n: i64) (sum: i64): i64 = if n == 0 then sum else count (n - 1) (sum + n)
entry count_ (n: i64) (sum: i64) = count n sum

-- More calls than a compiled loop does before it asks whether the recursion is too deep.
-- ==
-- tags { deep }
-- entry: count_long
-- input { 150000i64 0i64 } output { 11250075000i64 }
entry count_long (n: i64) (sum: i64) = count n sum

-- An array that is overwritten on the way.
-- ==
-- entry: fill
-- input { 5i64 } output { [0i64, 1i64, 4i64, 9i64, 16i64] }
def fill_from [n] (i: i64) (xs: *[n]i64): *[n]i64 =
  if i == n then xs else fill_from (i + 1) (xs with [i] = i * i)
entry fill (n: i64) = fill_from 0 (replicate n 0)

-- One that grows.
-- ==
-- entry: grow
-- input { 0i64 } output { empty([0]i64) }
-- input { 4i64 } output { [3i64, 2i64, 1i64, 0i64] }
def grow_to (n: i64) (xs: []i64): []i64 =
  if length xs == n then xs else grow_to n ([length xs] ++ xs)
entry grow (n: i64) = grow_to n []

-- Several ways on, several ends, bindings in between.
-- ==
-- entry: steps
-- input { [1i64, 7i64, 27i64, -4i64] } output { [0i64, 16i64, 111i64, -1i64] }
def collatz (steps: i64) (n: i64): i64 =
  if n < 1 then -1
  else if n == 1 then steps
  else let next = steps + 1
       in if n % 2 == 0 then collatz next (n / 2) else collatz next (3 * n + 1)
entry steps = map (collatz 0)

-- A sum as the state, and as the result.
-- ==
-- entry: digits
-- input { [7i32, 60i32, 345i32, -1i32] } output { [1i32, 2i32, 3i32, 0i32] }
type result = #digits i32 | #negative
def count_digits (found: i32) (state: #more i32 | #last): result =
  match state
  case #last -> #digits found
  case #more n -> if n < 0 then #negative
                  else count_digits (found + 1) (if n < 10 then #last else #more (n / 10))
entry digits (ns: []i32) =
  map (\n -> match count_digits 0 (#more n) case #digits d -> d case #negative -> 0) ns

-- A function is handed on.
-- ==
-- entry: iterated
-- input { 5i64 } output { [32i64, 64i64] }
def times (f: i64 -> i64) (n: i64) (x: i64): i64 = if n <= 0 then x else times f (n - 1) (f x)
entry iterated (n: i64) = [times (\x -> x * 2) n 1, times (\x -> x * 2) n 2]

-- Calls inside of a lambda are not the last ones.
-- ==
-- entry: through
-- input { 3i64 } output { 3i64 }
def down (n: i64): i64 =
  if n <= 0 then 1 else if n == 1 then down 0 else 1 + i64.sum (map (\i -> down (n - 2 - i)) (iota 2))
entry through = down

-- Errors are found at the same call.
-- ==
-- entry: bounds
-- input { [1i64, 2i64, 0i64] 0i64 } output { 2i64 }
-- input { [1i64, 5i64] 1i64 } error: Index \[5\] out of bounds
def follow [n] (xs: [n]i64) (i: i64) (left: i64): i64 =
  if left == 0 then i else follow xs xs[i] (left - 1)
entry bounds (xs: []i64) (i: i64) = follow xs i 2
