-- ==
-- error: "queue".*consumed
def reset (queue: *[]i32): i32 =
  let old = queue
  let queue[0] = 0
  in old[0] + queue[0]
