-- ==
-- input { true } output { [1, 2] }
-- input { false } output { [3] }
entry main (b: bool) = if b then [1, 2] else [3]
