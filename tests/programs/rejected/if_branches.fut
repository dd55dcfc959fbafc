-- ==
-- error: .
def main (b: bool) = if b then 1i32 else true
