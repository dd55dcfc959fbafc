-- Properties are tried with candidates of the size that they ask for, and what refutes them is made
-- smaller as far as they are defined.
-- ==
-- property: has_first
-- property: sized
-- property: refuted

#[prop]
entry has_first [n] (xs: [n]i32) : bool = n == 50 && xs[0] == xs[0]

#[prop(size(7))]
entry sized [n] (xs: [n][]bool) : bool = n == 7 && all (\row -> length row == 7) xs

#[prop(size(9))]
entry refuted [n] (xs: [n]i32) : bool = xs[2] != xs[2] || n < 5

-- ==
-- entry: slow
-- compiled input { 3 } output { 3 }

entry slow (x: i32) = x
