-- The cheapest ways down, with the whole row moved by one.
module core = import "../core/pathfinder"

entry input = core.input
entry kernel [rows] [n] (costs: [rows][n]i32) : [n]i32 =
  let step (d: [n]i32) (row: [n]i32) =
    let left = [d[0]] ++ init d :> [n]i32
    let right = tail d ++ [d[n - 1]] :> [n]i32
    in map4 (\cost l c r -> cost + i32.min (i32.min l c) r) row left d right
  in loop d = copy (head costs) for row in tail costs do step d row
entry checksum = core.checksum
