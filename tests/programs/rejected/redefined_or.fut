-- ==
-- error: "\|\|" operator may not be redefined
def (||) (a: i32) (b: i32) = a + b
