-- ==
-- error: atch
type t = #a | #b i32
def main (x: t): i32 = match x case #a -> 1
