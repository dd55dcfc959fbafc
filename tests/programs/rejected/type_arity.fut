-- ==
-- error: .
type pair 'a = (a, a)
def main (x: pair) = x
