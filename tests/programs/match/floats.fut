-- ==
-- input { 0.5 } output { 2 }
entry main (x: f64): i32 = match x case 1.5 -> 1 case 0.5 -> 2 case _ -> 3
