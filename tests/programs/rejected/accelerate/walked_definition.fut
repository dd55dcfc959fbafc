-- ==
-- error: this would be interpreted, element by element: a loop's arrays change their sizes
def grown (k: i64): []i64 = loop xs = [] for i < k do xs ++ [i]
#[accelerate]
def sums [n] (ns: [n]i64): [n]i64 = map (\k -> i64.sum (grown k)) ns
entry main [n] (ns: [n]i64): [n]i64 = sums ns
