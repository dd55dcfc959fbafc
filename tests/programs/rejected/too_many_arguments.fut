-- ==
-- error: Cannot apply "f" to "2": function accepts only 1 argument
def f (x: i32): i32 = x
def main = f 1 2
