-- Marks change nothing of what a program means.
-- ==
-- entry: plain on_cpu anywhere preferred definition through_lambda
-- input { [1i64, 2i64, 3i64] } output { [2i64, 4i64, 6i64] }

entry plain [n] (xs: [n]i64) : [n]i64 = #[accelerate] (map (* 2) xs)
entry on_cpu [n] (xs: [n]i64) : [n]i64 = #[accelerate(cpu)] (map (* 2) xs)
entry anywhere [n] (xs: [n]i64) : [n]i64 = #[accelerate(any)] (map (* 2) xs)
entry preferred [n] (xs: [n]i64) : [n]i64 = #[accelerate(gpu, prefer)] (map (* 2) xs)

#[accelerate]
entry definition [n] (xs: [n]i64) : [n]i64 = map (* 2) xs

#[accelerate(cpu, prefer)]
def doubled [n] : [n]i64 -> [n]i64 = \xs -> map (* 2) xs
entry through_lambda [n] (xs: [n]i64) : [n]i64 = doubled xs

-- What cannot be compiled, or not all of it, is interpreted where that is allowed.
-- ==
-- entry: walked
-- input { [1i64, 2i64, 3i64] } output { [0i64, 1i64, 3i64] }
entry walked [n] (ns: [n]i64) : [n]i64 =
  #[accelerate(prefer)] (map (\k -> i64.sum (loop xs = [] for i < k do xs ++ [i])) ns)

-- ==
-- entry: untraceable
-- input { [1i64, 3i64, 5i64] } output { [1i64, 6i64, 120i64] }
def factorial (n: i64) : i64 = if n <= 1 then 1 else n * factorial (n - 1)
entry untraceable [n] (ns: [n]i64) : [n]i64 = #[accelerate(prefer)] (map factorial ns)

-- A failure of the program is the program's own.
-- ==
-- entry: failing
-- input { [1i64, 0i64] } error: division by zero
entry failing [n] (xs: [n]i64) : [n]i64 = #[accelerate] (map (10 /) xs)

-- The outer mark counts.
-- ==
-- entry: nested
-- input { [1i64, 2i64] } output { 6i64 }
def sum_of_doubled [n] (xs: [n]i64) : i64 = #[accelerate(cpu)] (i64.sum (map (* 2) xs))
entry nested [n] (xs: [n]i64) : i64 = #[accelerate(cpu)] (sum_of_doubled xs)

-- A constant that cannot be traced is computed first, by whoever can.
-- ==
-- entry: with_constant
-- input { [1i64, 2i64] } output { [25i64, 26i64] }
def table : [3]i64 = map factorial [2, 3, 4]
entry with_constant [n] (xs: [n]i64) : [n]i64 = #[accelerate] (map (+ table[2]) xs)
