-- Putting functions together.
-- ==
-- entry: pipes
-- input { 5i32 } output { 11i32 11i32 12i32 11i32 }

-- ==
-- entry: arguments
-- input { 1i32 10i32 } output { 9i32 11i32 11i32 1i32 10i32 }

-- ==
-- entry: iterations
-- input { 1i32 } output { 8i32 1i32 128i32 64i32 101i32 }

entry pipes (x: i32) : (i32, i32, i32, i32) =
  let double = (* 2)
  let next = (+ 1)
  in (x |> double |> next, next <| double x, (next >-> double) x, (next <-< double) x)

entry arguments (x: i32) (y: i32) : (i32, i32, i32, i32, i32) =
  (flip (-) x y, curry (\(a, b) -> a + b) x y, uncurry (+) (x, y), const x y, id y)

entry iterations (x: i32) : (i32, i32, i32, i32, i32) =
  ( iterate 3 (* 2) x
  , iterate 0 (* 2) x
  , iterate_until (> 100) (* 2) x
  , iterate_while (< 50) (* 2) x
  , iterate_until (> 100) (* 2) (x + 100)
  )
