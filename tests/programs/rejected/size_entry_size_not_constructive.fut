-- ==
-- error: constructive
entry f [n] (xs: [n * 2]i32) = length xs
