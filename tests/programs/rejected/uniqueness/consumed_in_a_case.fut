-- ==
-- error: "xs".*consumed
type step = #keep | #change i32
def main (s: step) (xs: *[]i32): []i32 =
  let ys = match s
           case #keep -> [0]
           case #change x -> xs with [0] = x
  in map2 (+) (xs :> [1]i32) (ys :> [1]i32)
