-- Imported by other programs of this folder; has no entry points of its own that matter.
module type shape = { type t val area : t -> f64 }
type square = {side: f64}
def area (s: square): f64 = s.side * s.side
local def internal = 1i32
entry not_an_entry_elsewhere (x: i32) = x + internal
