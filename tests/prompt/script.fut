-- A script: prose, declarations and directives.

def xs = [1i32, 2, 3]

-- > i32.sum xs

-- An expression may go on in the next lines.
--
-- > map (\x ->
--     x * 2)
--   xs

entry total (ys: []i32) : i32 = i32.sum ys

-- > total ($loaddata "three.in")

-- > :img xs

-- > xs[3]

-- > (length xs, true)
