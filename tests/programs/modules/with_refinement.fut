-- ==
-- input { [3, 1, 2] } output { 1 }
module type ordered = { type t val less : t -> t -> bool }
module least (o: ordered) : { val least [n] : (xs: [n]o.t) -> o.t } = {
  def least [n] (xs: [n]o.t): o.t =
    loop m = xs[0] for x in xs do if o.less x m then x else m
}
module i32_ordered : ordered with t = i32 = { type t = i32 def less (a: i32) b = a < b }
module i32_least = least i32_ordered
entry main (xs: []i32) = i32_least.least xs
