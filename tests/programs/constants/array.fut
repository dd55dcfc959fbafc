-- A large constant, and one that is made of it.
-- ==
-- entry: element
-- input { 0i64 } output { 1i64 }
-- input { 299999i64 } output { 90000000000i64 }

-- ==
-- entry: elements
-- input { 0i64 } output { empty([0]i64) }
-- input { 4i64 } output { [2i64, 5i64, 10i64, 17i64] }
def squares = map (\i -> (i + 1) * (i + 1)) (iota 300000)
def next = map (+ 1) squares

entry element (i: i64) = squares[i]
entry elements (n: i64) = map (\i -> next[i]) (iota n)
