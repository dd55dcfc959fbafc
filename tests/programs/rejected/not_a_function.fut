-- ==
-- error: Cannot apply "x" as function, as it has non-function type: "i32"
def main (x: i32) = x 1
