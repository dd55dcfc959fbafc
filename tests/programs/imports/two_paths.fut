-- The same file through two paths is one module.
-- ==
-- input { 2.0 } output { 4.0 }
module a = import "library/shapes"
module b = import "../imports/library/shapes"
entry main (x: f64) = let s: a.square = {side = x} in b.area s
