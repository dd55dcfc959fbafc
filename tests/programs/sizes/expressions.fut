-- ==
-- input { [1, 2] [3, 4, 5] } output { [1, 2, 3, 4, 5] [[1, 1, 2, 2]] }
def append [n] [m] (xs: [n]i32) (ys: [m]i32): [n + m]i32 = xs ++ ys
def double [n] (xs: [n]i32): [2 * n]i32 = flatten (map (\x -> [x, x]) xs) :> [2 * n]i32
entry main [n] [m] (xs: [n]i32) (ys: [m]i32) = (append xs ys, [double xs])
