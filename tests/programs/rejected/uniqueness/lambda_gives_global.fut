-- ==
-- error: aliases the free variable "table"
def table: [4]i32 = [1, 2, 3, 4]
def main (x: i32) = let get = \() -> table in (get ())[0] + x
