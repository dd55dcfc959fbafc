-- ==
-- error: Loop body does not have expected type: expected "i32", found "bool"
def main = loop x = 1i32 for i < 3i32 do x == 2
