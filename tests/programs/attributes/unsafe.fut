-- ==
-- input { [1, 2] } output { 2 }
entry main (xs: []i32) = #[unsafe] xs[1]
