-- ==
-- error: Unknown size.*in parameter
def f (b: bool) =
  let n = if b then filter (> 0) [1, 2] |> length else 3
  let (k, _) = (n, b)
  in \(_: [k]bool) -> true
