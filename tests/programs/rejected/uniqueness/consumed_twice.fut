-- ==
-- error: "xs".*consumed
def take_it (xs: *[]f32): f32 = xs[0]
def main (xs: *[]f32): f32 =
  let a = take_it xs
  let b = take_it xs
  in a + b
