-- ==
-- error: Type constructor "pair" used without any arguments
type pair 'a = (a, a)
def main (x: pair) = x
