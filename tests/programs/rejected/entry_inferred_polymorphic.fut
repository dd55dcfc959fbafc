-- ==
-- error: may not be polymorphic
entry second _ b = b
