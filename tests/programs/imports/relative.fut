-- ==
-- input { 3.0 } output { 9.0 }
import "library/shapes"
entry main (x: f64) = area {side = x}
