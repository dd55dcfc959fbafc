-- ==
-- error: Occurs check: cannot instantiate a with a -> b
def main = \f -> f f
