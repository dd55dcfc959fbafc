#!/usr/bin/env python3
"""Writes the digits that scikit-learn ships as an array that Sinter reads: digits.py FILE.npy.gz

A row of bytes for each: 64 pixels of 0 to 16, and which digit it is.  notebooks/data/digits.npy.gz
was made by this.
"""
import gzip
import sys

import numpy as np
from sklearn.datasets import load_digits


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: digits.py FILE.npy.gz")
    digits = load_digits()
    rows = np.column_stack([digits.data, digits.target]).astype(np.uint8)
    assert rows.shape == (1797, 65) and (rows[:, :64] == digits.data).all()
    with gzip.GzipFile(sys.argv[1], "wb", mtime=0) as file:
        np.save(file, rows)


if __name__ == "__main__":
    main()
