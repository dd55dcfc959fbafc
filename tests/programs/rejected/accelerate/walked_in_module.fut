-- ==
-- error: this would be interpreted, element by element: a loop's arrays change their sizes
module growing (t: {val first: i64}) = {
  def sums [n] (ns: [n]i64): [n]i64 =
    #[accelerate] (map (\k -> i64.sum (loop xs = [t.first] for i < k do xs ++ [i])) ns)
}
module from_one = growing {def first = 1i64}
entry main [n] (ns: [n]i64): [n]i64 = from_one.sums ns
