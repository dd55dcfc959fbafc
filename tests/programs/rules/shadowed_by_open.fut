-- ==
-- input { 3i32 }
-- output { 4i32 }

module m = {def next (x: i32) = x + 1}
def next (x: i32) = x - 1
open m
def main (x: i32) = next x
