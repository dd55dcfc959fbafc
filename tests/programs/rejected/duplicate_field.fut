-- ==
-- error: .
def main = {a = 1, a = 2}
