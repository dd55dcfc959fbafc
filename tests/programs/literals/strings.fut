-- Strings are UTF-8 bytes.
-- ==
-- entry: plain
-- input { } output { [104u8, 105u8] 2i64 }
entry plain = ("hi", length "hi")
-- ==
-- entry: escapes
-- input { } output { [10u8, 34u8, 92u8, 9u8] }
entry escapes = "\n\"\\\t"
-- ==
-- entry: accents
-- input { } output { 3i64 [195u8, 169u8, 33u8] }
entry accents = (length "é!", "é!")
-- ==
-- entry: empty
-- input { } output { empty([0]u8) }
entry empty = ""
