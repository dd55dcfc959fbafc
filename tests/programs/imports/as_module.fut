-- ==
-- input { 3.0 } output { 9.0 10.0 }
module shapes = import "library/shapes"
def area (x: f64) = x + 1
entry main (x: f64) = (shapes.area {side = x}, area (x * 3))
