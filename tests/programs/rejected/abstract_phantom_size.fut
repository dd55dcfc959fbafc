-- ==
-- error: cannot be made abstract
module vectors
  : {
      type vector [n]
    } = {
  type vector [n] = {of: [n + 1]f32}
}
