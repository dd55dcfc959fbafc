-- ==
-- error: Consuming.*"seen"
def main (seen: *[]bool): []bool =
  loop out = replicate 3 false for i < 3 do
    let seen[i] = true
    in out with [i] = seen[i]
