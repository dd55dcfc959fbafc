-- ==
-- input { 2 } output { 15 }
module constants = { def five = 5i32 local def secret = 3i32 def eight = five + secret }
open constants
entry main (x: i32) = five + eight + x
