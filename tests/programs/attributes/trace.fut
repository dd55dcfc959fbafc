-- Tracing shows values on the side; the result is the same.
-- ==
-- input { 3 } output { 7 }
entry main (x: i32) = #[trace] (2 * x) + #[trace(one)] 1
