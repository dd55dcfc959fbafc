-- ==
-- error: [Cc]ausality
def f (xs: []i32) =
  let ys = [[], filter (> 0) xs]
  in ys
