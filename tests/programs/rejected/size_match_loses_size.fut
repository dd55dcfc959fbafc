-- ==
-- error: do not match
def f [n] (k: i32) (xs: [n]i32) : [n]i32 = match k case 0 -> xs case _ -> [k]
