-- ==
-- error: .
def main = \f -> f f
