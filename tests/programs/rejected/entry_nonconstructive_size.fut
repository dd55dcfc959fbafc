-- ==
-- error: \[k\].*non-constructively
entry shortened [k] (_: [2 * k]f64) : i64 = k
