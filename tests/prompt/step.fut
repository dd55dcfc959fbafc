-- For stepping through, line by line.
def total (xs: []i64): i64 =
  let longest = length xs
  let doubled = map (* 2) xs
  let sum =
    loop s = 0 for i < longest do
      s + doubled[i]
  in if sum > 10
     then sum - 10
     else sum

def main (n: i64) =
  let xs = iota n
  let result = #[break] (total xs)
  in (result, n)

def mean [n] (xs: [n]f64) =
  let total = f64.sum xs
  in total / f64.i64 n

def center [n] (xs: [n]f64) =
  let shifted = map (+ 1) xs
  let middle = #[break] (mean shifted)
  in middle + f64.i64 n

def last (x: i64) = #[break] (x + 1)

def count (n: i64) =
  let xs = iota n
  let both = zip xs xs
  in last (length (filter (\(x, _) -> x > 0) both))
