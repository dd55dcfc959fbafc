-- ==
-- error: non-lifted
module m : {type t} = {type^ t = () -> i32}
