"""The 200 tables that readers of tables are tested with: well and badly formed, small.

`files()` gives their names, bytes and the options of `:read`, always the same.
"""

# Of each kind a few; what stands in them is made up.
WRITTEN = [
    ("nearly numbers", "g,y\n1,2\n2,x3\n"),
    ("nearly numbers, said", "g,y\n1,2\n2,x3\n", "--na x3"),
    ("nearly numbers as words", "g,y\n1,2\n2,x3\n", "--type y=words"),
    ("nearly numbers as codes", "g,y\n1,2\n2,x3\n", "--type y=codes"),
    ("booleans", "true,false\nfalse,true\n"),
    ("booleans with names", "a,b\ntrue,false\nfalse,true\n"),
    ("booleans in capitals", "a,b\nTRUE,False\nFALSE,True\n"),
    ("nearly booleans", "a\ntrue\nfalse\nmaybe\n"),
    ("missing boolean", "a,b\ntrue,1\n,2\n"),
    ("booleans and numbers", "a\ntrue\n1\n"),
    ("yes and no are words", "a\nyes\nno\nyes\n"),
    ("decimal commas", "1,5;2\n"),
    ("decimal commas everywhere", "1,5;2,5\n3,25;4,125\n"),
    ("decimal commas with names", "x;y\n1,5;2\n-3,25;4\n"),
    ("decimal commas and exponents", "x;y\n1,5e3;2\n-3,25E-2;4\n"),
    ("decimal commas in quotes", 'x,y\n"1,5",2\n"3,75",4\n'),
    ("both decimal signs", "x;y\n1,5;2.5\n3,5;4.5\n"),
    ("thousands or fractions", "x;y\n1,234;2\n5,678;4\n"),
    ("thousands in quotes", 'x,y\n"1,234,567",2\n"5,678",4\n'),
    ("thousands and fractions", "x;y\n1.234,5;2\n6.789,25;4\n"),
    ("fractions, said", "x;y\n1,234;2\n5,678;4\n", "--decimal ,"),
    ("only a header", "alpha,beta,gamma\n"),
    ("only a header, one name", "alpha\n"),
    ("words with names", "name,kind\nAda,cat\nBo,dog\n"),
    ("words that recur", "cat,dog\ndog,cat\ncat,dog\n"),
    ("words that recur, one column", "cat\ndog\ncat\n"),
    ("words that recur, said", "cat\ndog\ncat\n", "--header"),
    ("numbers", "1,2\n3,4\n"),
    ("numbers in one column", "1\n2\n3\n"),
    ("numbers, header said", "1,2\n3,4\n", "--header"),
    ("numbers under names, said to be none", "a,b\n1,2\n", "--no-header"),
    ("years as names", "land,2019,2020\nA,1,2\nB,3,4\n"),
    ("years as names, said", "land,2019,2020\nA,1,2\nB,3,4\n", "--header"),
    ("row of words and numbers", "Ada,1.5,x\nBo,2.5,y\nAda,0.5,x\n"),
    ("a word over numbers, a number over numbers", "x,1\n2,5\n3,6\n"),
    ("integers and fractions", "n,x\n1,0.5\n2,.25\n3,5.\n-4,1e3\n+5,-2.5E-3\n"),
    ("missing numbers", "n,x\n1,0.5\n,1\n3,\n"),
    ("missing, quoted", 'n,x\n1,""\n"",2\n'),
    ("all missing", "n,x\n1,\n2,\n"),
    ("NA", "n,x\n1,NA\n2,5\n"),
    ("NA, said", "n,x\n1,NA\n2,5\n", "--na NA"),
    ("two texts for nothing", "n,x\n-,NA\n2,5\n3,-\n", "--na NA --na -"),
    ("minus nine hundred", "n\n-999\n5\n", "--na -999"),
    ("nan and inf", "x,y\nnan,inf\n1,-inf\nNaN,Infinity\n"),
    ("only nan", "x\nnan\nnan\n"),
    ("null", "x\n1\nnull\n"),
    ("question mark", "x\n1\n?\n"),
    ("large integers", "n\n9223372036854775807\n-9223372036854775808\n"),
    ("larger integers", "n\n18446744073709551615\n0\n"),
    ("larger and negative integers", "n\n18446744073709551615\n-1\n"),
    ("too large integers", "n\n18446744073709551616\n1\n"),
    ("integers that are no floats", "n\n9007199254740993\n0.5\n"),
    ("integers that are no floats, with a gap", "n,m\n9007199254740993,1\n,2\n"),
    ("integers that are no floats, said", "n\n9007199254740993\n0.5\n", "--type n=f64"),
    ("too large floats", "x\n1e400\n1\n"),
    ("too small floats", "x\n1e-400\n1\n"),
    ("smallest floats", "x\n4.9e-324\n2.2250738585072014e-308\n1.7976931348623157e308\n"),
    ("many digits", "x\n0.1234567890123456789012345678901234567890\n3.141592653589793238462643\n"),
    ("hard to round", "x\n9007199254740993.0\n1.00000000000000011102230246251565\n"),
    ("leading zeros", "n,x\n007,00.5\n010,01e1\n"),
    ("hexadecimal", "n\n0x10\n0xff\n"),
    ("underscores", "n\n1_000\n2_000\n3\n"),
    ("percent", "n\n5%\n6\n7\n"),
    ("money", "n\n$5\n$6\n"),
    ("minus of another kind", "n\n\u22125\n6\n"),
    ("a number and its unit", "n\n5 m\n6\n7\n"),
    ("two numbers in a cell", "n,m\n5 6,1\n7,2\n8,3\n"),
    ("letters for digits", "n\n1O\n20\n30\n"),
    ("one number among words", "w\n7\nseven\nacht\n"),
    ("house numbers", "w\n7a\n12\n9b\n10c\n"),
    ("versions", "w\n1.2.3\n1.10.0\n2.0.0\n"),
    ("addresses", "w\n192.168.0.1\n10.0.0.255\n"),
    ("clock", "w\n12:30\n13:45\n"),
    ("dates", "day,n\n2024-02-29,1\n1969-07-20,2\n"),
    ("dates and a word", "day\n2024-02-29\n2024-03-01\nlater\n"),
    ("no such day", "day\n2024-02-29\n2023-02-29\n"),
    ("dates with a gap", "day,n\n2024-02-29,1\n,2\n"),
    ("dates as words", "day,n\n2024-02-29,1\n,2\n", "--type day=words"),
    ("times", "at\n2024-02-29T12:30:15\n1969-12-31T23:59:59.250\n"),
    ("times with blanks", "at\n2024-02-29 12:30\n2024-02-29 12:31\n"),
    ("times with zones", "at\n2024-02-29T12:30:00Z\n2024-02-29T12:30:00+02:00\n"),
    ("some times with zones", "at\n2024-02-29T12:30:00Z\n2024-02-29T12:30:00\n"),
    ("dates and times", "at\n2024-02-29\n2024-02-29T12:30:00\n"),
    ("dates of other orders", "day\n29.02.2024\n01.03.2024\n"),
    ("dates and numbers", "day\n2024-02-29\n5\n"),
    ("semicolons", "1;2;3\n4;5;6\n"),
    ("tabs", "a\tb\n1\t2\n3\t4\n"),
    ("bars", "a|b\n1|2\n3|4\n"),
    ("blanks", "a b\n1 2\n3 4\n"),
    ("many blanks", "  1   2\n 30  40\n"),
    ("phrases", "a phrase\nanother one\na third\n"),
    ("semicolons and words with commas", "k;text\n1;hello, you\n2;one, two, three\n"),
    ("commas in one line only", "text\nhello, you\nbye\n"),
    ("commas in one line only, said", "text\nhello, you\nbye\n", "--delimiter none"),
    ("colons, said", "1:2\n3:4\n", "--delimiter :"),
    ("the wrong delimiter", "1,2\n3,4\n", "--delimiter ;"),
    ("ragged, longer", "1,2\n3,4,5\n"),
    ("ragged, shorter", "1,2,3\n3,4\n"),
    ("ragged under names", "a,b\n1,2\n3\n"),
    ("one cell too many under names", "a,b\n1,2,3\n4,5,6\n"),
    ("delimiters at the ends", "a,b,\n1,2,\n3,4,\n"),
    ("first name missing", ",a,b\n0,1.5,2\n1,2.5,3\n"),
    ("names twice", "a,a,a\n1,2,3\n"),
    ("names in quotes", '"a b","c,d","e ""f"""\n1,2,3\n'),
    ("names of other scripts", "größe,длина\n1,2\n3,4\n"),
    ("keywords as names", "let,in,if\n1,2,3\n"),
    ("words in quotes", 'w,n\n"a, b",1\n"c ""d""",2\n"e\nf",3\n'),
    ("numbers in quotes", 'a,b\n"1","2.5"\n"3","4"\n'),
    ("no end of quotes", 'a,b\n"1,2\n3,4\n'),
    ("something behind quotes", 'a,b\n"1"2,3\n'),
    ("quotes within a word", 'a,b\n5" disk,3\n3" disk,4\n'),
    ("blanks around cells", "a, b\n 1 , 2.5\n3 ,  4\n"),
    ("blanks in quotes", 'w,n\n" a ",1\n"a",2\n'),
    ("blank lines", "\n\na,b\n\n1,2\n\n3,4\n\n"),
    ("lines of Windows", "a,b\r\n1,2\r\n3,4\r\n"),
    ("lines of old Macs", "a,b\r1,2\r3,4\r"),
    ("no end of the last line", "a,b\n1,2\n3,4"),
    ("a mark of UTF-8", "\ufeffa,b\n1,2\n"),
    ("UTF-16", "a,b\n1,2\n".encode("utf-16")),
    ("Latin-1", "name,n\nM\xfcller,1\nMeier,2\n".encode("latin-1")),
    ("nothing", ""),
    ("only blank lines", "\n\n\n"),
    ("lines before, said", "made by hand\nin two, lines\na,b\n1,2\n", "--skip 2"),
    ("lines before", "made by hand\na,b\n1,2\n"),
    ("comments", "# a table\na,b\n1,2\n"),
    ("a sum below", "a,b\n1,2\n3,4\ntotal,6\n"),
    ("types, said", "a,b,c\n1,2,3\n4,5,6\n", "--type a=f32 --type 2=u8 --type c=words"),
    ("a type that does not fit", "a,b\n1,2\n4,500\n", "--type b=u8"),
    ("a type for no column", "a,b\n1,2\n", "--type z=u8"),
    ("a single number", "5\n"),
    ("a zero byte", "w,n\na\0b,1\nc,2\n"),
]

