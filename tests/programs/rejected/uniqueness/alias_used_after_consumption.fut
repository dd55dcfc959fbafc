-- ==
-- error: "grid".*consumed
def main (grid: *[][]i32): i32 =
  let first_row = grid[0]
  let grid' = grid with [1, 1] = 7
  in first_row[0] + grid'[0, 0]
