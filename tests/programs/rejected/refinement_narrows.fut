-- ==
-- error: Cannot refine a type
module type container = {type box '~t}
module type narrow = container with box 't = (t, t)