ROOT_OF_CHANCE = 20260101


class Chance:
    """Numbers that are the same for every version of Python."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit

    def of(self, choices):
        return choices[self.below(len(choices))]


def number(chance, decimal):
    whole = chance.of(["0", "7", "-3", "42", "1000", "-65536", "12345678901"])
    if chance.below(2):
        return whole
    text = whole + "." + "".join(str(chance.below(10)) for _ in range(1 + chance.below(12)))
    if chance.below(4) == 0:
        text += chance.of(["e5", "E-7", "e+12"])
    return text.replace(".", decimal)


def column(chance, kind, decimal, rows):
    if kind == "integers":
        return [str(chance.below(2000) - 1000) for _ in range(rows)]
    if kind == "numbers":
        return [number(chance, decimal) for _ in range(rows)]
    if kind == "gaps":
        return ["" if chance.below(3) == 0 else number(chance, decimal) for _ in range(rows)]
    if kind == "booleans":
        return [chance.of(["true", "false"]) for _ in range(rows)]
    if kind == "dates":
        return ["%04d-%02d-%02d" % (1900 + chance.below(200), 1 + chance.below(12),
                                    1 + chance.below(28)) for _ in range(rows)]
    return [chance.of(["red", "green", "blue", "dark blue", "x1", "n/a"]) for _ in range(rows)]


def generated(index):
    """A table of random columns; half of them have a random cell or delimiter broken."""
    chance = Chance(ROOT_OF_CHANCE + index * 7919)
    for _ in range(5):
        chance.below(2)
    delimiter = chance.of([",", ";", "\t", "|"])
    decimal = "," if delimiter == ";" and chance.below(2) else "."
    rows = 2 + chance.below(5)
    kinds = [chance.of(["integers", "numbers", "gaps", "booleans", "dates", "words"])
             for _ in range(2 + chance.below(3))]
    columns = [column(chance, kind, decimal, rows) for kind in kinds]
    lines = [["c%d %s" % (i, kind) for i, kind in enumerate(kinds)]]
    lines += [list(row) for row in zip(*columns)]
    broken = index % 2 == 1
    if broken:
        line, cell = chance.below(len(lines)), chance.below(len(kinds))
        lines[line][cell] = chance.of(["x", "", "1.2.3", '"', "2024-13-01", "12 3", "1e", "-",
                                       "tru", lines[line][cell] + delimiter, "0b1", "\u00b2"])
    text = "".join(delimiter.join(line) + "\n" for line in lines)
    return "%s table %d" % ("broken" if broken else "random", index), text


def files():
    """(name, bytes, options of `:read`) of each."""
    made = [(name, text, rest[0] if rest else "") for name, text, *rest in WRITTEN]
    made += [generated(index) + ("",) for index in range(200 - len(made))]
    return [(name, text if isinstance(text, bytes) else text.encode(), options)
            for name, text, options in made]
