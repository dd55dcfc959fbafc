-- ==
-- input { [1, 2] } output { 1 }
def apply (f: *[]i32 -> i32) (xs: *[]i32): i32 = f xs
def look (xs: []i32): i32 = xs[0]
def main (xs: *[]i32): i32 = apply look xs
