-- ==
-- error: may not be higher-order
entry adder (x: i32) = {by = \(y: i32) -> x + y}
