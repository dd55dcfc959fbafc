-- ==
-- error: may not be polymorphic
def main 'thing (a: thing) (_: thing) = a
