-- ==
-- error: atch
def main (x: i32) = match x case 1 -> 2
