-- ==
-- error: tuples have 2 and 3 elements respectively
def main = let (a, b) = (1, 2, 3) in a + b
