-- Expectations that are not met, for the tests of the tester.
-- ==
-- tags { several }
-- input { 1 } output { 2 }
-- "wrong" input { 1 } output { 3 }
-- "type" input { 1 } output { 2i64 }
-- "no error" input { 1 } error: index
-- "slow" compiled input { 1 } output { 2 }

entry main (x: i32) : i32 = x + 1
