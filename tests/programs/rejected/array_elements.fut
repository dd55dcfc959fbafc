-- ==
-- error: .
def main = [1, true]
