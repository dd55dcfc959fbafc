-- ==
-- error: also bound
def pair 'a [n] 'a (x: [n]a) = x
