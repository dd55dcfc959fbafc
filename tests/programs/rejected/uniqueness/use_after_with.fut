-- ==
-- error: "stock".*consumed
def sell (stock: *[]i32): (i32, []i32) =
  let rest = stock with [0] = 0
  in (stock[0], rest)
