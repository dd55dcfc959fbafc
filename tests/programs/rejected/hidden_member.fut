-- ==
-- error: Unknown name "m\.secret"
module m = { local def secret = 1i32 def f = secret }
def main = m.secret
