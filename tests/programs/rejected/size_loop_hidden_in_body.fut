-- ==
-- error: inside the loop body
def hide [m] (s: [m]i32) : ?[k].[k]i32 = filter (> 0) s
def f [n] (v: [n]bool) =
  loop (a, b) = (v, [i32.i64 n]) for _i < 2 do
    let h = hide b
    let z = zip h a
    in (a ++ a, b ++ b)
