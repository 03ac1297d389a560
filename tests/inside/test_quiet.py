"""Whether a body can draw random numbers: whoever might, counts as if it does."""

import random

import pytest

from arena.inside.quiet import is_quiet

MOVE = "def move(position, most=3, names=('a', 'b')):\n    return random.choice(position.legal_moves)\n"
QUIET = {
    "functions": f"import random\nfrom math import inf\nDEPTH = 4\n{MOVE}",
    "types": f'"""A bot."""\nfrom __future__ import annotations\nimport random\n{MOVE}',
    "nothing": "",
}
LOUD = {
    "call": "import random\nfirst = random.random()\n",
    "class": "class Bot:\n    import random\n    first = random.random()\n",
    "decorator": "import random\n@random.shuffle\ndef move(position):\n    pass\n",
    "operator": "import random\nfirst = random @ 3\n",
    "attribute": "import helper\nfirst = helper.drawn\n",
    "other module": "import helper\n",
    "default": "import random\ndef move(position, first=random.random()):\n    pass\n",
    "comprehension": "import random\nall = [0 for _ in random]\n",
    "many names": "\n".join(f"n{number} = {number}" for number in range(300)),
}


@pytest.mark.parametrize("name", QUIET)
def test_bodies_that_define_and_name_are_quiet(name):
    """Such a body leaves the generator as it was."""
    body = compile(QUIET[name], name, "exec")
    assert is_quiet(body)
    before = random.getstate()
    exec(body, {})
    assert random.getstate() == before


@pytest.mark.parametrize("name", LOUD)
def test_whatever_may_draw_is_not_quiet(name):
    """A call, or anything that may end in one."""
    assert not is_quiet(compile(LOUD[name], name, "exec"))
