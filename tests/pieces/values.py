"""Random inputs as files: .npy arrays, and scalars as text."""

import random
import struct

FORMATS = {"f32": ("<f4", "f"), "i64": ("<i8", "q")}


def write_npy(path, element, shape, numbers):
    description, letter = FORMATS[element]
    extents = "".join(f"{extent}, " for extent in shape)
    text = f"{{'descr': '{description}', 'fortran_order': False, 'shape': ({extents}), }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode())
        file.write(struct.pack(f"<{len(numbers)}{letter}", *numbers))


def numbers(chance: random.Random, element, count):
    if element == "i64":
        return [chance.randrange(1, 1000) for _ in range(count)]
    return [chance.uniform(-1, 1) * 2 ** chance.randrange(-3, 4) for _ in range(count)]


def random_array(chance, path, element, shape):
    count = 1
    for extent in shape:
        count *= extent
    write_npy(path, element, shape, numbers(chance, element, count))
    return path
