-- ==
-- input { } output { [1, 2, 0] }
def digit (c: u8): i32 = match c case '1' -> 1 case '2' -> 2 case _ -> 0
entry main = map digit "12x"
