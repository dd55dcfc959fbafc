-- ==
-- input { }
-- output { -128i8 255u8 -1i16 65519f32 }

def main = (0x80i8, 0xffu8, 0xffffi16, f32.f16 65504 + 15)
