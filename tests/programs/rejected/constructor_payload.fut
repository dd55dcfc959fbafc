-- ==
-- error: when matching constructor "#a"
type t = #a i32
def main: t = #a true
