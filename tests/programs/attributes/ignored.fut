-- Unknown attributes change nothing.
-- ==
-- input { [1, 2] } output { [2, 3] }
#[noinline]
def f (x: i32) = x + 1
entry main (xs: []i32) = #[sequential] #[unroll(4)] #[foo("bar")] map f xs
