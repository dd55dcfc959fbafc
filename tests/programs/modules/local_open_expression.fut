-- ==
-- input { 2.0 } output { 4.0 3.0 }
module geometry = { def twice (x: f64) = 2 * x def one = 1f64 }
entry main (x: f64) = (geometry.(twice x), geometry.(x + one))
