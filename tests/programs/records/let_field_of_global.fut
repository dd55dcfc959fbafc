-- ==
-- input { 5 } output { 5 3 7 }
def settings = {speed = 1i32, depth = 3i32}
def depth = 7i32
def main (x: i32): (i32, i32, i32) =
  let settings.speed = x
  in (settings.speed, settings.depth, depth)
