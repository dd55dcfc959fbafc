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
