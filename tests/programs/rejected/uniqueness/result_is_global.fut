-- ==
-- error: aliases the free variable "table"
def table: [4]i32 = [1, 2, 3, 4]
def main (_: i32) = table
