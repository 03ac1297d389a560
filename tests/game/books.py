"""The rule books as they were given, cut into their examples and dialogues."""

import re
from pathlib import Path
from textwrap import dedent

HERE = Path(__file__).parent / "rulebooks"

FILES = {
    "blockade-4x4": "000_37adabab8f6ca11e.txt",
    "blockade-5x5": "001_3756271ed85a52b5.txt",
    "grid-lock": "002_82610f33a0c06345.txt",
    "grid-block": "003_37e2be54c8435a74.txt",
    "blockade-line": "004_2c86098631add563.txt",
}


def example(name: str) -> str:
    """The example game of a rule book, without the dialogue."""
    return _text(name).partition("Command-Line Interaction")[0].rpartition("Examples")[2]


def dialogue(name: str) -> list[str]:
    """The code blocks of a rule book's command-line interaction, in order."""
    return code_blocks(_text(name).partition("Command-Line Interaction")[2])


def code_blocks(text: str) -> list[str]:
    """What stands between lines of three backquotes, without their indentation."""
    return [dedent(block).strip("\n") for block in re.findall(r"^ *```\n(.*?)^ *```", text, re.M | re.S)]


def _text(name: str) -> str:
    return (HERE / FILES[name]).read_text(encoding="utf-8")
