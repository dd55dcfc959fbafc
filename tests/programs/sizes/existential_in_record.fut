-- ==
-- input { [1, 2, 3, 4] } output { [2, 4] 2i64 }
type~ evens = ?[k].{values: [k]i32}
def evens (xs: []i32): evens = {values = filter (\x -> x % 2 == 0) xs}
entry main (xs: []i32) = let e = evens xs in (e.values, length e.values)
