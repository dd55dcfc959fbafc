-- ==
-- error: Loop body
def f [n] (xs: [n]i32) = loop (ys: [n]i32) = xs for i < 3 do ys ++ ys
