-- ==
-- error: .
def main = let (a, b) = (1, 2, 3) in a + b
