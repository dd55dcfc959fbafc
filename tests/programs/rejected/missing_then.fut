-- ==
-- error: .
def main (x: bool) = if x else 2
