"""What a stranger may write where a name or a sentence is expected."""

PIECES = [
    "\x1b[31m",  # colours, and whatever else a terminal can be told
    "\x1b]0;title\x07",
    "\x9b2J",
    "\u202e",  # turns the direction of writing
    "\u2066",
    "\u200b",  # has no width
    "\u2028",
    "\x7f",
    "\r",
    "\t",
    "\n# forged",
    "=cmd|' /C calc'!A0",
    "@SUM(1)",
    "<script>alert(1)</script>",
    "|",
    "\\input{x}",
    "[link](http://x.y)",
    "`code`",
    "&#8238;",
    "__bold__",
]

TRICKS = "".join(PIECES)
HALF = "\ud800"
"""Half of a character, which no file can hold."""
