-- ==
-- input { 3.0 } output { 6.0 9.0 }
module circle = {
  def tau = 2.0f64
  def perimeter (r: f64) = tau * r
  module squared = { def area (r: f64) = r * r }
}
entry main (r: f64) = (circle.perimeter r, circle.squared.area r)
