-- ==
-- error: may not be higher-order
entry applied (change: {f: i32 -> i32}) (x: i32) = change.f x
