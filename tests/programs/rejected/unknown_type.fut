-- ==
-- error: nknown type
def main (x: int32) = x
