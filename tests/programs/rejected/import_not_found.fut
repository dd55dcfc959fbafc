-- ==
-- error: cannot read `.*no_such_file\.fut`
import "no_such_file"
def main = 1
