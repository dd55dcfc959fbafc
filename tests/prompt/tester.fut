-- All that a block may hold.
-- ==
-- entry: add
-- "named" input { 1 2 } output { 3 }
-- input { 1 -1 }
-- output { 0 }

entry add (x: i32) (y: i32) : i32 = x + y

-- ==
-- entry: total
-- random input { [100]i32 } auto output
-- script input { repeat 3 5 } output { 15 }
-- script input { $loaddata "three.in" } output { 111 }
-- input @ three.in output { 111 }

entry total (xs: []i32) : i32 = i32.sum xs

entry repeat (n: i64) (x: i32) : []i32 = replicate n x

-- ==
-- entry: at
-- input { [1, 2] 5i64 } error: out of bounds
-- script input { (repeat 2 7, 1i64) } output { 7 }

entry at (xs: []i32) (i: i64) : i32 = xs[i]

-- ==
-- property: reversible
-- structure { Screma 1 }

def all2 [n] 'a (f: a -> a -> bool) (xs: [n]a) (ys: [n]a) : bool = and (map2 f xs ys)

#[prop(size(10))]
entry reversible (xs: []i32) : bool = all2 (==) xs (reverse (reverse xs))
