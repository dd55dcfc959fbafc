-- ==
-- input { [1i64, 2i64] } error: .
entry main (ns: []i64) = map (\n -> let m = n + 0 in iota m :> [m]i64) ns |> map i64.sum
