-- ==
-- input { [1i64, 2i64] } error: Value of shape "\[2\]" cannot match shape of type "\[k\]i64"
entry main (ns: []i64) = let k = head ns in map (\n -> iota n :> [k]i64) ns |> map i64.sum
