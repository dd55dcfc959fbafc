-- ==
-- error: .
import "no_such_file"
def main = 1
