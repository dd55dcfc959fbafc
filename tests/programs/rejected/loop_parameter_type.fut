-- ==
-- error: .
def main = loop x = 1i32 for i < 3i32 do x == 2
