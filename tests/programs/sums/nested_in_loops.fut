-- A sum within a constructor that the value may not have: what a loop gains there is not looked at.
-- ==
-- entry: grown
-- input { 0i32 } output { 1i32 0i32 }
-- input { 1i32 } output { 2i32 7i32 }
-- input { 5i32 } output { 3i32 6i32 }
type inner = #absent | #several ([2]i32) | #single (i32)
type outer = #filled (inner) | #void

def grow (n: i32) : outer =
  (loop (i, _: outer) = (0, #void) while i < n do
      (i + 1, #filled (if i > 3 then #several (replicate 2 3) else #single 7))).1

def told (value: outer) : (i32, i32) =
  match value
  case #void -> (1, 0)
  case #filled (#single x) -> (2, x)
  case #filled (#several xs) -> (3, i32.sum xs)
  case #filled #absent -> (4, 0)

-- The sum is handed from compiled to interpreted code.
entry grown (n: i32) =
  let value = grow n
  in #[interpret] told value
