-- ==
-- error: "&&" operator may not be redefined
def both (&&) = 1 && 2
