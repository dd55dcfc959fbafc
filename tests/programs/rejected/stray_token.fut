-- ==
-- error: Unexpected token: 'then'
def choice = if true && then 1 else 2
