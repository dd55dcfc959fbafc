def main 't (x: t) : t = x
