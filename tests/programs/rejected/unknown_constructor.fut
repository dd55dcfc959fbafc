-- ==
-- error: Unshared constructors: #c
type t = #a | #b
def main (x: t): i32 = match x case #a -> 1 case #b -> 2 case #c -> 3
