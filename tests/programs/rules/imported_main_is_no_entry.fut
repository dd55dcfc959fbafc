-- ==
-- input { 3i32 }
-- output { 3i32 }

module lib = import "lib/polymorphic_main"
entry identity (x: i32) : i32 = lib.main x
def main (x: i32) : i32 = identity x
