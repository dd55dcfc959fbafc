"""A Pygments lexer for what Sinter reads: programs, directives (`-- > e`) and commands (`:read`).

`sinter kernel install` puts it where Python looks, with what makes Pygments find it by the name
`sinter`: `pygmentize -l sinter FILE`.
"""

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

__all__ = ["SinterLexer"]

KEYWORDS = ("assert", "case", "def", "do", "else", "entry", "for", "if", "import", "in", "include",
            "let", "local", "loop", "match", "module", "open", "then", "type", "val", "while",
            "with")
TYPES = ("bool", "f16", "f32", "f64", "i16", "i32", "i64", "i8", "u16", "u32", "u64", "u8")
NAME = r"[A-Za-z_][A-Za-z0-9_']*"
SUFFIX = r"(?:[iu](?:8|16|32|64)|f(?:16|32|64))?"


class SinterLexer(RegexLexer):
    name = "Sinter"
    aliases = ["sinter", "sinter-futhark"]
    filenames = ["*.fut"]

    tokens = {
        "root": [
            (r"^(:[a-z]+)(.*)$", bygroups(Keyword.Pseudo, String.Other)),
            (r"^(-- >)(\s*)(:[a-z0-9]+)?", bygroups(Comment.Special, Whitespace, Keyword.Pseudo)),
            (r"--\s*\|.*$", String.Doc),
            (r"--.*$", Comment.Single),
            (r"\s+", Whitespace),
            (r"#\[[^\]]*\]", Name.Decorator),
            (r"#" + NAME, Name.Tag),
            (r'"(?:\\.|[^"\\\n])*"', String.Double),
            (r"'(?:\\(?:[0-9]+|x[0-9a-fA-F]+|.)|[^'\\\n])'", String.Char),
            (r"'[~^]?" + NAME, Name.Variable),
            (r"0[xX][0-9a-fA-F_]+(?:\.[0-9a-fA-F_]+)?(?:[pP][+-]?[0-9_]+)?" + SUFFIX, Number.Hex),
            (r"0[bB][01_]+" + SUFFIX, Number.Bin),
            (r"[0-9][0-9_]*(?:\.[0-9][0-9_]*(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)" + SUFFIX,
             Number.Float),
            (r"[0-9][0-9_]*" + SUFFIX, Number.Integer),
            (words(("true", "false"), prefix=r"\b", suffix=r"\b(?!')"), Keyword.Constant),
            (words(TYPES, prefix=r"\b", suffix=r"\b(?![.'])"), Keyword.Type),
            (words(("def", "entry"), prefix=r"\b", suffix=r"\b(?!')"), Keyword, "defined"),
            (words(KEYWORDS, prefix=r"\b", suffix=r"\b(?!')"), Keyword),
            (r"(" + NAME + r")(\.)(?=[A-Za-z_(])", bygroups(Name.Namespace, Punctuation)),
            (NAME, Name),
            (r"\?\?\?|[-+*/%!=<>&|^:~.?@\\`]+", Operator),
            (r"[()\[\]{},;]", Punctuation),
        ],
        "defined": [
            (r"\s+", Whitespace),
            (NAME, Name.Function, "#pop"),
            (r"", Name, "#pop"),
        ],
    }
