-- ==
-- error: Unexpected "def"
def area w h =
  let whole = w * h

def other = 1
